// What a person who works in the page from a live view needs of it: what they press, and what they have selected.
import {
  areaValue,
  attrOf,
  clientLeft,
  clientTop,
  closest,
  focus,
  inputType,
  inputValue,
  matches,
  offsetWidth,
  optionLabel,
  optionSelected,
  parentElement,
  rectOf,
  selectIndex,
  tagOf,
} from '../native.ts'
import { cove } from './cove.ts'
import { topmost } from './hit.ts'
import { active, announce } from './value.ts'

// Pointed is what is at a point. A frame has the same point in its own window; a select opens a list.
type Pointed = { id: number; frame?: true; select?: true; x: number; y: number }

const FRAME = /^(i?frame|fencedframe|object|embed)$/

// pointed returns the element at a point of this window.
export function pointed(x: number, y: number): Pointed {
  const el = topmost(x, y)
  if (!el) return { id: 0, x, y }
  if (FRAME.test(tagOf(el))) {
    const r = rectOf(el)
    const style = getComputedStyle(el)
    const scale = el instanceof HTMLElement && offsetWidth(el) > 0 ? r.width / offsetWidth(el) : 1
    const inside = (at: number, from: number, border: number, padding: string) =>
      (at - from) / scale - border - (parseFloat(padding) || 0)
    return {
      id: cove.id(el),
      frame: true,
      x: inside(x, r.left, clientLeft(el), style.paddingLeft),
      y: inside(y, r.top, clientTop(el), style.paddingTop),
    }
  }
  const select = closest(el, 'select')
  const list = select instanceof HTMLSelectElement && !select.multiple && select.size <= 1
  if (list && !matches(select, ':disabled')) return { id: cove.id(select), select: true, x, y }
  return { id: cove.id(el), x, y }
}

// Option is one line of a select's list.
type Option = { text: string; group?: string; disabled?: true; chosen?: true }

const MOST = 1000

// options lists what a select offers.
export function options(id: number): Option[] {
  const el = cove.get(id)
  if (!(el instanceof HTMLSelectElement)) return []
  return [...el.options].slice(0, MOST).map(o => {
    const around = parentElement(o)
    const group = around instanceof HTMLOptGroupElement ? around : null
    return {
      text: optionLabel(o).replace(/\s+/g, ' ').trim(),
      ...(group && { group: attrOf(group, 'label') }),
      ...((o.disabled || group?.disabled) && { disabled: true }),
      ...(optionSelected(o) && { chosen: true }),
    }
  })
}

// pick chooses an option of a select by its place.
export function pick(id: number, index: number): boolean {
  const el = cove.get(id)
  if (!(el instanceof HTMLSelectElement) || !el.options[index] || el.options[index].disabled) return false
  focus(el)
  if (selectIndex(el) !== index) {
    el.selectedIndex = index
    announce(el)
  }
  return true
}

const rangeOf = (el: HTMLInputElement | HTMLTextAreaElement, value: string): string =>
  value.slice(el.selectionStart ?? 0, el.selectionEnd ?? 0)

// selection returns the selected text. Of a password there is none.
export function selection(): string {
  const el = active()
  if (el && (cove.hides(el) || FRAME.test(tagOf(el)))) return ''
  if (el instanceof HTMLTextAreaElement) return rangeOf(el, areaValue(el))
  if (el instanceof HTMLInputElement) return inputType(el) === 'password' ? '' : rangeOf(el, inputValue(el))
  return getSelection()?.toString() ?? ''
}
