// Whether anything has changed, and the functions that the keeper calls.
import { adopt } from './closed.ts'
import { asked, during, elementFor, elementOfId, idFor, isShown, pass, scopeOf, shadowOf } from './dom.ts'
import { format } from './format.ts'
import { addSheets } from './generated.ts'
import { nameOf, textIn } from './names.ts'
import {
  areaValue,
  doc,
  has,
  inputChecked,
  inputIndeterminate,
  inputType,
  inputValue,
  isConnected,
  isElement,
  isInput,
  method,
  optionLabel,
  queryAll,
  rootOf,
  selectIndex,
  selectedOptions,
  shadowRootOf,
  tagOf,
  titleOf,
  words,
} from '../native.ts'
import { roleOf } from './roles.ts'
import { concealed, descriptionOf, fieldKind, hides, isActedOn, isEditable, statesOf, valueOf } from './states.ts'
import type { Options, Walked, Walking } from './walk.ts'
import { deepActive, walk } from './walk.ts'
import { markListeners } from './zones.ts'

// ---- Version: has anything changed? -------------------------------------------------------------------------------

let version = 1
// shape changes when elements come or go, attributes change or something is loaded: then other elements may have
// listeners.
export let shape = 1

// Known is what scripts change without a word, as it was.
type Known = {
  controls: [WeakRef<Element>, string | number][]
  hosts: WeakRef<Element>[]
  href: string
  active: WeakRef<Element> | null
  width: number
  height: number
}

let known: Known = { controls: [], hosts: [], href: '', active: null, width: 0, height: 0 }
const observed = new WeakSet<Node>()
const roots = new Set<WeakRef<ShadowRoot>>()
export const bump = () => void version++

const wasPassword = (type: string | null) => sensitive.field(type || '', '', '', '') === 'password'
const observer = new MutationObserver(seen)
function seen(records: MutationRecord[]) {
  if (!records.length) return
  bump()
  for (const record of records) {
    asked.delete(record.target)
    if (record.type === 'attributes' || holdsElement(record.addedNodes) || holdsElement(record.removedNodes)) shape++
    // A field that was a password's stays one. Frameworks write the type that a field has already: that says nothing.
    if (record.attributeName === 'type' && isInput(record.target) && wasPassword(record.oldValue))
      concealed.add(record.target)
  }
}

function holdsElement(nodes: NodeList) {
  for (const node of nodes) if (isElement(node)) return true
  return false
}

export function observe(root: Document | ShadowRoot): void {
  if (observed.has(root)) return
  observed.add(root)
  if (root instanceof ShadowRoot) {
    shape++
    if (pass?.sheets) addSheets(root)
    roots.add(new WeakRef(root))
    // These two stay within their tree when what they speak of is in it.
    for (const name of ['slotchange', 'toggle']) root.addEventListener(name, bump, { capture: true, passive: true })
  }
  observer.observe(root, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeOldValue: true,
    characterData: true,
  })
}

export function observedRoots(): ShadowRoot[] {
  const alive: ShadowRoot[] = []
  for (const ref of roots) {
    const root = ref.deref()
    if (!root) roots.delete(ref)
    else if (isConnected(root)) alive.push(root)
  }
  return alive
}

for (const name of words(`input change focusin focusout toggle load error transitionend animationend resize slotchange
  fullscreenchange invalid reset popstate hashchange close pageshow`)) {
  addEventListener(name, bump, { capture: true, passive: true })
}
// What is loaded may be a script. Such an event goes as far up as the document and not to the window.
method(EventTarget, 'addEventListener')(doc, 'load', () => void shape++, { capture: true, passive: true })

// remember keeps what scripts change without a word, to look at it again.
export function remember(w: Walking) {
  known = {
    controls: w.controls
      .slice(0, 2000)
      .map((el): [WeakRef<Element>, string | number] => [new WeakRef(el), fingerprint(el)]),
    hosts: w.hosts.slice(0, 500).map(el => new WeakRef(el)),
    href: location.href,
    active: w.active && new WeakRef(w.active),
    width: innerWidth,
    height: innerHeight,
  }
}

function fingerprint(el: Element): string | number {
  if (el instanceof HTMLSelectElement) return Array.from(selectedOptions(el), optionLabel).join('\n') + selectIndex(el)
  if (el instanceof HTMLTextAreaElement) return areaValue(el)
  switch (inputType(el)) {
    case 'checkbox':
    case 'radio':
      return (inputChecked(el) ? 1 : 0) + (inputIndeterminate(el) ? 2 : 0)
  }
  if (hides(el)) return hash(inputValue(el)) // the value itself is not kept anywhere
  return inputValue(el)
}

function hash(text: string) {
  let h = 2166136261
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619)
  return h
}

export function currentVersion() {
  seen(observer.takeRecords())
  return version
}

function silentChange() {
  if (known.href !== location.href || known.width !== innerWidth || known.height !== innerHeight) return true
  for (const [ref, was] of known.controls) {
    const el = ref.deref()
    if (el && fingerprint(el) !== was) return true
  }
  for (const ref of known.hosts) {
    const el = ref.deref()
    if (el && shadowRootOf(el)) return true
  }
  return during(() => deepActive()) !== (known.active ? known.active.deref() || null : null)
}

// versionNow also looks at what changes silently; each such change counts once.
function versionNow() {
  if (known.width && silentChange()) {
    bump()
    during(() => relearn())
  }
  return currentVersion()
}

function relearn() {
  for (const control of known.controls) {
    const el = control[0].deref()
    if (el) control[1] = fingerprint(el)
  }
  known.hosts = known.hosts.filter(ref => {
    const el = ref.deref()
    return el && !shadowRootOf(el)
  })
  const active = deepActive()
  Object.assign(known, {
    href: location.href,
    active: active && new WeakRef(active),
    width: innerWidth,
    height: innerHeight,
  })
}

// ---- The API ------------------------------------------------------------------------------------------------------

// Description is what the scripts that act are told of an element.
export type Description = {
  role: string
  name: string
  tag: string
  shown: boolean
  acts: boolean
  type?: string
  description?: string
  value?: string
  text?: string
  multiple?: boolean
  editable?: boolean
}

function describe(id: number): Description | null {
  const el = elementFor(id)
  if (!el) return null
  scopeOf(rootOf(el))
  const role = roleOf(el),
    name = nameOf(el),
    states = statesOf(el, role, deepActive())
  const about: Description = { role, name, tag: tagOf(el), shown: isShown(el), acts: isActedOn(el, role), ...states }
  if (isInput(el)) about.type = inputType(el)
  const description = descriptionOf(el, name),
    value = valueOf(el, role)
  if (description) about.description = description
  if (value !== undefined) about.value = value
  if (!name) about.text = textIn(el).slice(0, 200)
  if (el instanceof HTMLSelectElement) about.multiple = has(el, 'multiple')
  if (isEditable(el)) about.editable = true
  return about
}

function find(role: string, name: string) {
  const found: number[] = []
  const look = (root: Document | ShadowRoot): void => {
    scopeOf(root)
    for (const el of queryAll(root, '*')) {
      const shadow = shadowOf(el)
      if (shadow) look(shadow)
      const its = roleOf(el)
      if ((its === 'none' ? 'generic' : its) !== role || !isShown(el)) continue
      const own = nameOf(el) || (role === 'generic' || role === 'LabelText' ? textIn(el) : '')
      if (own === name) found.push(idFor(el))
    }
  }
  look(doc)
  return found
}

// walkSafely: a page may be odder than anyone has thought of; an answer that says so is better than none.
function walkSafely(options: Options): Walked {
  try {
    return walk(options)
  } catch (error) {
    return {
      v: currentVersion(),
      t: titleOf(doc),
      u: location.href,
      n: { r: 'RootWebArea', u: location.href },
      k: [],
      e: String(error),
    }
  }
}

// cove is what the keeper and the scripts that act call.
const cove = {
  fieldKind,
  paymentHost: sensitive.paymentHost,
  walk: (options?: Options) => format(during(() => walkSafely(options ?? {}))),
  version: versionNow,
  get: elementFor,
  id: (el: Node | null | undefined) => (el instanceof Element ? idFor(el) : 0),
  root: shadowOf,
  hides,
  conceal: (el: Element) => void concealed.add(el),
  find: (role: string, name: string) => during(() => find(role, name)),
  describe: (id: number) => during(() => describe(id)),
  adopt,
  markListeners: (kinds: string, all: Element[]) => during(() => markListeners(kinds, all)),
  asked: (ids: number[]): void => {
    for (const id of ids) {
      const el = elementOfId.get(id)?.deref()
      if (el) asked.add(el)
    }
  },
}
// Cove is the walker as other scripts see it.
export type Cove = Readonly<typeof cove>

Object.defineProperty(globalThis, 'cove', { value: Object.freeze(cove) })
observe(doc)
