// Lists of the page's own making: what they offer, and whether an option is chosen.
import {
  attrOf,
  bodyOf,
  byId,
  clientHeight,
  closest,
  offsetHeight,
  offsetParent,
  offsetWidth,
  parentElement,
  rootOf,
  scrollBoxTo,
  scrollHeight,
  scrollTop,
  tagOf,
  textContentOf,
  treeWalker,
} from '../native.ts'
import { cove } from './cove.ts'
import { boxes } from './hit.ts'
import { read, seen } from './text.ts'
import { every, roots, up, within } from './tree.ts'
import { changes } from './watch.ts'

const OFFERED = ['option', 'menuitemradio', 'menuitemcheckbox', 'menuitem', 'treeitem', 'gridcell']
const OPTIONS = OFFERED.map(role => `[role=${role}]`).join()
const plain = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase()
const shown = (el: Element): boolean => boxes(el).length > 0 && seen(el) && !clipped(el)

// clipped: it lies in a box without room, as lists do that only assistive technology reads.
function clipped(el: Element): boolean {
  for (let n = up(el); n; n = up(n)) {
    if (!(n instanceof HTMLElement) || (offsetWidth(n) > 1 && offsetHeight(n) > 1)) continue
    if (offsetParent(n) !== null && getComputedStyle(n).overflow !== 'visible') return true
  }
  return false
}

const named = (scope: Node, id: string): Element | null => byId(scope, id) ?? byId(document, id)

// listsOf are the lists that belong to a combobox, as far as it says so.
function listsOf(el: Element): Element[] {
  const scope = rootOf(el)
  const ids = [el, closest(el, '[role=combobox]')]
    .filter(n => n !== null)
    .flatMap(n => [attrOf(n, 'aria-controls'), attrOf(n, 'aria-owns')])
    .flatMap(list => list.split(/\s+/))
    .filter(Boolean)
  const lists = ids.map(id => named(scope, id)).filter(n => n !== null)
  const active = attrOf(el, 'aria-activedescendant')
  const at = active ? named(scope, active) : null
  const around = at && closest(at, '[role=listbox], [role=tree], [role=grid], [role=menu]')
  return around ? [...lists, around] : lists
}

type Offers = {
  own: number[] // options of its own
  other: number[] // elsewhere on the page
  loose: number[] // texts that are no options by their role
  off: number[] // disabled
  names: string[]
  last: number
  open: boolean
}

const MOST_NAMES = 30
const MOST_LOOSE = 50
const LONGEST = 300

// looseTexts are elements that show a text and are no options by their role.
function looseTexts(goal: string, el: Element): number[] {
  const loose: number[] = []
  for (const root of [document, ...roots(document)]) {
    const texts = treeWalker(document, root, NodeFilter.SHOW_TEXT)
    for (let n = texts.nextNode() as Text | null; n && loose.length < MOST_LOOSE; n = texts.nextNode() as Text | null) {
      if (n.data.length >= LONGEST || plain(n.data) !== goal) continue
      const holder = parentElement(n)
      if (!holder || within(holder, el) || /^(script|style|option)$/.test(tagOf(holder))) continue
      if (!closest(holder, '[aria-disabled=true]') && shown(holder)) loose.push(cove.id(holder))
    }
  }
  return loose
}

// offers lists the options that a combobox or listbox of the page's own making shows.
export function offers(id: number, wanted: string): { gone: true } | Offers {
  const el = cove.get(id)
  if (!el) return { gone: true }
  const lists = listsOf(el)
  const goal = plain(wanted)
  const found: Offers = {
    own: [],
    other: [],
    loose: [],
    off: [],
    names: [],
    last: 0,
    open: attrOf(el, 'aria-expanded') === 'true',
  }
  for (const option of every(document, OPTIONS)) {
    if (!shown(option)) continue
    const at = cove.id(option)
    const about = cove.describe(at)
    const name = about?.name || about?.text || ''
    const mine = within(option, el) || lists.some(l => within(option, l))
    if (mine && found.names.length < MOST_NAMES) found.names.push(name)
    if (mine || !found.last) found.last = at
    if (plain(name) !== goal && plain(textContentOf(option) ?? '') !== goal) continue
    const off = attrOf(option, 'aria-disabled') === 'true'
    found[off ? 'off' : mine ? 'own' : 'other'].push(at)
  }
  found.loose = looseTexts(goal, el)
  return found
}

const SLACK = 2

// scrollList scrolls the list that holds an option to its next part, or to its beginning; false when there is no more
// of it.
export function scrollList(option: number, fromStart: boolean): boolean {
  const from = cove.get(option) ?? bodyOf(document)
  for (let n = from && up(from); n; n = up(n)) {
    if (!(n instanceof Element) || scrollHeight(n) <= clientHeight(n) + SLACK) continue
    if (!/auto|scroll/.test(getComputedStyle(n).overflowY)) continue
    const was = scrollTop(n)
    scrollBoxTo(n, { top: fromStart ? 0 : was + clientHeight(n) * 0.8, behavior: 'instant' })
    return fromStart || scrollTop(n) > was + 1
  }
  return false
}

// picked returns whether an option that was clicked is chosen now, as far as the page shows it: not when nothing has
// changed at all.
export function picked(id: number, option: number, wanted: string): boolean {
  const el = cove.get(id)
  const o = cove.get(option)
  if (changes() > 0 || !o || boxes(o).length === 0 || !seen(o)) return true
  if (['aria-selected', 'aria-checked', 'aria-pressed'].some(a => attrOf(o, a) === 'true')) return true
  if (!el || within(o, el)) return false
  return (read(id).value ?? '').toLowerCase().includes(wanted.trim().toLowerCase())
}
