// Where an element is on the screen, what is in front of it, and whether a click there reaches it.
import {
  attrOf,
  childrenOf,
  clientRectsOf,
  closest,
  documentImages,
  elementFromPoint,
  matches,
  rectOf,
  tagOf,
  textContentOf,
} from '../native.ts'
import { cove } from './cove.ts'
import { every, up, within } from './tree.ts'

// Point is a place in the window.
export type Point = { x: number; y: number }

const DEEPEST = 50

// topmost is the innermost element that a click at this point would reach.
export function topmost(x: number, y: number): Element | null {
  let el = elementFromPoint(document, x, y)
  for (let depth = 0; el && depth < DEEPEST; depth++) {
    const inner = cove.root(el)?.elementFromPoint(x, y)
    if (!inner || inner === el || !within(inner, el)) break
    el = inner
  }
  return el
}

// areaBox is where a part of an image map lies.
function areaBox(area: HTMLAreaElement): DOMRect[] {
  const map = closest(area, 'map')
  const name = map instanceof HTMLMapElement ? map.name : ''
  const image = [...documentImages(document)].find(
    i => name && i.useMap === `#${name}` && i.getClientRects().length > 0,
  )
  if (!image) return []

  const r = rectOf(image)
  const c = (area.coords || '').split(',').map(Number)
  if (area.shape === 'default' || c.length < 3 || c.some(Number.isNaN)) return [r]
  let xs = c.filter((_, i) => i % 2 === 0)
  let ys = c.filter((_, i) => i % 2 === 1)
  if (area.shape === 'circle' || area.shape === 'circ') {
    xs = [c[0] - c[2], c[0] + c[2]]
    ys = [c[1] - c[2], c[1] + c[2]]
  }
  const x = r.left + Math.min(...xs)
  const y = r.top + Math.min(...ys)
  return [new DOMRect(x, y, Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys))]
}

// boxes are where an element is drawn.
export function boxes(el: Element): DOMRect[] {
  if (el instanceof HTMLAreaElement) return areaBox(el)
  const found = [...clientRectsOf(el)].filter(r => r.width > 0 && r.height > 0)
  if (found.length > 0 || getComputedStyle(el).display !== 'contents') return found
  return [...childrenOf(el)].flatMap(boxes)
}

export const onScreen = (r: DOMRect): boolean =>
  r.right > 0 && r.bottom > 0 && r.left < innerWidth && r.top < innerHeight

// spots are the points of a box that are worth a try, the middle first.
export function spots(r: DOMRect): [number, number][] {
  const left = Math.max(r.left, 0)
  const right = Math.min(r.right, innerWidth)
  const top = Math.max(r.top, 0)
  const bottom = Math.min(r.bottom, innerHeight)
  if (left >= right || top >= bottom) return []
  const at = (fx: number, fy: number): [number, number] => [left + (right - left) * fx, top + (bottom - top) * fy]
  return [at(0.5, 0.5), at(0.25, 0.5), at(0.75, 0.5), at(0.5, 0.25), at(0.5, 0.75), at(0.1, 0.1), at(0.9, 0.9)]
}

// reaches: a click on node acts on el, directly or through its label.
export function reaches(node: Node | null, el: Element | null): boolean {
  if (!node) return false
  if (within(node, el)) return true
  const label = node instanceof Element ? closest(node, 'label') : null
  return label instanceof HTMLLabelElement && label.control === el
}

const FIELD =
  'input:not([type=hidden]), textarea, select, [contenteditable=""], [contenteditable=true], [role=combobox], ' +
  '[role=textbox], [role=searchbox], [role=spinbutton], [role=listbox], [aria-haspopup=listbox]'
const CONTROL =
  FIELD +
  ', a[href], button, summary, iframe, dialog, [role=button], [role=link], [role=option], [role=menuitem], ' +
  '[role=tab], [role=checkbox], [role=radio], [role=switch], [role=slider], [role=dialog], [role=alertdialog]'
const GROUND = 'html, body, main, form, fieldset, section, article, dialog, [role=dialog]'
const TALLEST = 300
const BEYOND = 4

// part: node belongs to the same widget as the field el and is no control itself. Selects draw their placeholder or
// their value over the input that takes the keys; a press there is a press on the select.
export function part(node: Node | null, el: Element | null): boolean {
  if (!(node instanceof Element) || !el || !matches(el, FIELD)) return false
  let around: Node | null = el
  while (around && !within(node, around)) around = up(around)
  if (!(around instanceof Element) || around === node || matches(around, GROUND)) return false
  for (let n: Node | null = node; n && n !== around; n = up(n)) {
    if (n instanceof Element && (matches(n, CONTROL) || getComputedStyle(n).position === 'fixed')) return false
  }
  const others = every(around, FIELD).some(o => !within(o, el) && !within(el, o) && boxes(o).length > 0)
  return !others && covers(rectOf(around), rectOf(node))
}

const covers = (box: DOMRect, cover: DOMRect) =>
  box.height <= TALLEST &&
  cover.left >= box.left - BEYOND &&
  cover.right <= box.right + BEYOND &&
  cover.top >= box.top - BEYOND &&
  cover.bottom <= box.bottom + BEYOND

function markOf(el: Element): string {
  const id = attrOf(el, 'id')
  if (id) return `#${id}`
  const kind = el instanceof SVGElement ? '' : attrOf(el, 'class').trim().split(/\s+/)[0]
  return kind ? `.${kind}` : ''
}

// summarize is an element as agents are told of it.
export function summarize(el: Element | null): string {
  if (!el) return 'nothing: the point is outside of the window'
  const text = (textContentOf(el) ?? '').replace(/\s+/g, ' ').trim().slice(0, 5000)
  const name = cove.describe(cove.id(el))?.name || text
  return `<${tagOf(el)}${markOf(el)}>${name ? ` ${JSON.stringify(name)}` : ''}`
}

const MOST_BOXES = 20

// hit is where a click reaches an element, null where none does.
export function hit(el: Element): Point | null {
  const all = boxes(el).slice(0, MOST_BOXES).map(spots)
  for (const [x, y] of all.flat()) if (reaches(topmost(x, y), el)) return { x, y }
  for (const [x, y] of all.flat()) if (part(topmost(x, y), el)) return { x, y }
  return null
}
