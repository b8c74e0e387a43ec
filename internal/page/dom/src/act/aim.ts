// Where to click an element, and how a point inside a frame is projected to the document around it.
import {
  animationsOf,
  bodyOf,
  clientHeight,
  clientLeft,
  clientTop,
  clientWidth,
  closest,
  documentAnimations,
  matches,
  offsetHeight,
  offsetWidth,
  rectOf,
  scrollBoxBy,
  scrollerOf,
  scrollHeight,
  scrollIntoView,
  scrollWidth,
  tagOf,
  visibilityOf,
} from '../native.ts'
import { cove } from './cove.ts'
import { boxes, hit, onScreen, type Point, spots, summarize, topmost } from './hit.ts'
import { up, within } from './tree.ts'

const MOVES = new RegExp(
  '^(transform|translate|rotate|scale|left|right|top|bottom|inset|margin|width|height|max|min|padding|offset|grid|' +
    'flex|fontSize|font-size)',
)

// ends: an animation runs now, and comes to an end.
const ends = (a: Animation): boolean =>
  a.playState === 'running' && a.effect !== null && a.effect.getComputedTiming().endTime !== Infinity

const moves = (a: Animation): boolean =>
  a.effect instanceof KeyframeEffect && a.effect.getKeyframes().some(k => Object.keys(k).some(p => MOVES.test(p)))

// moving lists the animations that move an element and come to an end.
function moving(el: Element): Animation[] {
  if (documentAnimations(document).length === 0) return []
  const found: Animation[] = []
  for (let n: Node | null = el; n; n = up(n)) {
    if (n instanceof Element) found.push(...animationsOf(n).filter(a => ends(a) && moves(a)))
  }
  return found
}

export const isVisible = (): boolean => visibilityOf(document) === 'visible'

// drawn waits until the page has drawn itself and heard that it was scrolled. Nobody draws a hidden tab.
export const drawn = (): 0 | Promise<0> =>
  !isVisible()
    ? 0
    : new Promise(done => {
        setTimeout(done, 100, 0)
        requestAnimationFrame(() =>
          requestAnimationFrame(() => {
            done(0)
          }),
        )
      })

const LONGEST_MOVE = 1000

// stopped waits, not for long, until an element has stopped moving.
export async function stopped(id: number): Promise<0> {
  const el = cove.get(id)
  if (!el) return 0
  const all = Promise.allSettled(moving(el).map(a => a.finished))
  await Promise.race([all, new Promise(done => setTimeout(done, LONGEST_MOVE))])
  return 0
}

// wanted is what was aimed at last.
export let wanted: Element | null = null

// want aims at an element that a point was found to be on, and says what it is or belongs to.
export function want(id: number): { role: string; name: string } {
  wanted = cove.get(id)
  const control = wanted && (closest(wanted, 'button, a, label, input, [role=button]') ?? wanted)
  const about = control && cove.describe(cove.id(control))
  return { role: about?.role ?? '', name: about?.name ?? '' }
}

type Aim = Partial<Point> & {
  gone?: true
  hidden?: true
  moving?: true
  disabled?: true
  option?: true
  scrolled?: boolean
  cover?: string
  passing?: boolean
}

const labelsOf = (el: Element): Element[] =>
  el instanceof HTMLInputElement ||
  el instanceof HTMLSelectElement ||
  el instanceof HTMLTextAreaElement ||
  el instanceof HTMLButtonElement ||
  el instanceof HTMLMeterElement ||
  el instanceof HTMLOutputElement ||
  el instanceof HTMLProgressElement
    ? [...(el.labels ?? [])]
    : []

const center: ScrollIntoViewOptions = { block: 'center', inline: 'center', behavior: 'instant' }

// targetOf is what people click: a styled control's label where the control itself is not drawn.
function targetOf(el: Element): Element | undefined {
  if (boxes(el).length > 0 && getComputedStyle(el).visibility === 'visible') return el
  return labelsOf(el).find(l => boxes(l).length > 0)
}

// aim finds where to click an element, or why there is no such place. With patient it only says that the element moves.
export function aim(id: number, patient: boolean): Aim {
  const el = cove.get(id)
  if (!el) return { gone: true }
  wanted = el
  if (patient && moving(el).length > 0) return { moving: true }
  if (matches(el, ':disabled')) return { disabled: true }
  if (tagOf(el) === 'option' && closest(el, 'select')) return { option: true }
  const target = targetOf(el)
  if (!target) return { hidden: true }

  let point = boxes(target).some(onScreen) ? hit(target) : null
  const scrolled = !point
  if (!point) {
    scrollIntoView(target, center)
    point = hit(target)
  }
  if (!point && target === el) {
    for (const label of labelsOf(el)) point ??= hit(label)
  }
  if (point) return { ...point, scrolled }

  const box = boxes(target)[0] as DOMRect | undefined
  const middle = box && (spots(box)[0] as [number, number] | undefined)
  if (!middle) return { hidden: true }
  const top = topmost(...middle)
  return { cover: summarize(top), passing: passing(top, target) }
}

// passing: what is in the way goes by itself. Lists are deaf while they scroll, and what fades is on its way out.
function passing(top: Element | null, el: Element): boolean {
  if (getComputedStyle(el).pointerEvents === 'none') return true
  for (let n: Node | null = top; n && !within(el, n); n = up(n)) {
    if (n instanceof Element && animationsOf(n).some(ends)) return true
  }
  return false
}

// seek is the element, or the only one of that role and name when the page has drawn it anew; 0 when there is none.
export function seek(id: number, role: string, name: string): number {
  if (cove.get(id)) return id
  const found = role && name ? cove.find(role, name) : []
  return found.length === 1 ? found[0] : 0
}

type Content = Point & { scaleX: number; scaleY: number }

// content is where the inside of a frame's element begins, and how much it is scaled.
export function content(el: Element): Content {
  const r = rectOf(el)
  const style = getComputedStyle(el)
  const [width, height] = el instanceof HTMLElement ? [offsetWidth(el), offsetHeight(el)] : [0, 0]
  const scaleX = width ? r.width / width : 1
  const scaleY = height ? r.height / height : 1
  return {
    x: r.left + (clientLeft(el) + parseFloat(style.paddingLeft || '0')) * scaleX,
    y: r.top + (clientTop(el) + parseFloat(style.paddingTop || '0')) * scaleY,
    scaleX,
    scaleY,
  }
}

const holds = (r: DOMRect, at: Point) => at.x >= r.left && at.y >= r.top && at.x < r.right && at.y < r.bottom
const scrollsInside = (el: Element) => scrollHeight(el) > clientHeight(el) || scrollWidth(el) > clientWidth(el)

// through takes a point inside a frame to a point of this document, and tells what covers the frame there.
export function through(id: number, x: number, y: number): Aim {
  const el = cove.get(id)
  if (!el) return { gone: true }
  const project = (): Point => {
    const c = content(el)
    return { x: c.x + x * c.scaleX, y: c.y + y * c.scaleY }
  }
  let at = project()
  // Boxes that have scrolled the frame away.
  for (let n = up(el); n; n = up(n)) {
    if (!(n instanceof Element) || n === scrollerOf(document) || n === bodyOf(document) || !scrollsInside(n)) continue
    const r = rectOf(n)
    if (holds(r, at)) continue
    scrollBoxBy(n, { left: at.x - (r.left + r.right) / 2, top: at.y - (r.top + r.bottom) / 2, behavior: 'instant' })
    at = project()
  }
  if (at.x < 0 || at.y < 0 || at.x >= innerWidth || at.y >= innerHeight) {
    scrollBy({ left: at.x - innerWidth / 2, top: at.y - innerHeight / 2, behavior: 'instant' })
    at = project()
  }
  const top = topmost(at.x, at.y)
  if (!top) return { hidden: true }
  return top === el || within(top, el) ? at : { cover: summarize(top) }
}

let mice = -1

// moved returns whether the mouse has moved over this document since it was last asked.
export function moved(): boolean {
  if (mice < 0) {
    for (const type of ['pointermove', 'mousemove', 'mouseover']) {
      addEventListener(type, () => void mice++, { capture: true, passive: true })
    }
  }
  const any = mice > 0
  mice = 0
  return any
}
