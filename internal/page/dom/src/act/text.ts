// Values that are typed or set, and how they are read back.
import {
  attrOf,
  bodyOf,
  checkVisibility,
  designModeOf,
  focus,
  isConnected,
  isEditableHere,
  scrollIntoView,
  tagOf,
  textContentOf,
} from '../native.ts'
import { cove } from './cove.ts'
import { within } from './tree.ts'
import { active, announce, editorOf, held, type Kind, kind, nearest, setValue } from './value.ts'

type Gone = { gone: true }

// set gives a date, a time, a colour or a slider its value.
export function set(id: number, wanted: string): Gone | { value: string; fits: boolean; step: number } {
  const el = cove.get(id)
  if (!(el instanceof HTMLInputElement)) return { gone: true }
  focus(el)
  const was = el.value
  setValue(el, wanted)
  const { value } = el // the browser's own way to write it, or nothing
  const fits = wanted === '' || (el.type === 'color' ? CSS.supports('color', wanted) : value !== '')
  if (value !== was) announce(el)
  return { value, fits, step: Number(el.step) || 1 }
}

export const seen = (el: Element): boolean => checkVisibility(el, { visibilityProperty: true })

const isField = (el: Element): el is HTMLInputElement | HTMLTextAreaElement =>
  el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement

// ready puts the cursor into a field and selects what is there.
export function ready(id: number): Gone | { focused: boolean; gone: boolean; shown: boolean } {
  const el = cove.get(id)
  if (!el) return { gone: true }
  const editable = isEditableHere(el)
  scrollIntoView(el, nearest)
  focus(el, { preventScroll: true })
  if (isField(el)) el.select()
  else if (editable) getSelection()?.selectAllChildren(el)
  const focused = within(active(), el) || editable
  return { focused, gone: !isConnected(el), shown: seen(el) }
}

// prepare is kind, and ready where text is to be written.
export function prepare(id: number): Kind {
  const k = kind(id)
  const written = (k.kind === 'text' || k.kind === 'editable') && !k.disabled && !k.readonly
  return written ? { ...k, ready: ready(k.inner || id) } : k
}

// Reading is what an element holds.
export type Reading = { gone?: true; secret?: true; length?: number; value?: string; checked?: boolean }

// read returns what an element holds; of a password only how long it is.
export function read(id: number): Reading {
  const el = cove.get(id)
  if (!el) return { gone: true }
  if (el instanceof HTMLInputElement) {
    return cove.hides(el) ? { secret: true, length: el.value.length } : { value: el.value, checked: el.checked }
  }
  if (el instanceof HTMLTextAreaElement && !editorOf(el)) return { value: el.value, checked: false }
  if (el instanceof HTMLSelectElement) return { value: el.value, checked: false }
  if (isEditableHere(el) || editorOf(el)) return { value: held(el) }
  const text = attrOf(el, 'aria-valuetext') || (textContentOf(el) ?? '')
  return { value: text.replace(/\s+/g, ' ').trim(), checked: attrOf(el, 'aria-checked') === 'true' }
}

// secret returns whether text typed now must not be shown: the focus is in a password field, or in a frame whose fields
// this document cannot see.
export function secret(): boolean {
  const el = active()
  return el !== null && (cove.hides(el) || /^(i?frame|fencedframe|object|embed)$/.test(tagOf(el)))
}

// focused is the element that has the focus, 0 when none has.
export function focused(): number {
  const el = active()
  if (!el) return 0
  const page = el === bodyOf(document) && !isEditableHere(el) && designModeOf(document) !== 'on'
  return page ? 0 : cove.id(el)
}
