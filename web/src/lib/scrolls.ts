/** What is too large for its place is a Tab stop, so that keys can scroll it: `{@attach scrolls}`. */
export function scrolls(node: HTMLElement): () => void {
  const look = (): void => {
    if (node.scrollHeight > node.clientHeight + 1 || node.scrollWidth > node.clientWidth + 1) node.tabIndex = 0
    else node.removeAttribute('tabindex')
  }
  const sizes = new ResizeObserver(look)
  const changes = new MutationObserver(look)
  sizes.observe(node)
  changes.observe(node, { childList: true, subtree: true, characterData: true })
  return () => {
    sizes.disconnect()
    changes.disconnect()
  }
}
