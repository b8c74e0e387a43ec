// How an element takes a value: what kind it is, and how kinds other than text are set.
import {
  activeIn,
  activeInShadow,
  attrOf,
  closest,
  dispatch,
  editContextOf,
  focus,
  has,
  innerTextOf,
  isEditableHere,
  matches,
  parentElement,
  queryAllIn,
  queryIn,
  rectOf,
  scrollIntoView,
  setter,
  textContentOf,
} from '../native.ts'
import { cove } from './cove.ts'
import { within } from './tree.ts'

export const setValue = setter(HTMLInputElement, 'value')

// announce tells the page of a value that a script has set.
export function announce(el: Element): void {
  dispatch(el, new Event('input', { bubbles: true, composed: true }))
  dispatch(el, new Event('change', { bubbles: true }))
}

export const nearest: ScrollIntoViewOptions = { block: 'nearest', inline: 'nearest', behavior: 'instant' }

const SET = new Set(['date', 'time', 'datetime-local', 'month', 'week', 'range', 'color'])
export const TEXT = new Set(['text', 'search', 'url', 'tel', 'email', 'password', 'number'])

// active is the innermost element that has the focus.
export function active(): Element | null {
  let el = activeIn(document)
  for (let root = el && cove.root(el); root; root = el && cove.root(el)) {
    const inner = activeInShadow(root)
    if (!inner) break
    el = inner
  }
  return el
}

// editorOf is the code editor that a field only takes the keys for: what it holds is drawn elsewhere, in lines.
export const editorOf = (el: Element): Element | null =>
  closest(el, '.ace_editor, .CodeMirror, .cm-editor, .monaco-editor')

const LINES = '.ace_line, .CodeMirror-line, .view-line, .cm-line'

const linesOf = (editor: Element): string =>
  [...queryAllIn(editor, LINES)]
    .map((line): [number, Element] => [rectOf(line).top, line])
    .sort((a, b) => a[0] - b[0])
    .map(([, line]) => (textContentOf(line) ?? '').replace(/\u200b/g, '').replace(/\u00a0/g, ' '))
    .join('\n')

// held is the text in an editable element or in a code editor.
export function held(el: Element): string {
  const editor = editorOf(el)
  if (editor) return linesOf(editor)
  return el instanceof HTMLElement ? innerTextOf(el).replace(/\n$/, '') : ''
}

type Gone = { gone: true }

type Steps = {
  now: number | null
  min: number | null
  max: number | null
  text: string
  focused: boolean
  upright: boolean
}

// steps returns where a slider or spinbutton of the page's own making stands, and puts the focus there.
export function steps(id: number, focused: boolean): Gone | Steps {
  const el = cove.get(id)
  if (!el) return { gone: true }
  if (focused) {
    scrollIntoView(el, nearest)
    focus(el, { preventScroll: true })
  }
  const number = (name: string) => {
    const v = parseFloat(attrOf(el, name))
    return Number.isFinite(v) ? v : null
  }
  return {
    now: number('aria-valuenow'),
    min: number('aria-valuemin'),
    max: number('aria-valuemax'),
    text: attrOf(el, 'aria-valuetext'),
    focused: within(active(), el),
    upright: attrOf(el, 'aria-orientation') === 'vertical',
  }
}

// branch puts the focus on a branch of a tree and tells whether it is open.
export function branch(id: number): Gone | { checked: boolean; focused: boolean } {
  const el = cove.get(id)
  if (!el) return { gone: true }
  const own = (n: Element | null) => n !== null && closest(n, '[role=treeitem]') === el // not a branch inside of it
  if (!own(active())) focus(el)
  const inner = own(active()) ? undefined : [...queryAllIn(el, 'a[href], button, [tabindex]')].find(own)
  if (inner) focus(inner)
  return { checked: attrOf(el, 'aria-expanded') === 'true', focused: own(active()) }
}

const LISTS = '[role=combobox], [aria-haspopup=listbox], [aria-haspopup=tree], [aria-haspopup=grid]'

// opens: a press on the field shows a list to choose from.
function opens(el: Element): boolean {
  const around = parentElement(el)
  return matches(el, LISTS) || (!!around && !!closest(around, '[role=combobox], [aria-haspopup=listbox]'))
}

// Kind is how an element takes a value.
export type Kind = {
  kind: string
  disabled?: boolean
  readonly?: boolean
  type?: string
  checked?: boolean
  multiple?: boolean
  multiline?: boolean
  editable?: boolean
  code?: boolean
  list?: boolean // a list to choose from comes with it
  now?: string
  field?: number
  inner?: number
  ready?: object
}

function inputKind(el: HTMLInputElement, readonly: boolean): Kind {
  const { type } = el
  if (type === 'checkbox' || type === 'radio') return { kind: 'check', type, checked: el.checked }
  if (type === 'file') return { kind: 'file' }
  if (SET.has(type)) return { kind: 'set', type }
  if (!TEXT.has(type)) return { kind: 'none', type }
  if (readonly && opens(el)) return { kind: 'combobox' }
  return { kind: 'text', type, now: cove.hides(el) ? el.value && '•' : el.value, list: opens(el) }
}

const CHECKED = ['checkbox', 'switch', 'menuitemcheckbox', 'radio', 'menuitemradio']
const INNER = 'input:not([type=hidden]), textarea, select, [contenteditable=""], [contenteditable=true]'

// roleKind is the kind of what is no control of the browser's own.
function roleKind(el: Element, role: string): Kind {
  const editable = isEditableHere(el)
  if (role === 'treeitem' && has(el, 'aria-expanded')) {
    return { kind: 'branch', checked: attrOf(el, 'aria-expanded') === 'true' }
  }
  if (role === 'slider' || role === 'spinbutton') return { kind: 'steps', type: role, editable }
  const context = el instanceof HTMLElement && !!editContextOf(el)
  if (editable || context) return { kind: 'editable', now: context ? '' : held(el), code: !!editorOf(el) }
  if (CHECKED.includes(role)) return { kind: 'check', type: role, checked: attrOf(el, 'aria-checked') === 'true' }
  if (role === 'combobox' || role === 'listbox' || attrOf(el, 'aria-haspopup') === 'listbox') {
    return { kind: 'combobox', field: cove.id(queryIn(el, 'input:not([type=hidden]), textarea')) }
  }
  const inner = queryAllIn(el, INNER)
  if (inner.length === 1) return { ...kind(cove.id(inner[0])), inner: cove.id(inner[0]) }
  return { kind: 'none' }
}

// kind returns how an element takes a value.
export function kind(id: number): Kind {
  const el = cove.get(id)
  if (!el) return { kind: 'gone' }
  const written = el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement
  const base = {
    disabled: matches(el, ':disabled') || attrOf(el, 'aria-disabled') === 'true',
    readonly: (written && el.readOnly) || attrOf(el, 'aria-readonly') === 'true',
  }
  if (el instanceof HTMLSelectElement) return { ...base, kind: 'select', multiple: el.multiple }
  if (el instanceof HTMLOptionElement) return { ...base, kind: 'option' }
  if (el instanceof HTMLTextAreaElement) {
    const code = !!editorOf(el)
    return { ...base, kind: 'text', multiline: true, now: code ? held(el) : el.value, code }
  }
  if (el instanceof HTMLInputElement) return { ...base, ...inputKind(el, base.readonly) }
  return { ...base, ...roleKind(el, attrOf(el, 'role').trim().split(/\s+/)[0]) }
}

const shownText = (o: HTMLOptionElement): string => (o.label || o.text).replace(/\s+/g, ' ').trim()
const MOST_OPTIONS = 30

type Choice = {
  gone?: true
  ok?: boolean
  value?: string
  indexes?: number[]
  disabled?: string
  missing?: string
  options?: string[]
  more?: number
  single?: true
}

// optionOf finds an option by its text or its value.
const optionOf = (options: HTMLOptionElement[], wanted: string): HTMLOptionElement | undefined =>
  options.find(o => shownText(o) === wanted) ??
  options.find(o => o.value === wanted) ??
  options.find(o => shownText(o).toLowerCase() === wanted.trim().toLowerCase())

function isOff(option: HTMLOptionElement): boolean {
  const group = parentElement(option)
  return option.disabled || (group instanceof HTMLOptGroupElement && group.disabled)
}

// choose picks options of a select; with only, all others are no longer chosen.
export function choose(id: number, wanted: string[], only: boolean): Choice {
  const el = cove.get(id)
  if (!(el instanceof HTMLSelectElement)) return { gone: true }
  if (wanted.length > 1 && !el.multiple) return { single: true }
  const options = [...el.options]
  const found: HTMLOptionElement[] = []
  for (const one of wanted) {
    const option = optionOf(options, one)
    if (!option) {
      const shown = options.slice(0, MOST_OPTIONS).map(shownText)
      return { missing: one, options: shown, more: Math.max(0, options.length - MOST_OPTIONS) }
    }
    if (isOff(option)) return { disabled: one }
    found.push(option)
  }

  focus(el)
  if (el.multiple) {
    for (const o of options) o.selected = found.includes(o) || (!only && o.selected)
    announce(el)
  } else if (!found[0].selected) {
    el.selectedIndex = found[0].index
    announce(el)
  }
  return { ok: true, value: found.map(shownText).join(', '), indexes: found.map(o => o.index) }
}

// chosen returns whether a select still holds the options that were chosen; with only, no others.
export function chosen(id: number, indexes: number[], only: boolean): Choice {
  const el = cove.get(id)
  if (!(el instanceof HTMLSelectElement)) return { gone: true }
  const all = [...el.selectedOptions]
  const ok = indexes.every(i => all.some(o => o.index === i)) && (!only || all.every(o => indexes.includes(o.index)))
  return { ok, value: all.map(o => o.label || o.text).join(', ') }
}
