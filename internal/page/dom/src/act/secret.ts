// Secrets: written by script into the very document that they are for.
import {
  clientWidth,
  dispatch,
  focus,
  isConnected,
  isInput,
  matches,
  method,
  queryAll,
  rootOf,
  scrollIntoView,
} from '../native.ts'
import { cove } from './cove.ts'
import { active, announce, nearest, setValue, TEXT } from './value.ts'

const command = method(Document, 'execCommand')

const origin = (): string => self.origin

type Filled = {
  origin?: string
  gone?: true
  elsewhere?: true
  unfit?: true
  disabled?: true
  readonly?: true
  length?: number
}

// fillSecret writes a secret into a field of this very document, if it is of the origin that the secret is for. It is
// done here and not with keys, which would go wherever the focus is by then. The field shows dots from now on, whatever
// type it has or gets. With typed it goes where the cursor is, and what the field holds stays.
export function fillSecret(id: number, value: string, wanted: string, typed: boolean): Filled {
  const el = cove.get(id)
  const refused = refusal(el, wanted)
  if (refused) return refused
  const field = el as HTMLInputElement
  const before = typed ? field.value : ''
  writeSecret(field, value, wanted, before)
  if (before === '') return { length: field.value.length }
  return { length: field.value.includes(value) ? value.length : -1 }
}

// secretField tells of which origin a field is, and why a secret cannot be written into it.
export const secretField = (id: number): Filled => ({ ...refusal(cove.get(id), origin()), origin: origin() })

// refusal is why a secret cannot be written into an element.
function refusal(el: Element | null | undefined, wanted: string): Filled | null {
  if (!el) return { gone: true }
  if (origin() !== wanted) return { elsewhere: true }
  if (!(el instanceof HTMLInputElement) || !TEXT.has(el.type)) return { unfit: true }
  if (matches(el, ':disabled')) return { disabled: true }
  if (el.readOnly) return { readonly: true }
  return null
}

// row are the fields that take one character of a secret each, and takes what is such a field.
let row: HTMLInputElement[] = []
let takes: (el: Element) => el is HTMLInputElement

// secretBoxes finds the row of fields, from an element on, that takes a secret of this length. It returns how many they
// are: 0 where the element takes the secret whole.
export function secretBoxes(id: number, size: number, code: boolean): number {
  const el = cove.get(id)
  takes = (e): e is HTMLInputElement => isInput(e) && (takesOne(e) || (code && isNarrow(e)))
  row = el && takes(el) ? boxes(el, size) : []
  return row.length
}

// fillBox writes one character of a secret into its field. The page may have drawn the row anew after the one before:
// then it is the field that has the focus.
export function fillBox(at: number, character: string, wanted: string): Filled {
  const now = active()
  const field = row[at] && isConnected(row[at]) ? row[at] : now && takes(now) && now.value === '' ? now : null
  const refused = refusal(field, wanted)
  if (!field || refused) return refused ?? { gone: true }
  row[at] = field
  if (key(field, 'keydown', character)) writeSecret(field, character, wanted)
  key(field, 'keyup', character)
  concealBoxes()
  return { length: row.reduce((sum, one) => sum + (isConnected(one) ? one.value.length : 1), 0) }
}

// concealBoxes hides the row, also where the page has drawn it anew.
export function concealBoxes(): void {
  const within = row.find(one => isConnected(one))
  for (const el of queryAll(within ? rootOf(within) : document, 'input')) if (takes(el)) conceal(el)
}

// conceal makes a field show dots from now on, to agents and in pictures.
function conceal(el: HTMLInputElement): void {
  cove.conceal(el)
  el.style.setProperty('-webkit-text-security', 'disc', 'important')
}

// key tells the page of a key, as some rows of fields need it. It returns false where the page has taken it.
function key(el: Element, type: string, character: string): boolean {
  const keyCode = character.toUpperCase().charCodeAt(0)
  const code = /\d/.test(character) ? `Digit${character}` : ''
  const event = { key: character, code, keyCode, which: keyCode, bubbles: true, cancelable: true, composed: true }
  return dispatch(el, new KeyboardEvent(type, event))
}

// writeSecret writes a secret into a field, unless the field or the document is gone by then. It replaces what the
// field holds, unless that is before.
function writeSecret(el: HTMLInputElement, value: string, wanted: string, before = ''): void {
  conceal(el)
  scrollIntoView(el, nearest)
  focus(el, { preventScroll: true })
  if (before === '') el.select()
  try {
    command(document, 'insertText', false, value)
  } catch {
    // written below
  }
  const taken = before === '' ? el.value === value : el.value !== before
  if (!taken && isConnected(el) && origin() === wanted) {
    setValue(el, before + value)
    announce(el)
  }
}

// boxes returns the fields of a row, from el on, that take one character of a secret each; none where el takes it
// whole.
function boxes(el: HTMLInputElement, size: number): HTMLInputElement[] {
  const all = [...queryAll(rootOf(el), 'input')].filter(takes)
  const at = all.indexOf(el)
  return size > 1 && all.length - at >= size ? all.slice(at, at + size) : []
}

const writable = (el: HTMLInputElement): boolean => TEXT.has(el.type) && !matches(el, ':disabled') && !el.readOnly

const takesOne = (el: HTMLInputElement): boolean => writable(el) && el.maxLength === 1

// isNarrow: no code has room in it, so it is for one digit, also where more can be pasted into the first of a row.
const isNarrow = (el: HTMLInputElement): boolean => writable(el) && clientWidth(el) > 0 && clientWidth(el) < 72
