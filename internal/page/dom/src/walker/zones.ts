// What only scripts know: where something can be dragged to, and what listens to clicks without looking like it.
import { parentOf, styleOf } from './dom.ts'
import { isBlank } from './names.ts'
import {
  TEXT,
  attr,
  attributeNames,
  byTagIn,
  dataOf,
  doc,
  firstChild,
  firstElementChild,
  isElement,
  isHTML,
  nextElementSibling,
  nextSibling,
  nodeType,
  queryAllIn,
  queryIn,
  set,
  tagOf,
  words,
} from '../native.ts'
import { roleOf } from './roles.ts'
import { isActedOn } from './states.ts'
import { bump } from './version.ts'
import type { Out } from './walk.ts'
import { spreading, walking } from './walk.ts'

// ---- Drag and drop ------------------------------------------------------------------------------------------------

const MOST_DRAGGED = 200,
  WIDEST = 50

// What people can drag, by the standard or by the marks of libraries that do without it; and what these call places for
// it.
const dragged = `[draggable=true], [aria-grabbed], [aria-roledescription*=sortable i],
  [aria-roledescription*=draggable i],
  [data-rbd-draggable-id], [data-rfd-draggable-id], .ui-draggable, .ui-sortable-handle, .cdk-drag`
const places = `[aria-dropeffect]:not([aria-dropeffect=none]), [ondrop], [ondragover], [data-rbd-droppable-id],
  [data-rfd-droppable-id],
  .ui-droppable, .ui-sortable, .cdk-drop-list`
const heldIn = set('region list listitem group row')

// dropZones are where a page with things to drag may take them, which only its scripts know: the boxes that hold them,
// and those beside these that are made the same way; null without anything to drag.
export function dropZones(root: Element | null): Set<Element> | null {
  if (!root || !queryIn(root, dragged)) return null
  const zones = new Set(queryAllIn(root, places)),
    seen = new Set<Element>()
  for (const el of Array.prototype.slice.call(queryAllIn(root, dragged), 0, MOST_DRAGGED) as Element[]) {
    for (
      let box = parentOf(el), up = 0;
      box && up < 3 && !seen.has(box) && tagOf(box) !== 'body';
      box = parentOf(box), up++
    ) {
      seen.add(box)
      const like = sameBeside(box)
      for (const other of like) zones.add(other)
      if (like.length) break
    }
  }
  return zones
}

// isZone: something can be dropped on it, or put before or after it.
export function isZone(el: Element, role: string): boolean {
  if (anyTaking && taking.has(el)) return true
  return walking.zones !== null && (heldIn.has(role) || walking.zones.has(el))
}

// sameBeside lists an element and its siblings of the same tag and class; none when it is the only one.
function sameBeside(el: Element) {
  const same: Element[] = [],
    up = parentOf(el),
    tag = tagOf(el),
    kind = attr(el, 'class')
  for (
    let other: Element | null = up && firstElementChild(up), n = 0;
    other && n < WIDEST;
    other = nextElementSibling(other), n++
  ) {
    if (tagOf(other) === tag && attr(other, 'class') === kind) same.push(other)
  }
  return same.length > 1 ? same : []
}

// ---- Listeners ----------------------------------------------------------------------------------------------------

const listening = new WeakSet<Element>(),
  taking = new WeakSet<Element>() // elements that the keeper has marked
let anyListening = false,
  anyTaking = false
const MOST_INSIDE = 40,
  MOST_IN_ZONE = 2000

// markListeners records elements with listeners of their own: c to be clicked, d to have something dropped on them. It
// returns whether any is new.
export function markListeners(kinds: string, all: Element[]) {
  let news = false
  all.forEach((el, i) => {
    if (!(el instanceof Element) || el.ownerDocument !== doc || tagOf(el) === 'body' || tagOf(el) === 'html') return
    if (kinds[i] === 'd') {
      if (taking.has(el) || byTagIn(el, '*').length > MOST_IN_ZONE) return
      taking.add(el)
      anyTaking = news = true
      return
    }
    for (const one of listenersFor(el)) {
      if (listening.has(one) || byTagIn(one, '*').length > MOST_INSIDE || isActedOn(one, roleOf(one))) continue
      listening.add(one)
      anyListening = news = true
    }
  })
  if (news) bump()
  return news
}

// listenersFor is what a listener means: the element itself, or the items of the list that it stands around.
function listenersFor(el: Element): Element[] {
  if (tagOf(el) === 'tr') return [el]
  const items = itemsOf(el, false)
  if (items.length) return items
  const marked: Element[] = []
  const look = (up: Element, levels: number) => {
    for (let e = firstElementChild(up); e; e = nextElementSibling(e)) {
      const found = itemsOf(e, true)
      marked.push(...found)
      if (!found.length && levels > 1) look(e, levels - 1)
    }
  }
  look(el, 3)
  return marked.length ? marked : [el]
}

const FEWEST_ITEMS = 3,
  FEWEST_MARKED = 5

// itemsOf lists the children of an element that is a list of equal things and says nothing itself. Further away from
// the listener each must bear a mark that scripts read.
function itemsOf(el: Element, marked: boolean): Element[] {
  const items: Element[] = []
  let tag = '',
    kind = ''
  for (let n: Node | null = firstChild(el); n; n = nextSibling(n)) {
    if (nodeType(n) === TEXT && !isBlank(dataOf(n))) return []
    if (!isElement(n) || !isHTML(n)) continue
    const first = words(attr(n, 'class'))[0] || ''
    if (!items.length) [tag, kind] = [tagOf(n), first]
    if (tagOf(n) !== tag || first !== kind || (marked && !attributeNames(n).some(name => name.startsWith('data-'))))
      return []
    items.push(n)
  }
  return items.length >= (marked ? FEWEST_MARKED : FEWEST_ITEMS) ? items : []
}

const listensForOthers =
  set(`main navigation banner contentinfo complementary form region search dialog alertdialog tabpanel
  application document toolbar menubar radiogroup feed log`)

export const hasListener = (el: Element, role: string) =>
  anyListening &&
  listening.has(el) &&
  !listensForOthers.has(role) &&
  !spreading.has(role) &&
  !styleOf(el).cursor.endsWith('resize')

// isWrapper: a box that only listens, around things that are acted on themselves: it hears of their clicks.
export const isWrapper = (el: Element, role: string, n: Out) =>
  hasListener(el, role) && (n.c ?? []).every(c => c.a) && !isActedOn(el, role) && styleOf(el).cursor !== 'pointer'
