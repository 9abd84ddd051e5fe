/** Make an overflowing element a Tab stop, so that it can be scrolled by keyboard: `{@attach scrolls}`. Measured at most once per frame, as
 * measuring forces a layout. */
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
