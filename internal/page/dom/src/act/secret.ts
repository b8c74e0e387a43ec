// Secrets: written by script into the very document that they are for.
import { focus, isConnected, isInput, matches, method, queryAll, rootOf, scrollIntoView } from '../native.ts'
import { cove } from './cove.ts'
import { announce, nearest, setValue, TEXT } from './value.ts'

const command = method(Document, 'execCommand')

export const origin = (): string => self.origin

type Filled = { gone?: true; elsewhere?: true; unfit?: true; disabled?: true; readonly?: true; length?: number }

// fillSecret writes a secret into a field of this very document, if it is of the origin that the secret is for. It is
// done here and not with keys, which would go wherever the focus is by then. The field shows dots from now on, whatever
// type it has or gets.
export function fillSecret(id: number, value: string, wanted: string): Filled {
  const el = cove.get(id)
  if (!el) return { gone: true }
  if (origin() !== wanted) return { elsewhere: true }
  if (!(el instanceof HTMLInputElement) || !TEXT.has(el.type)) return { unfit: true }
  if (matches(el, ':disabled')) return { disabled: true }
  if (el.readOnly) return { readonly: true }
  const row = boxes(el, value)
  if (!row) {
    writeSecret(el, value, wanted)
    return { length: el.value.length }
  }
  row.forEach((box, i) => writeSecret(box, value.charAt(i), wanted))
  return { length: row.reduce((sum, box) => sum + box.value.length, 0) }
}

// writeSecret writes a secret into a field, unless the field or the document is gone by then.
function writeSecret(el: HTMLInputElement, value: string, wanted: string): void {
  cove.conceal(el)
  el.style.setProperty('-webkit-text-security', 'disc', 'important')
  scrollIntoView(el, nearest)
  focus(el, { preventScroll: true })
  el.select()
  try {
    command(document, 'insertText', false, value)
  } catch {
    // written below
  }
  if (el.value !== value && isConnected(el) && origin() === wanted) {
    setValue(el, value)
    announce(el)
  }
}

// boxes returns the fields of a row, from el on, that take one character of the value each; null where el takes it
// whole.
function boxes(el: HTMLInputElement, value: string): HTMLInputElement[] | null {
  if (el.maxLength !== 1 || value.length < 2) return null
  const all = [...queryAll(rootOf(el), 'input')].filter((e): e is HTMLInputElement => isInput(e) && takesOne(e))
  const at = all.indexOf(el)
  return at >= 0 && all.length - at >= value.length ? all.slice(at, at + value.length) : null
}

const takesOne = (el: HTMLInputElement): boolean =>
  TEXT.has(el.type) && el.maxLength === 1 && !matches(el, ':disabled') && !el.readOnly
