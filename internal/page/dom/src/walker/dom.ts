// The page's tree as it is shown: ids, shadow roots and slots, what is rendered.
import type { Counters, Says } from './generated.ts'
import { beginNames } from './names.ts'
import {
  animationsOf,
  assignedNodes,
  assignedSlot,
  attr,
  attributeNames,
  byId,
  checkVisibility,
  closest,
  contains,
  doc,
  elementFromPoint,
  firstChild,
  has,
  hasAttributes,
  isConnected,
  isElement,
  labelControl,
  nextSibling,
  parentNode,
  queryAll,
  queryDocument,
  queryFragment,
  rectOf,
  rootOf,
  set,
  shadowRootOf,
  tagOf,
  words,
} from '../native.ts'
import { observe, observedRoots } from './version.ts'
import { deepActive } from './walk.ts'
// Most elements have no attribute that bears on role, name or states, and most others none that bears on states: found
// out once, in place of dozens of questions.
const special = set('contenteditable draggable hidden inert onclick role tabindex title')
const stateless = set(
  'aria-controls aria-describedby aria-description aria-hidden aria-label aria-labeledby aria-labelledby aria-owns',
)
const SPECIAL = 1,
  STATES = 2
let lastAsked: Element | null = null,
  lastKind = 0

export const isSpecial = (el: Element) => kindOf(el) !== 0
export const mayHaveStates = (el: Element) => (kindOf(el) & STATES) !== 0

function kindOf(el: Element) {
  if (el === lastAsked) return lastKind
  lastAsked = el
  if (!hasAttributes(el)) return (lastKind = 0)
  let kind = pass ? pass.kinds.get(el) : undefined
  if (kind === undefined) {
    kind = 0
    for (const name of attributeNames(el)) {
      if (special.has(name)) kind |= SPECIAL
      else if (name.startsWith('aria-')) kind |= stateless.has(name) ? SPECIAL : SPECIAL | STATES
    }
    if (pass) pass.kinds.set(el, kind)
  }
  return (lastKind = kind)
}

// ---- Ids ----------------------------------------------------------------------------------------------------------

let lastId = 0
const idOfElement = new WeakMap<Element, number>()
export const elementOfId = new Map<number, WeakRef<Element>>()
const forgetId = new FinalizationRegistry<number>(id => elementOfId.delete(id))

export function idFor(el: Element) {
  let id = idOfElement.get(el)
  if (id === undefined) {
    id = ++lastId
    idOfElement.set(el, id)
    elementOfId.set(id, new WeakRef(el))
    forgetId.register(el, id)
  }
  return id
}

export function elementFor(id: number): Element | null {
  const el = elementOfId.get(id)?.deref()
  return el && isConnected(el) ? el : null
}

// ---- The flat tree: shadow roots, slots, aria-owns ----------------------------------------------------------------

export const adopted = new WeakMap<Element, ShadowRoot>() // closed roots that were handed in
let anyAdopted = false
export const asked = new WeakSet<Node>()

// handIn keeps a closed root that the keeper has found.
export function handIn(host: Element, root: ShadowRoot): void {
  adopted.set(host, root)
  anyAdopted = true
  asked.add(host)
}

export function shadowOf(el: Element): ShadowRoot | null {
  const root = shadowRootOf(el) || (anyAdopted && adopted.get(el)) || null
  if (root) {
    observe(root)
    if (pass) scopeOf(root)
  }
  return root
}

export function parentOf(node: Node): Element | null {
  const slot = isElement(node) ? assignedSlot(node) : null
  if (slot) return slot
  const parent = parentNode(node)
  if (!parent) return null
  if (isElement(parent)) return parent
  return parent instanceof ShadowRoot ? parent.host : null
}

// Scope is what elements of one document or shadow root point at from elsewhere.
type Scope = {
  labels: Map<Element, HTMLLabelElement[]> | null
  owned: Map<Node, Element>
  owners: Map<Element, Element[]>
  hiddenFiles: Map<Element, Element[]>
}

// Pass is what has been found out already; one call of the API is one pass, and the page cannot change within it.
type Pass = {
  kinds: Map<Element, number>
  roles: Map<Element, string>
  names: Map<Element, string>
  shown: Map<Element, boolean>
  scopes: Map<Node, Scope>
  tables: Map<Element, string>
  styles: Map<Element, CSSStyleDeclaration>
  inks: Map<string, boolean>
  fading: Map<Element, boolean>
  hiding: Map<Element, boolean>
  sheets?: Says
  counters?: Counters
  active?: Element | null
  modal?: Element | null
  site?: string
  owning: boolean
}

// pass is the present one. It is null between calls, which only what is called then asks.
export let pass = null as unknown as Pass
const newPass = (): Pass => ({
  kinds: new Map(),
  roles: new Map(),
  names: new Map(),
  shown: new Map(),
  scopes: new Map(),
  tables: new Map(),
  styles: new Map(),
  inks: new Map(),
  fading: new Map(),
  hiding: new Map(),
  owning: false,
})

export function during<T>(work: () => T): T {
  if (pass) return work()
  pass = newPass()
  beginNames()
  try {
    return work()
  } finally {
    pass = null as unknown as Pass
    lastAsked = null
  }
}

// scopeOf gathers once for each document or shadow root what elements point at from elsewhere.
export function scopeOf(root: Node): Scope {
  let scope = pass.scopes.get(root)
  if (scope) return scope
  scope = { labels: null, owned: new Map(), owners: new Map(), hiddenFiles: new Map() }
  pass.scopes.set(root, scope)
  for (const owner of queryAll(root, '[aria-owns]')) {
    for (const el of idsIn(root, attr(owner, 'aria-owns'))) {
      // The first owner wins, and nobody owns an ancestor.
      if (scope.owned.has(el) || el === owner || contains(el, owner)) continue
      scope.owned.set(el, owner)
      if (!scope.owners.has(owner)) scope.owners.set(owner, [])
      scope.owners.get(owner)?.push(el)
      pass.owning = true
    }
  }
  for (const input of queryAll(root, 'input[type=file i]')) {
    let cut: Element | null = null
    for (let el: Element | null = input; el; el = parentOf(el)) if (isAriaHidden(el) || !isRendered(el)) cut = el
    if (cut) scope.hiddenFiles.set(cut, [...(scope.hiddenFiles.get(cut) || []), input])
  }
  return scope
}

// labelsOf is input.labels without its walk over the whole tree for every control.
export function labelsOf(el: Element): HTMLLabelElement[] | undefined {
  const root = rootOf(el)
  const scope = scopeOf(root)
  if (!scope.labels) {
    scope.labels = new Map()
    for (const label of queryAll(root, 'label')) {
      if (!(label instanceof HTMLLabelElement)) continue
      const control = labelControl(label)
      if (!control) continue
      if (!scope.labels.has(control)) scope.labels.set(control, [])
      scope.labels.get(control)?.push(label)
    }
  }
  return scope.labels.get(el)
}

export const idsIn = (root: Node, ids: string | null): Element[] =>
  words(ids)
    .map(id => byId(root, id))
    .filter(el => el !== null)

export function referenced(
  el: Element,
  name: string,
  get: (el: Element) => readonly Element[] | null,
): readonly Element[] {
  return (has(el, name) && get(el)) || []
}

export const isSlot = (el: Element): boolean => tagOf(el) === 'slot' && el instanceof HTMLSlotElement

// kidsOf is the children in the flat tree, after aria-owns has moved things about.
export function kidsOf(el: Element): Node[] {
  const kids: Node[] = []
  const slotted = isSlot(el) ? assignedNodes(el) : null
  if (slotted?.length) kids.push(...slotted)
  else for (let n = firstChild(shadowOf(el) || el); n; n = nextSibling(n)) kids.push(n)
  return pass.owning ? reowned(el, kids) : kids
}

function reowned(el: Element, kids: Node[]): Node[] {
  const scope = scopeOf(rootOf(el))
  return kids.filter(n => !scope.owned.has(n)).concat(scope.owners.get(el) || [])
}

// ---- What is rendered ---------------------------------------------------------------------------------------------

export const VISIBLE = { visibilityProperty: true }
export const OPAQUE = { opacityProperty: true }
export const SEEN = { visibilityProperty: true, opacityProperty: true }

export function styleOf(el: Element): CSSStyleDeclaration {
  let style = pass.styles.get(el)
  if (!style) pass.styles.set(el, (style = getComputedStyle(el)))
  return style
}

// isFading: it cannot be seen only because an animation has just begun that shows it, and comes to an end.
export function isFading(el: Element): boolean {
  let fading = pass.fading.get(el)
  if (fading === undefined) {
    const parent = parentOf(el)
    fading =
      styleOf(el).opacity !== '0'
        ? parent !== null && isFading(parent)
        : animationsOf(el).some(
            a => a.playState === 'running' && a.effect && a.effect.getComputedTiming().endTime !== Infinity,
          )
    pass.fading.set(el, fading)
  }
  return fading
}

// isRendered: display and visibility let it be seen. Asks the parent only where the element has no box of its own.
export function isRendered(el: Element): boolean {
  if (checkVisibility(el, VISIBLE)) return true
  const tag = tagOf(el)
  if (tag === 'option' || tag === 'optgroup') {
    const select = closest(el, 'select')
    return select !== null && isRendered(select)
  }
  if (tag === 'area') return isUsedArea(el)
  const style = getComputedStyle(el)
  if (style.display !== 'contents' || style.visibility !== 'visible') return false
  const parent = parentOf(el)
  return parent !== null && isRendered(parent)
}

function isUsedArea(el: Element) {
  const map = closest(el, 'map')
  const name = map && attr(map, 'name')
  if (!name) return false
  for (const img of queryAll(rootOf(el), 'img[usemap]')) if (attr(img, 'usemap') === '#' + name) return isRendered(img)
  return false
}

// isShown: rendered, and not cut off from people by aria-hidden or inert.
export function isShown(el: Element): boolean {
  let shown = pass.shown.get(el)
  if (shown === undefined) pass.shown.set(el, (shown = isRendered(el) && !isCutOff(el)))
  return shown
}

function isCutOff(el: Element) {
  for (let e: Element | null = el; e; e = parentOf(e)) if (isAriaHidden(e) || has(e, 'inert')) return true
  const modal = topModal()
  return modal !== null && !isInside(el, modal)
}

// isAriaHidden: as a browser has it, which lets nobody hide the whole page or what has the focus.
export function isAriaHidden(el: Element) {
  if (attr(el, 'aria-hidden') !== 'true' || tagOf(el) === 'body' || tagOf(el) === 'html') return false
  const active = deepActive()
  return !(active && isInside(active, el))
}

export function isInside(el: Element, ancestor: Element) {
  for (let e: Element | null = el; e; e = parentOf(e)) if (e === ancestor) return true
  return false
}

// topModal is the dialog that makes everything else inert.
export function topModal(): Element | null {
  if (pass.modal !== undefined) return pass.modal
  const all = [...queryDocument(doc, ':modal')]
  for (const root of observedRoots()) all.push(...queryFragment(root, ':modal'))
  const dialogs = all.filter(d => d instanceof HTMLDialogElement)
  pass.modal = dialogs.at(-1) || null
  if (dialogs.length > 1) pass.modal = dialogs.find(isOnTop) || pass.modal
  return pass.modal
}

// Inert elements are not hit: only the dialog on top answers for its own middle.
function isOnTop(dialog: Element) {
  const r = rectOf(dialog)
  const hit = elementFromPoint(doc, r.left + r.width / 2, r.top + r.height / 2)
  return hit !== null && (hit === dialog || contains(dialog, hit))
}

// isReadable returns whether text that stands directly in el has a colour and a size. Elements without a single
// attribute are taken to look like what is around them, and elements of one class to look alike: these two questions
// would cost as much as the rest of the walk.
export function isReadable(el: Element) {
  if (!hasAttributes(el)) return true
  const key = has(el, 'style') ? null : tagOf(el) + ' ' + attr(el, 'class')
  let readable = key === null ? undefined : pass.inks.get(key)
  if (readable === undefined) {
    const style = styleOf(el),
      color = style.color
    const clear = color.charCodeAt(3) === 97 && color.endsWith(', 0)') // rgba(…, 0)
    readable = !clear && style.fontSize !== '0px'
    if (key !== null) pass.inks.set(key, readable)
  }
  return readable
}

// hidesItsText returns whether a box keeps everything in it from being read, as screen-reader-only boxes and closed
// accordions do. Sizes are asked for only where something could be cut off.
export function hidesItsText(el: Element, style: CSSStyleDeclaration, display: string) {
  if (display === 'inline' || display === 'contents' || !hasAttributes(el)) return false
  if (style.contentVisibility === 'hidden') return true
  const position = style.position
  if ((position === 'absolute' || position === 'fixed') && isAway(style)) return true
  if (style.overflowY === 'visible' && (!has(el, 'style') || style.clipPath === 'none')) return false
  const r = rectOf(el)
  return (r.width <= 1 || r.height <= 1) && clips(style)
}

function clips(style: CSSStyleDeclaration) {
  return style.overflow !== 'visible' || style.clip !== 'auto' || style.clipPath !== 'none'
}

// isAway: moved to where nobody looks, or clipped to nothing. By its style, not its place: what is scrolled past is
// still there to be read.
function isAway(style: CSSStyleDeclaration) {
  if (parseFloat(style.left) < -500 || parseFloat(style.top) < -500) return true
  const clip = style.clip
  return clip !== 'auto' && /^rect\((\d+px|auto), (\d+px|auto), \1, \2\)$/.test(clip)
}
