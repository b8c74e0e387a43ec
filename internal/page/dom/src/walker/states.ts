// Description, value, states, and whether one can act on an element.
import {
  OPAQUE,
  hidesItsText,
  isRendered,
  isSpecial,
  mayHaveStates,
  pass,
  referenced,
  styleOf,
  topModal,
} from './dom.ts'
import {
  collapse,
  contentOfReference,
  controls,
  measured,
  measuredValue,
  optionText,
  rawText,
  typedInto,
} from './names.ts'
import {
  areaFault,
  areaValue,
  attr,
  attrOf,
  byTagIn,
  checkVisibility,
  describedByElements,
  firstElementChild,
  has,
  inputChecked,
  inputFault,
  inputIndeterminate,
  inputType,
  inputValue,
  isContentEditable,
  isHTML,
  isInput,
  labelControl,
  matches,
  optionSelected,
  parentNode,
  rectOf,
  selectFault,
  selectedOptions,
  set,
  tagOf,
  words,
} from '../native.ts'
import { isDisabled, roleOf } from './roles.ts'
import { walking } from './walk.ts'
import { hasListener } from './zones.ts'

// ---- Description, value, states -----------------------------------------------------------------------------------

// States are what an agent should know of an element beyond its name.
export type States = Record<string, string | number | boolean | undefined>

// descriptionOf is what is said beside the name, '' where that would only repeat it.
export function descriptionOf(el: Element, name: string) {
  if (!isSpecial(el)) return ''
  let text = referenced(el, 'aria-describedby', describedByElements).map(contentOfReference).filter(Boolean).join(' ')
  text ||= attrOf(el, 'aria-description').trim()
  text ||= collapse(attrOf(el, 'title'))
  return text === name ? '' : text
}

// valueOf is a control's value; undefined where there is none to tell, and always for passwords.
export function valueOf(el: Element, role: string): string | undefined {
  if (!controls.has(role)) return undefined
  if (isInput(el)) return valueOfInput(el, inputType(el))
  if (el instanceof HTMLTextAreaElement) return areaValue(el)
  if (el instanceof HTMLSelectElement)
    return role === 'combobox' ? Array.from(selectedOptions(el), optionText).join(', ') : undefined
  if (measured.has(role)) return measuredValue(el) || attr(el, 'aria-valuenow') || undefined
  if (isEditable(el) && (typedInto.has(role) || role === 'combobox')) return collapse(rawText(el))
  return undefined
}

// concealed are fields whose value nobody is told any more: they were once for a password, or hold a secret of the
// person's.
export const concealed = new WeakSet<Node>()

// fieldKind is what an input is for: a password, a code or a payment; '' for none of these.
export function fieldKind(el: Node): string {
  if (!isInput(el)) return ''
  return sensitive.field(attrOf(el, 'type'), attrOf(el, 'autocomplete'), attrOf(el, 'name'), attrOf(el, 'id'))
}

// hides: the value of this field is not told. A page that shows a password as text does not make it less of one.
export function hides(el: Node): boolean {
  if (!isInput(el)) return false
  if (concealed.has(el)) return true
  let hidden = pass ? pass.hiding.get(el) : undefined
  if (hidden === undefined) {
    hidden = sensitive.hidden(fieldKind(el)) || isDots(el)
    if (pass) pass.hiding.set(el, hidden)
    if (hidden) concealed.add(el)
  }
  return hidden
}

// isDots: what is typed is drawn as dots, whatever the field calls itself.
function isDots(el: Element) {
  return (
    typedTypes.has(inputType(el)) && inputValue(el) !== '' && !/^(none)?$/.test(getComputedStyle(el).webkitTextSecurity)
  )
}
const typedTypes = set('text search tel url email number')

function valueOfInput(el: Element, type: string) {
  if (hides(el)) return undefined
  switch (type) {
    case 'password':
    case 'hidden':
    case 'checkbox':
    case 'radio':
    case 'button':
    case 'submit':
    case 'reset':
    case 'image':
      return undefined
    case 'file':
      return inputValue(el).replace(/^.*[\\/]/, '') || 'No file chosen'
  }
  return inputValue(el)
}

const checkable = set('checkbox radio switch menuitemcheckbox menuitemradio option treeitem')
const popups = set('menu listbox tree grid dialog')
const politeness = new Map(Object.entries({ alert: 'assertive', status: 'polite', log: 'polite' }))

// statesOf is what an agent should know of an element beyond its name, in the words of the accessibility tree.
export function statesOf(el: Element, role: string, active: Element | null): States {
  const s: States = {}
  if (el === active) s.focusable = s.focused = true
  const html = isHTML(el),
    tag = tagOf(el)
  if (role === 'heading') s.level = Number(attr(el, 'aria-level')) || Number(/^h([1-6])$/.exec(tag)?.[1]) || 2
  if (controls.has(role) || typedInto.has(role)) {
    if (isDisabled(el)) s.disabled = true
    if (html) controlStates(el, role, tag, s)
  }
  const parent = parentNode(el)
  if (tag === 'summary' && role === 'DisclosureTriangle' && parent) expands(s, has(parent, 'open'))
  const polite = politeness.get(role)
  if (polite) liveStates(role, polite, s)
  if (tag === 'dialog' && el === topModal()) s.modal = true
  if (mayHaveStates(el)) ariaStates(el, role, s)
  return s
}

function expands(s: States, open: boolean) {
  s.expandable = true
  if (open) s.expanded = true
}

function controlStates(el: Element, role: string, tag: string, s: States) {
  if (tag === 'input' && isInput(el)) inputStates(el, role, inputType(el), s)
  else if (tag === 'textarea') s.multiline = true
  else if (tag === 'option' && el instanceof HTMLOptionElement && optionSelected(el)) s.selected = true
  else if (tag === 'select') {
    if (role === 'combobox') {
      expands(s, false)
      s.haspopup = 'menu'
    } else {
      s.orientation = 'vertical'
    }
    if (has(el, 'multiple')) s.multiselectable = true
  } else if (tag === 'progress' || tag === 'meter') {
    s.valuemin = Number(attr(el, 'min')) || 0
    s.valuemax = Number(attr(el, 'max')) || 1
  }
  if (tag === 'input' || tag === 'textarea' || tag === 'select') {
    if (has(el, 'required')) s.required = true
    if (has(el, 'readonly')) s.readonly = true
    if (matches(el, ':user-invalid')) s.invalid = whyInvalid(el, tag)
  }
}

// whyInvalid is what the browser would tell the person about a field.
function whyInvalid(el: Element, tag: string) {
  return (tag === 'input' ? inputFault : tag === 'select' ? selectFault : areaFault)(el) || 'true'
}

function inputStates(el: Element, role: string, type: string, s: States) {
  if (type === 'checkbox' || type === 'radio') {
    if (inputIndeterminate(el)) s.checked = 'mixed'
    else if (inputChecked(el)) s.checked = true
  } else if (type === 'range') {
    s.orientation = 'horizontal'
    s.valuemin = Number(attr(el, 'min')) || 0
    s.valuemax = has(el, 'max') ? Number(attr(el, 'max')) : 100
  } else if (type === 'number') {
    if (has(el, 'min')) s.valuemin = Number(attr(el, 'min'))
    if (has(el, 'max')) s.valuemax = Number(attr(el, 'max'))
  } else if (type === 'file') {
    if (has(el, 'multiple')) s.multiselectable = true
  } else if (role === 'combobox' && has(el, 'list')) {
    s.autocomplete = 'list'
    s.haspopup = 'menu'
  }
}

function liveStates(role: string, polite: string, s: States) {
  s.live = polite
  if (role !== 'log') s.atomic = true
  s.relevant = 'additions text'
}

function ariaStates(el: Element, role: string, s: States) {
  if (attr(el, 'aria-disabled') === 'true') s.disabled = true
  if (attr(el, 'aria-busy') === 'true') s.busy = true
  if (attr(el, 'aria-required') === 'true') s.required = true
  if (attr(el, 'aria-readonly') === 'true') s.readonly = true
  if (attr(el, 'aria-selected') === 'true') s.selected = true
  if (attr(el, 'aria-multiselectable') === 'true') s.multiselectable = true
  if (attr(el, 'aria-multiline') === 'true') s.multiline = true
  if (attr(el, 'aria-modal') === 'true') s.modal = true
  if (has(el, 'aria-expanded')) expands(s, attr(el, 'aria-expanded') === 'true')
  const checked = checkable.has(role) && !isInput(el) && attr(el, 'aria-checked')
  if (checked === 'true') s.checked = true
  if (attr(el, 'aria-checked') === 'mixed' && checkable.has(role)) s.checked = 'mixed'
  const pressed = attr(el, 'aria-pressed')
  if (pressed === 'true') s.pressed = true
  if (pressed === 'mixed') s.pressed = 'mixed'
  const popup = attr(el, 'aria-haspopup')
  if (popup && popup !== 'false') s.haspopup = popups.has(popup) ? popup : 'menu'
  const invalid = attr(el, 'aria-invalid')
  if (invalid && invalid !== 'false') s.invalid = invalid
  const live = attr(el, 'aria-live')
  if (live && live !== 'off') s.live = live
  const sort = attr(el, 'aria-sort')
  if (sort === 'ascending' || sort === 'descending') s.sort = sort
  const current = attr(el, 'aria-current')
  if (current && current !== 'false') s.current = current
  for (const name of [
    'level',
    'valuemin',
    'valuemax',
    'valuetext',
    'autocomplete',
    'orientation',
    'roledescription',
    'keyshortcuts',
  ]) {
    const value = attr(el, 'aria-' + name)
    if (value) s[name] = value
  }
}

// typedIntoOnly: nothing but this says that text goes into it.
export const typedIntoOnly = (el: Element, role: string) =>
  !typedInto.has(role) && role !== 'combobox' && isSpecial(el) && isEditable(el)

// ---- What one can act on ------------------------------------------------------------------------------------------

const acted = set(`button checkbox ColorWell combobox Date DateTime DisclosureTriangle InputTime link listbox menuitem
  menuitemcheckbox menuitemradio option radio scrollbar searchbox slider spinbutton switch tab textbox treeitem`)

export function isEditable(el: Element) {
  return has(el, 'contenteditable') && el instanceof HTMLElement && isContentEditable(el)
}

// isActedOn: by its role or what its attributes say. Clickable boxes without either are found by their cursor.
export function isActedOn(el: Element, role: string) {
  if (acted.has(role)) return true
  if (!isSpecial(el)) return false
  if (has(el, 'onclick') || attr(el, 'draggable') === 'true' || isEditable(el) || isNativeControl(el)) return true
  if (!has(el, 'tabindex')) return false
  const index = parseInt(attrOf(el, 'tabindex'), 10)
  return index >= 0 ? !isScrollerOnly(role) : index < 0 && reachedByArrows.has(role)
}

// In a grid one cell has tabindex=0 and the arrow keys go to the others.
const reachedByArrows = set('gridcell columnheader rowheader row cell')

const nativeControls = set('button input select textarea')

// isNativeControl: a button stays one whatever role the page gives it, as calendars make their days cells.
function isNativeControl(el: Element) {
  const tag = tagOf(el)
  return isHTML(el) && (nativeControls.has(tag) ? roleOf(el) !== 'none' : tag === 'a' && has(el, 'href'))
}

// mayBeActedOn: the cells of a widget, unless all that is in one is something to act on. A grid is used cell by cell; a
// table is read.
export function mayBeActedOn(el: Element, role: string) {
  if (role === 'gridcell') return true
  return (role === 'columnheader' || role === 'rowheader') && has(el, 'aria-sort')
}

// Dialogs and panels are focusable to hold the keyboard, not to be used.
const isScrollerOnly = (role: string): boolean =>
  role === 'dialog' || role === 'alertdialog' || role === 'tabpanel' || role === 'main'

// hiddenControl is the control that people reach only through this label.
export function hiddenControl(label: Element) {
  const control = label instanceof HTMLLabelElement ? labelControl(label) : null
  if (!control) return null
  if (!isRendered(control)) return control
  if (!checkVisibility(control, OPAQUE)) return control
  const r = rectOf(control)
  return r.width <= 1 || r.height <= 1 || r.right + scrollX <= 0 ? control : null
}

// ---- What nobody sees, and what has no name -----------------------------------------------------------------------

// isSpeck: a box with nothing in it that is told, and too small to be clicked, or only there to hold or to be pulled.
export function isSpeck(el: Element, role: string) {
  if (role !== 'generic' && role !== 'none') return false
  const r = rectOf(el),
    least = hasListener(el, role) && styleOf(el).cursor !== 'pointer' ? 10 : 3
  return r.width < least || r.height < least || byTagIn(el, '*').length > MOST_IN_ICON
}

const MOST_IN_ICON = 12

// isTiny: kept for the browser's sake where nobody can see it, as the native select behind a drawn one is.
export function isTiny(el: Element) {
  const r = rectOf(el),
    style = styleOf(el)
  return r.width <= 4 || r.height <= 4 || hidesItsText(el, style, style.display)
}

// isUnseen: a select that nobody sees and the keyboard does not reach, or a field that nobody sees or can type into:
// what a drawn control keeps for forms and for the focus.
export function isUnseen(el: Element, tag: string, role: string) {
  if (tag === 'select') return attr(el, 'tabindex') === '-1' && (walking.hush > 0 || isTiny(el))
  return role === 'textbox' && has(el, 'readonly') && walking.hush > 0 && el !== walking.active
}

// lookOf is what the style sheet calls an element that has no name at all, or what is in it: for an icon that is the
// only word there is.
export function lookOf(el: Element) {
  const names: string[] = []
  for (let e: Element | null = el, n = 0; e && n < 3; e = firstElementChild(e), n++) {
    let best = ''
    for (const name of words(attr(e, 'class')).concat(signs.map(sign => attrOf(e, sign)))) {
      if (
        name.length <= 40 &&
        /[a-z]{3}/i.test(name) &&
        !/^(css|sc|jsx|svelte)-|\d{3}/.test(name) &&
        weight(name) > weight(best)
      )
        best = name
    }
    if (best && !names.includes(best)) names.push(best)
  }
  return names.length ? names.slice(-2).join(' ') : undefined
}

const signs = ['data-direction', 'data-action', 'data-icon', 'data-testid']
const telling = new RegExp(
  'icon|arrow|prev|next|clos|clear|remove|delete|trash|edit|expand|collaps|toggle|switch|menu|search|control|left|' +
    'right|up|down|add|plus|minus',
  'i',
)
const weight = (name: string) => (name === '' ? 0 : name.length + (telling.test(name) ? 100 : 0))
