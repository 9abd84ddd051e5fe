// The current route: /, /t/CODE, /t/CODE/replay, /watch/GAME, /rules/GAME.

export const route = $state({ path: location.pathname })

export function go(path: string): void {
  history.pushState(null, '', path)
  route.path = location.pathname
  scrollTo(0, 0)
}

addEventListener('popstate', () => (route.path = location.pathname))
