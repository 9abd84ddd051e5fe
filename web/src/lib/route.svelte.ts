// Where we are: /, /t/CODE, /rules/GAME.

export const route = $state({ path: location.pathname })

export function go(path: string): void {
  history.pushState(null, '', path)
  route.path = path
  scrollTo(0, 0)
}

addEventListener('popstate', () => (route.path = location.pathname))
