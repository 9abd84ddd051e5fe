// Animation of moving cards. The page shows a new state at once; the animation is only visual, and the next input or state ends it.
//
// A card that can be animated has ``data-flies="place/card"`` and, for when its origin was not visible, ``data-from`` with the name of a spot; a
// spot has ``data-spot="name"``.

export const HOLD = 900
const MOVE = 220
const GATHER = 320
const DEAL = 60
const DEAL_MOST = 900
const EASE = 'cubic-bezier(.2, .7, .2, 1)'
const NAME = 'kortlek'
/** Above this number of new log entries the client has caught up after an absence, and nothing is animated. */
const MANY = 12

export type Before = Map<string, DOMRect>

export const isStill = (): boolean => document.hidden || matchMedia('(prefers-reduced-motion: reduce)').matches

/** Whether to animate the change to a new state: it is recent, and few entries lie between the two states. */
export const isLive = (events: number, age: number): boolean => !isStill() && events > 0 && events <= MANY && age < 2500

const flying = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-flies]')]
const cardOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1).replace("'", '')
const ours = (): Animation[] => document.getAnimations().filter((each) => each.id === NAME)
const spot = (name: string): DOMRect | undefined =>
  [...document.querySelectorAll(`[data-spot="${name}"]`)].map((each) => each.getBoundingClientRect()).find((box) => box.width)

/** The current positions of the cards, moving ones included; empty if animation is off. */
export function look(): Before {
  return new Map((isStill() ? [] : flying()).map((each) => [each.dataset.flies!, each.getBoundingClientRect()]))
}

/** Finish all animations at once, on the next input. */
export function arrive(): void {
  for (const each of ours()) each.finish()
}

/** Animate the cards from their previous to their current positions. */
export function move(before: Before): void {
  for (const each of ours()) if (!(each.effect as KeyframeEffect).target?.closest('.ghost')) each.cancel()
  const now = flying()
  const keys = new Set(now.map((each) => each.dataset.flies!))
  const gone = new Map([...before].filter(([key]) => !keys.has(key)).map(([key, box]) => [cardOf(key), box]))
  const boxes = now.map((each) => each.getBoundingClientRect())
  const dealt = now.filter((each) => !before.has(each.dataset.flies!) && !gone.has(cardOf(each.dataset.flies!)) && each.dataset.flies!.startsWith('hand/'))
  // Measure everything before starting any animation: otherwise each card would force a new layout.
  const seen = now.map(({ dataset }) => before.get(dataset.flies!) ?? gone.get(cardOf(dataset.flies!)))
  const spots = new Map(now.filter((card, n) => !seen[n] && card.dataset.from).map((card) => [card.dataset.from!, spot(card.dataset.from!)]))
  now.forEach((card, n) => {
    const from = seen[n] ?? spots.get(card.dataset.from ?? '')
    if (card.dataset.held !== undefined || !from?.width || !boxes[n].width) return
    const at = dealt.indexOf(card)
    fly(card, from, boxes[n], !seen[n], MOVE, at < 0 ? 0 : at * Math.min(DEAL, (DEAL_MOST - MOVE) / dealt.length))
  })
}

function fly(card: HTMLElement, from: DOMRect, to: DOMRect, isSpot: boolean, duration: number, delay = 0): Animation | null {
  const [x, y] = [from.left + from.width / 2 - to.left - to.width / 2, from.top + from.height / 2 - to.top - to.height / 2]
  const scale = isSpot ? 0.5 : from.width / to.width
  if (Math.hypot(x, y) < 2 && Math.abs(scale - 1) < 0.02) return null
  const start: Keyframe = { translate: `${x}px ${y}px`, scale: String(scale) }
  return card.animate([isSpot ? { ...start, opacity: 0 } : start, { translate: '0 0', scale: '1', opacity: 1 }], { id: NAME, duration, delay, easing: EASE, fill: 'backwards' })
}

/** Animate copies of removed cards to a spot, and delete them there. */
export function gather(cards: Iterable<HTMLElement>, to: string): void {
  const goal = isStill() ? undefined : spot(to)
  if (!goal) return
  for (const [card, box] of [...cards].map((each) => [each, each.getBoundingClientRect()] as const)) {
    const ghost = card.cloneNode(true) as HTMLElement
    for (const each of [ghost, ...ghost.querySelectorAll<HTMLElement>('[data-flies]')]) delete each.dataset.flies
    ghost.classList.add('ghost')
    ghost.setAttribute('aria-hidden', 'true')
    ghost.style.cssText = `left:${box.left}px;top:${box.top}px;--card-w:${box.width}px`
    document.body.append(ghost)
    const [x, y] = [goal.left + goal.width / 2 - box.left - box.width / 2, goal.top + goal.height / 2 - box.top - box.height / 2]
    const end: Keyframe = { translate: `${x}px ${y}px`, scale: '.35', opacity: 0.2 }
    const going = ghost.animate([{ translate: '0 0', scale: '1', opacity: 1 }, end], { id: NAME, duration: GATHER, easing: 'cubic-bezier(.5, 0, .6, 1)', fill: 'forwards' })
    going.onfinish = going.oncancel = () => ghost.remove()
  }
}

/** Animate a dropped card back to its place. */
export function springBack(card: HTMLElement, from: DOMRect): void {
  if (!isStill()) fly(card, from, card.getBoundingClientRect(), false, MOVE)
}
