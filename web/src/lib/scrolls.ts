/** What is too large for its place is a Tab stop, so that keys can scroll it: `{@attach scrolls}`. Looked at once a frame at most: to measure it, the
 * browser has to lay everything out. */
export function scrolls(node: HTMLElement): () => void {
  let coming = 0
  const look = (): void => {
    coming = 0
    if (node.scrollHeight > node.clientHeight + 1 || node.scrollWidth > node.clientWidth + 1) node.tabIndex = 0
    else node.removeAttribute('tabindex')
  }
  const changed = (): void => {
    coming ||= requestAnimationFrame(look)
  }
  const sizes = new ResizeObserver(changed)
  const changes = new MutationObserver(changed)
  sizes.observe(node)
  changes.observe(node, { childList: true, subtree: true, characterData: true })
  return () => {
    cancelAnimationFrame(coming)
    sizes.disconnect()
    changes.disconnect()
  }
}
