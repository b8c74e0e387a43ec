// Names by Accessible Name and Description Computation 1.2 as Chromium implements it.
import {
  idsIn,
  isAriaHidden,
  isRendered,
  isSlot,
  isSpecial,
  kidsOf,
  labelsOf,
  parentOf,
  pass,
  shadowOf,
  styleOf,
} from './dom.ts'
import { allSheets, generated } from './generated.ts'
import {
  ELEMENT,
  HTML,
  SVG,
  TEXT,
  areaValue,
  attr,
  attrOf,
  checkVisibility,
  dataOf,
  firstChild,
  firstElementChild,
  has,
  inputType,
  inputValue,
  isElement,
  isHTML,
  isInput,
  labelControl,
  labelledByElements,
  meterValue,
  namespaceOf,
  nextElementSibling,
  nextSibling,
  nodeType,
  optionLabel,
  progressPosition,
  progressValue,
  queryAllIn,
  rootOf,
  selectedOptions,
  set,
  tagOf,
} from '../native.ts'
import { notThere, roleOf, svgTitle, within } from './roles.ts'
import { hides, isEditable } from './states.ts'

// ---- Names --------------------------------------------------------------------------------------------------------

const namedByContent = set(`button cell checkbox columnheader DisclosureTriangle doc-backlink doc-biblioref doc-glossref
  doc-noteref gridcell heading LayoutTableCell link math menuitem menuitemcheckbox menuitemradio option radio
  rowheader switch
  tab term tooltip treeitem`)
const silentInside =
  set(`alert alertdialog application article Audio banner blockquote combobox complementary contentinfo
  dialog document feed figure form grid group Iframe image listbox log main marquee menu menubar navigation note
  PluginObject
  progressbar radiogroup MathMLMath row rowgroup scrollbar search sectionheader separator status table tablist
  tabpanel timer
  toolbar tree treegrid Video`)
const titleIsNoName =
  set(`code deletion emphasis generic insertion LineBreak mark none paragraph strong subscript suggestion
  superscript time caption definition`)
export const controls =
  set(`button checkbox ColorWell combobox Date DateTime InputTime listbox menuitem menuitemcheckbox
  menuitemradio meter option progressbar radio scrollbar searchbox slider spinbutton switch tab textbox`)
export const typedInto = set('textbox searchbox')
export const measured = set('slider spinbutton progressbar meter scrollbar')

// Not trim: a no-break space belongs to the name.
export function collapse(text: string) {
  if (/[\t\n\r\f]| {2}/.test(text)) text = text.replace(/[ \t\n\r\f]+/g, ' ')
  const from = text.charCodeAt(0) === SPACE ? 1 : 0,
    to = text.length - (text.length > from && text.charCodeAt(text.length - 1) === SPACE ? 1 : 0)
  return from === 0 && to === text.length ? text : text.slice(from, to)
}
const SPACE = 32

// Whether the last text alternative came from an attribute or another element, which sets it off with spaces.
let setOff = false

// Labels that the name being made has said already: each is said once.
let said: Set<Element> | null = null
let naming: Element | null = null // the element that a name is made for
const say = (label: Element): unknown => (said ||= new Set()).add(label)

export function nameOf(el: Element): string {
  let name = pass.names.get(el)
  if (name === undefined) {
    const others = said,
      other = naming
    said = null
    naming = el
    pass.names.set(el, (name = collapse(alternative(el, ROOT))))
    said = others
    naming = other
  }
  return name
}

// shownName is the name for people who read it: without the glyphs of icon fonts, and without an icon's own name beside
// other words. A control in a component that has none is called by the component's label.
export function shownName(el: Element, role: string, acts: boolean) {
  let name = nameOf(el)
  if (/[\ue000-\uf8ff]/.test(name)) name = collapse(name.replace(/[\ue000-\uf8ff]/g, ' '))
  if (acts && namedByContent.has(role) && name.includes('-') && firstElementChild(el)) name = withoutIcons(el, name)
  if (!name && acts && controls.has(role) && rootOf(el) instanceof ShadowRoot)
    name = labelText((rootOf(el) as ShadowRoot).host) || ''
  return name
}

const iconWords = /^[a-z]+(-[a-z]+)+$/

function withoutIcons(el: Element, name: string) {
  for (const icon of queryAllIn(el, '[role=img][class*=icon i][aria-label]')) {
    const word = attrOf(icon, 'aria-label')
    if (iconWords.test(word)) name = collapse(` ${name} `.replace(` ${word} `, ' ')) || name
  }
  return name
}

// otherText is what stands on an element that is called something else: the chosen month on a button "Choose a month".
export function otherText(el: Element, name: string) {
  if (
    isInput(el) ||
    (!(tagOf(el) === 'button' && labelsOf(el)) &&
      !(isSpecial(el) && (has(el, 'aria-label') || has(el, 'aria-labelledby'))))
  )
    return undefined
  const text = collapse(contentOf(el, INSIDE))
  if (
    !text ||
    text.length > LONGEST_TEXT ||
    !/[\p{L}\p{N}]/u.test(text) ||
    /^[a-z_]+$/.test(text) ||
    iconWords.test(text)
  )
    return undefined
  return name.toLowerCase().includes(text.toLowerCase()) ? undefined : text
}

const LONGEST_TEXT = 60

// textIn is what an element without a name is called by agents: its text.
export const textIn = (el: Element) => collapse(alternative(el, REFERRED, true))

// How an element is come to: as the one to be named, as part of another's content, or through a reference; hidden says
// that the reference led into something hidden, all of which then counts.
type How = { inside: boolean; referred: boolean; hidden: boolean; reference?: boolean; label?: boolean }

const ROOT: How = { inside: false, referred: false, hidden: false }
const INSIDE: How = { inside: true, referred: false, hidden: false }
const INSIDE_REFERENCE: How = { inside: true, referred: false, hidden: false, reference: true }
const LABEL: How = { inside: true, referred: true, hidden: false, label: true }
const INSIDE_LABEL: How = { inside: true, referred: false, hidden: false, reference: true, label: true }
const REFERRED: How = { inside: true, referred: true, hidden: false }
const REFERRED_HIDDEN: How = { inside: true, referred: true, hidden: true }

let depth = 0

// beginNames forgets what an earlier call has left.
export function beginNames(): void {
  depth = 0
  asking = null
}

function alternative(el: Element, how: How, first = false): string {
  if (depth > 60) return ''
  depth++
  setOff = true
  let text = ownName(el, how, first)
  if (text === null) text = contentOrTitle(el, how, first)
  else setOff = true
  depth--
  return text
}

function contentOrTitle(el: Element, how: How, first: boolean): string {
  const role = roleOf(el)
  let text = ''
  const speaking = first || speaks(el, role, how)
  if (speaking) text = contentOf(el, how)
  setOff = false
  if (!isBlank(text) || !isSpecial(el) || !has(el, 'title')) return text
  if (titleIsNoName.has(role) && !first) return text
  const title = attrOf(el, 'title')
  if (isBlank(title)) return text
  setOff = true
  return title
}

// speaks: its content is its name, or part of the name of what it stands in.
function speaks(el: Element, role: string, how: How) {
  if (namedByContent.has(role)) return !(isInput(el) || (role === 'heading' && !how.inside && isEditable(el)))
  if ((role === 'row' || role === 'rowgroup') && how.reference) return true
  if (role === 'row') return !how.inside && within(el, 'grid', 'treegrid', 'rowgroup') && isGridRow(el)
  if (!how.inside) return false
  if (role === 'group') return ['details', 'address'].includes(tagOf(el))
  if (role === 'contentinfo') return tagOf(el) === 'footer'
  return !silentInside.has(role)
}

function isGridRow(el: Element) {
  for (let e = parentOf(el); e; e = parentOf(e)) {
    const role = roleOf(e)
    if (role === 'grid' || role === 'treegrid') return true
    if (role === 'table') return false
  }
  return false
}

// ownName is the name by aria-labelledby, aria-label or what the element's language gives it; null without one.
function ownName(el: Element, how: How, first: boolean): string | null {
  const plain = !isSpecial(el)
  if (!plain && !how.referred && (!how.reference || how.label)) {
    // a reference is not followed from within another
    const refs = references(el)
    if (refs.length) {
      const text = refs.map(contentOfReference).filter(Boolean).join(' ')
      if (text) return text
    }
  }
  const role = roleOf(el)
  if (how.inside && controls.has(role) && el !== naming) {
    // for itself it is no control in the middle of a label
    const value = embeddedValue(el, role, first)
    if (value !== null) return value
  }
  if (!plain) {
    const label = attr(el, 'aria-label')
    if (label?.trim()) return label
  }
  if (role === 'none' && !how.inside) return null
  const name = nativeName(el, role, how)
  return name === null && how.referred && el === naming && typedInto.has(role) ? embeddedValue(el, role, first) : name
}

export function references(el: Element): readonly Element[] {
  if (has(el, 'aria-labelledby')) return labelledByElements(el) || []
  if (!has(el, 'aria-labeledby')) return []
  return idsIn(rootOf(el), attr(el, 'aria-labeledby'))
}

export function contentOfReference(ref: Element): string {
  const saved = depth
  if (tagOf(ref) === 'label') say(ref)
  const text = collapse(alternative(ref, isRendered(ref) ? REFERRED : REFERRED_HIDDEN, true))
  depth = saved
  return text
}

// embeddedValue is what a control says where it stands in the middle of a label.
function embeddedValue(el: Element, role: string, first: boolean): string | null {
  if (typedInto.has(role)) {
    if (isInput(el)) return hides(el) ? '' : inputValue(el)
    if (el instanceof HTMLTextAreaElement) return areaValue(el)
    return null
  }
  if (role === 'combobox' || role === 'listbox') {
    if (el instanceof HTMLSelectElement) return Array.from(selectedOptions(el), optionText).join(' ')
    if (isInput(el)) return hides(el) ? '' : inputValue(el)
    const chosen = Array.from(queryAllIn(el, '[role=option][aria-selected=true]'), nameOf).join(' ')
    return chosen || (first ? null : '')
  }
  if (measured.has(role)) {
    const value = attr(el, 'aria-valuetext') || attr(el, 'aria-valuenow') || measuredValue(el)
    if (value !== '') return value
    if (role === 'progressbar') return null
    return role === 'slider' || role === 'scrollbar' ? '50' : '0'
  }
  return null
}

export function measuredValue(el: Element) {
  if (isInput(el)) return inputValue(el)
  if (el instanceof HTMLProgressElement) return progressPosition(el) < 0 ? '' : String(progressValue(el))
  if (el instanceof HTMLMeterElement) return String(meterValue(el))
  return ''
}

export const optionText = (el: Element): string => optionLabel(el) || collapse(rawText(el))

function nativeName(el: Element, role: string, how: How): string | null {
  const ns = namespaceOf(el)
  if (ns === SVG) return svgTitle(el) || attr(el, 'xlink:title') || null
  if (ns !== HTML) return null
  if (typedInto.has(role) && isSpecial(el) && has(el, 'aria-placeholder') && !has(el, 'placeholder') && !isInput(el))
    return titleOrPlaceholder(el)
  const tag = tagOf(el)
  switch (tag) {
    case 'span':
    case 'div':
    case 'a':
      return null
    case 'input':
      return inputName(el)
    case 'button':
    case 'select':
    case 'textarea':
    case 'meter':
    case 'progress':
    case 'output': {
      const label = labelText(el)
      if (label !== null) return label
      return tag === 'textarea' ? titleOrPlaceholder(el) : null
    }
    case 'img':
      return has(el, 'alt') ? attr(el, 'alt') : null
    case 'area':
      return attr(el, 'alt') || null
    case 'option':
      return optionText(el)
    case 'optgroup':
      return attrOf(el, 'label')
    case 'fieldset':
      return childText(el, 'legend', how)
    case 'table':
      return childText(el, 'caption', how) ?? attr(el, 'summary')
    case 'abbr':
      return how.inside ? null : attr(el, 'title')
  }
  return null
}

function childText(el: Element, tag: string, how: How) {
  for (let e = firstElementChild(el); e; e = nextElementSibling(e)) {
    if (tagOf(e) !== tag) continue
    return isHiddenFromNames(e) && !how.hidden ? null : contentOf(e, INSIDE)
  }
  return null
}

function inputName(el: Element) {
  const type = inputType(el)
  const label = labelText(el)
  if (label !== null) return label
  switch (type) {
    case 'submit':
    case 'reset':
      return attr(el, 'value') ?? (type === 'submit' ? 'Submit' : 'Reset')
    case 'button':
      return attr(el, 'value') || null
    case 'image':
      return attr(el, 'alt') || attr(el, 'value') || attr(el, 'title') || 'Submit'
    case 'file':
      return 'Choose File'
    case 'checkbox':
    case 'radio':
    case 'range':
    case 'color':
      return null
  }
  return titleOrPlaceholder(el)
}

function titleOrPlaceholder(el: Element) {
  return attr(el, 'title') || attr(el, 'placeholder') || attr(el, 'aria-placeholder') || null
}

// labelText is null without a label; an empty label is a name, an empty one.
function labelText(el: Element): string | null {
  let labels = labelsOf(el)
  const spoken = said
  if (labels && spoken) labels = labels.filter(label => !spoken.has(label))
  if (!labels?.length) return null
  const saved = asking
  asking = el
  const texts = labels
    .filter(label => !isHiddenFromNames(label))
    .map(label => collapse(alternative(label, LABEL, true)))
  asking = saved
  return texts.filter(Boolean).join(' ')
}

// textOfLabel is what a label says for a control that people cannot see.
export function textOfLabel(label: Element) {
  asking = label instanceof HTMLLabelElement ? labelControl(label) : null
  const text = textIn(label)
  asking = null
  return text
}

// The control whose label is being read: it is no part of its own name.
export let asking: Element | null = null

function isHiddenFromNames(el: Element) {
  if (isSpecial(el) && isAriaHidden(el)) return true
  if (isRendered(el)) return false
  const parent = parentOf(el)
  return !(parent && tagOf(parent) === 'canvas')
}

function contentOf(el: Element, how: How): string {
  const child = firstChild(el),
    shadow = shadowOf(el) // its sheets count
  const asDrawn = !how.hidden && allSheets().transforms ? styleOf(el) : null
  let text = how.hidden ? '' : generated(el, '::before')
  const inner = how.hidden
    ? REFERRED_HIDDEN
    : how.label
      ? INSIDE_LABEL
      : how.referred || how.reference
        ? INSIDE_REFERENCE
        : INSIDE
  // Most names are one text.
  if (child && !nextSibling(child) && nodeType(child) === TEXT && !pass.owning && !shadow && !isSlot(el)) {
    text += transformed(dataOf(child), asDrawn)
  } else {
    const closed = isClosed(el),
      style = how.hidden ? null : styleOf(el)
    for (const node of kidsOf(el)) {
      const type = nodeType(node)
      if (type === TEXT) {
        if (!closed && (!style || style.visibility === 'visible')) text += transformed(dataOf(node), asDrawn)
      } else if (type === ELEMENT && node !== asking && !(closed && tagOf(node) !== 'summary')) {
        text += part(node as Element, inner)
      }
    }
  }
  return how.hidden ? text : text + generated(el, '::after')
}

export const isClosed = (el: Element) => tagOf(el) === 'details' && el instanceof HTMLDetailsElement && !has(el, 'open')

// part is what an element inside adds, with the spaces that keep it apart from its neighbours.
function part(el: Element, how: How): string {
  const tag = tagOf(el)
  if (tag === 'br' || tag === 'wbr') return ' '
  if (notThere.has(tag) && isHTML(el)) return ''
  if (!how.hidden) {
    if (isSpecial(el) && isAriaHidden(el)) return isRendered(el) && styleOf(el).display === 'block' ? ' ' : ''
    if (isHiddenFromNames(el)) return visiblePart(el, how)
  }
  if (tag === 'label') say(el)
  const text = alternative(el, how)
  const display = how.hidden ? 'inline' : styleOf(el).display
  if (text === '') return display === 'block' || controls.has(roleOf(el)) ? ' ' : ''
  return setOff || display !== 'inline' || controls.has(roleOf(el)) ? ` ${text} ` : text
}

// visiblePart: in what visibility hides, something may be visible again.
function visiblePart(el: Element, how: How) {
  if (!checkVisibility(el) || !firstElementChild(el)) return ''
  let text = ''
  for (const node of kidsOf(el)) if (isElement(node)) text += part(node, how)
  return text
}

export const isBlank = (text: string) => !/[^ \t\n\r\f]/.test(text)

// rawText is all text below, whatever it looks like.
export function rawText(el: Element): string {
  let text = ''
  for (let n: Node | null = firstChild(el); n; n = nextSibling(n)) {
    if (nodeType(n) === TEXT) text += dataOf(n)
    else if (isElement(n)) text += rawText(n)
  }
  return text
}

// transformed is text as it is drawn: agents compare names with what they see.
export function transformed(text: string, style: CSSStyleDeclaration | null): string {
  if (!style) return text
  switch (style.textTransform) {
    case 'uppercase':
      return text.toUpperCase()
    case 'lowercase':
      return text.toLowerCase()
    case 'capitalize':
      return text.replace(
        /(^|[^\p{L}\p{N}'’])(\p{L})/gu,
        (_, before: string, letter: string) => before + letter.toUpperCase(),
      )
  }
  return text
}
