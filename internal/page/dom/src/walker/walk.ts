// The walk: what a frame shows, as a tree without repetition.
import { lookForClosedRoot } from './closed.ts'
import {
  OPAQUE,
  SEEN,
  VISIBLE,
  elementFor,
  hidesItsText,
  idFor,
  isAriaHidden,
  isFading,
  isInside,
  isReadable,
  isRendered,
  isShown,
  isSlot,
  isSpecial,
  kidsOf,
  pass,
  scopeOf,
  shadowOf,
  styleOf,
  topModal,
} from './dom.ts'
import { allSheets, anyCounted, counted, countedName } from './generated.ts'
import {
  collapse,
  isBlank,
  isClosed,
  nameOf,
  otherText,
  shownName,
  textOfLabel,
  transformed,
  typedInto,
} from './names.ts'
import {
  ELEMENT,
  TEXT,
  activeIn,
  activeInShadow,
  anchorHref,
  areaHref,
  attr,
  attrOf,
  baseURI,
  bodyOf,
  byTagIn,
  checkVisibility,
  dataOf,
  doc,
  documentElement,
  firstElementChild,
  has,
  imageSrc,
  inputType,
  isHTML,
  labelControl,
  nodeType,
  queryIn,
  rootOf,
  set,
  tagOf,
  titleOf,
  typeOf,
} from '../native.ts'
import { hasAuthorName, notThere, roleOf, svgSpeaks } from './roles.ts'
import type { States } from './states.ts'
import {
  descriptionOf,
  hiddenControl,
  isActedOn,
  isSpeck,
  isTiny,
  isUnseen,
  lookOf,
  mayBeActedOn,
  statesOf,
  typedIntoOnly,
  valueOf,
} from './states.ts'
import { currentVersion, observe, remember } from './version.ts'
import { dropZones, hasListener, isWrapper, isZone } from './zones.ts'

// ---- The walk -----------------------------------------------------------------------------------------------------

const dissolved =
  set(`generic none paragraph LayoutTable LayoutTableRow LayoutTableCell LineBreak Legend Figcaption caption
  strong emphasis mark insertion deletion subscript superscript code time Abbr Ruby term definition DescriptionList
  rowgroup LabelText SvgRoot suggestion MathMLMath MathMLIdentifier MathMLNumber MathMLOperator MathMLRow MathMLFraction
  MathMLSquareRoot MathMLSup MathMLSub MathMLText`)
// Worth a line only with a name of their own, or with something in it that one can act on.
const onlyNamed = set(
  'image group figure Canvas article blockquote separator sectionheader sectionfooter document note',
)
const structure = set('table row cell gridcell columnheader rowheader list listitem grid rowgroup')
const leaves = set(`button checkbox columnheader cell DisclosureTriangle gridcell heading image link listitem menuitem
  menuitemcheckbox menuitemradio meter option progressbar radio row rowheader scrollbar separator slider spinbutton
  switch tab
  textbox searchbox tooltip treeitem Canvas graphics-symbol`)
// Their name is their content: shown by their children when those are shown.
const looseNames = set('row cell gridcell columnheader rowheader listitem')
// One thing as a whole: what is in them is not clicked for itself. In all others that are acted on, as a tree or a tab,
// it may be.
const solid =
  set(`button checkbox DisclosureTriangle link menuitem menuitemcheckbox menuitemradio option radio scrollbar searchbox
  slider spinbutton switch textbox`)
// A hand over the whole of them means each of the things in them.
export const spreading = set(
  'list table grid treegrid rowgroup LayoutTable DescriptionList tree listbox menu tablist tbody thead tfoot',
)
// Told even without being acted on, so that only their cursor says that they are.
const handled =
  set(`row cell gridcell columnheader rowheader listitem image group figure Canvas article blockquote heading
  sectionheader sectionfooter note graphics-symbol status`)
const DEEPEST = 400 // levels, of which each takes some five calls: the stack is about a megabyte

// Out is a node as it is told: r role, i id, n name, d description, v value, u address, s states, a acted on, f a
// frame, c content, x text.
export type Out = {
  r: string
  i?: number
  n?: string
  d?: string
  v?: string
  u?: string
  s?: States
  a?: 1
  f?: 1
  c?: Out[]
  x?: string
}

// Options are what the keeper asks for.
export type Options = { root?: number; limit?: number; time?: number; flat?: boolean }

// Walked is what a walk has found: v version, t title, u address, n the page, k closed roots, m how much is missing, e
// why.
export type Walked = { v: number; t: string; u: string; n: Out | null; k: number[]; m?: number; e?: string }

// Walking is a walk that is under way.
export type Walking = {
  left: number
  until: number
  missing: number
  out: Out[]
  buffer: string
  depth: number
  flat: boolean
  active: Element | null
  closed: number[]
  controls: Element[]
  hosts: Element[]
  acted: number
  menus: number
  zones: Set<Element> | null
  pre: boolean
  hush: number
  modal: Element | null
}

// walking is the present walk. It is null between walks, when nobody asks for it.
export let walking = null as unknown as Walking

export function walk(options: Options): Walked {
  const limit = options.limit || 20000
  const root: Element | null = options.root === undefined ? documentElement(doc) : elementFor(options.root)
  walking = {
    left: limit,
    until: options.time ? performance.now() + options.time : 0,
    missing: 0,
    out: [],
    buffer: '',
    depth: 0,
    flat: Boolean(options.flat),
    active: deepActive(),
    closed: [],
    controls: [],
    hosts: [],
    acted: 0,
    menus: 0,
    zones: dropZones(root),
    pre: false,
    hush: 0,
    modal: topModal(),
  }
  observe(doc)
  scopeOf(doc)
  let node: Out | null = null
  if (root && options.root === undefined) {
    const page: Out = { r: 'RootWebArea', i: idFor(root), n: collapse(titleOf(doc)), u: location.href }
    if (typeOf(doc) === 'application/pdf')
      page.d = 'a PDF, whose text is not in the page: look at it with take_screenshot'
    const start = walking.modal || root
    fill(page, () => (start === root ? children(start, false, false) : element(start, false, false)))
    node = page
  } else if (root) {
    element(root, false, false, true)
    flush()
    node = walking.out[0] || null
  }
  const w = walking
  walking = null as unknown as Walking
  if (options.root === undefined) remember(w)
  return { v: currentVersion(), t: titleOf(doc), u: location.href, n: node, k: w.closed, m: w.missing || undefined }
}

// deepActive is the focused element, through shadow roots; null while it is only the page.
export function deepActive(): Element | null {
  if (pass.active === undefined) pass.active = findActive()
  return pass.active
}

function findActive(): Element | null {
  let el = activeIn(doc)
  for (let root = el && shadowOf(el); el && root; root = shadowOf(el)) {
    const inner = activeInShadow(root)
    if (!inner) break
    el = inner
  }
  return el === bodyOf(doc) ? null : el
}

// fill makes node the one that gets what work emits.
function fill(node: Out, work: () => void): void {
  const saved = walking.out
  walking.out = []
  work()
  flush()
  if (walking.out.length) node.c = walking.out
  walking.out = saved
}

function flush() {
  if (walking.buffer === '') return
  const text = walking.pre ? walking.buffer.replace(/\s+$/, '') : collapse(walking.buffer)
  walking.buffer = ''
  if (text && /[^\s\u200b\ue000-\uf8ff]/.test(text) && take()) walking.out.push({ r: 'text', x: text })
}

function take(): boolean {
  if (walking.left > 0) {
    if (walking.until === 0 || (walking.left & 255) !== 0 || performance.now() < walking.until)
      return --walking.left >= 0
    walking.left = 0 // it has taken long enough: what is missing is said
  }
  walking.missing++
  return false
}

// children walks what is in el. inside: something around it is acted on; pointer: the cursor around it is a hand.
function children(el: Element, inside: boolean, pointer: boolean, unseen = false): void {
  if (walking.depth > DEEPEST || walking.left <= 0) {
    walking.missing += byTagIn(el, '*').length
    return
  }
  walking.depth++
  let looked = false,
    style: CSSStyleDeclaration | null = null,
    readable = !walking.hush && !unseen
  const details = isClosed(el)
  for (const node of kidsOf(el)) {
    const type = nodeType(node)
    if (type === TEXT) {
      if (!readable || details) continue
      const data = dataOf(node)
      if (!looked && !isBlank(data)) {
        looked = true
        readable = isReadable(el)
        if (!readable) continue
        if (allSheets().transforms) style = styleOf(el)
      }
      walking.buffer += transformed(data, style)
    } else if (type === ELEMENT && !(details && tagOf(node) !== 'summary')) {
      element(node as Element, inside, pointer)
    }
  }
  walking.depth--
}

function element(el: Element, inside: boolean, pointer: boolean, forced = false): void {
  const tag = tagOf(el)
  if (tag === 'br') return flush()
  if (notThere.has(tag) && isHTML(el)) return
  if (!forced && isSpecial(el) && (isAriaHidden(el) || has(el, 'inert') || attr(el, 'hidden') === 'until-found'))
    return skip(el)
  if (checkVisibility(el, SEEN)) return visible(el, tag, inside, pointer, forced)
  if (!checkVisibility(el, VISIBLE)) {
    if (isRendered(el)) return visible(el, tag, inside, pointer, forced)
    if (!walking.hush && holdsMenu(el)) walking.menus++
    if (forced || !checkVisibility(el)) return skip(el)
    return children(el, inside, pointer, true) // hidden by visibility, which what is in it may undo
  }
  if (isFading(el)) return visible(el, tag, inside, pointer, forced)
  walking.hush++ // opacity: it is there and can be clicked, but not read
  visible(el, tag, inside, pointer, forced)
  walking.hush--
}

function visible(el: Element, tag: string, inside: boolean, pointer: boolean, forced: boolean): void {
  if (walking.left <= 0) {
    walking.missing += 1 + byTagIn(el, '*').length
    return
  }
  lookForClosedRoot(el, tag)
  let role = roleOf(el)
  let acts = isActedOn(el, role)
  if (!inside && drawn.has(tag) && isHTML(el)) {
    acts = true
    if (role === 'none' || role === 'generic') role = drawn.get(tag) ?? role
  }
  if (role === 'LabelText' || tag === 'label') return label(el, inside, pointer)
  if (!acts && !inside && !pointer && handled.has(role) && styleOf(el).cursor === 'pointer') acts = true
  if (!acts && !inside && hasListener(el, role)) acts = true
  const zone = isZone(el, role)
  if (
    !acts &&
    !forced &&
    !zone &&
    !(role === 'MathMLMath' && nameOf(el)) &&
    (dissolved.has(role) || (walking.flat && structure.has(role)))
  )
    return box(el, tag, role, inside, pointer)
  node(el, tag, role, acts, inside, pointer)
}

// drawn are elements whose inside only the mouse reaches: a game, a map, a film's buttons.
const drawn = new Map([
  ['canvas', 'Canvas'],
  ['video', 'Video'],
  ['audio', 'Audio'],
])

// skip passes over what nobody sees, but for file inputs, which pages hide and agents need.
function skip(el: Element) {
  const files = scopeOf(rootOf(el)).hiddenFiles.get(el)
  for (const input of files || []) hiddenFile(input)
}

// holdsMenu: what is hidden here could be used if it were shown. Pages show it when the mouse is over what is around
// it, which no attribute tells.
const holdsMenu = (el: Element) =>
  firstElementChild(el) !== null && queryIn(el, 'a[href], button, [role=menuitem]') !== null

// opens returns whether texts are all that is seen of something that hides a menu: it may open when it is pointed at.
function opens(out: Out[], from: number, menus: number, acted: number): boolean {
  if (walking.menus === menus || walking.acted !== acted || out.length === from) return false
  let length = 0
  for (let i = from; i < out.length; i++) {
    if (out[i].r !== 'text') return false
    length += out[i].x?.length ?? 0
  }
  return length <= 100
}

function hiddenFile(input: Element) {
  if (walking.modal && !isInside(input, walking.modal)) return
  flush()
  if (!take()) return
  const states = statesOf(input, 'button', walking.active)
  states.hidden = true
  const n: Out = {
    i: idFor(input),
    r: 'button',
    n: nameOf(input) || undefined,
    v: valueOf(input, 'button'),
    a: 1,
    s: states,
  }
  walking.out.push(n)
  walking.controls.push(input)
}

// box is an element that means nothing by itself: only its content is shown, unless it turns out to be clickable.
function box(el: Element, tag: string, role: string, inside: boolean, pointer: boolean): void {
  const style = styleOf(el),
    display = style.display
  const hushes = hidesItsText(el, style, display)
  const hand = !inside && style.cursor === 'pointer' && (pointer || !(spreading.has(role) || spreading.has(tag)))
  if (hushes) walking.hush++
  if (hand && !pointer && tag !== 'body' && tag !== 'html') {
    node(el, tag, role, true, inside, true)
  } else if (display === 'inline' || display === 'contents' || display === 'block math') {
    if (tag === 'q') walking.buffer += '“'
    children(el, inside, hand)
    if (tag === 'q') walking.buffer += '”'
  } else if (display.startsWith('inline') || display === 'ruby') {
    walking.buffer += ' '
    children(el, inside, hand)
    walking.buffer += ' '
  } else {
    block(el, tag, role, inside, hand)
  }
  if (hushes) walking.hush--
}

// block stands apart from the text around it.
function block(el: Element, tag: string, role: string, inside: boolean, hand: boolean) {
  flush()
  const was = walking.pre,
    { menus, acted, out } = walking,
    from = out.length
  walking.pre ||= tag === 'pre'
  children(el, inside, hand)
  flush()
  walking.pre = was
  if (walking.menus !== menus && !inside && tag !== 'body' && opens(out, from, menus, acted)) {
    out.push({ i: idFor(el), r: role, a: 1, n: textOf({ r: role, c: out.splice(from) }) })
    walking.acted++
  }
}

// label: its text is shown as its control's name, unless the control itself cannot be seen.
function label(el: Element, inside: boolean, pointer: boolean): void {
  const hidden = inside ? null : hiddenControl(el)
  if (hidden) return node(el, 'label', 'LabelText', true, inside, pointer)
  const control = el instanceof HTMLLabelElement ? labelControl(el) : null
  flush()
  const from = walking.out.length
  children(el, inside, true)
  flush()
  if (!control || !isShown(control)) return
  const name = nameOf(control)
  const kept = walking.out.splice(from).filter(n => !(n.r === 'text' && name.includes(n.x ?? '')))
  walking.out.push(...kept)
}

function node(el: Element, tag: string, role: string, acts: boolean, inside: boolean, pointer: boolean): void {
  const loose = looseNames.has(role)
  if (isControl(el, tag) && isUnseen(el, tag, role)) return
  const name = loose && !isSpecial(el) ? '' : role === 'LabelText' ? textOfLabel(el) : shownName(el, role, acts)
  flush()
  if (!take()) {
    walking.missing += byTagIn(el, '*').length
    return
  }
  const n: Out = { i: idFor(el), r: role === 'none' ? 'generic' : role }
  if (acts) n.a = 1
  if (tag === 'iframe' || tag === 'frame') n.f = 1
  const value = valueOf(el, role)
  const before = walking.acted,
    menus = walking.menus
  const complete = hasNoInside(el, tag, role, value, leaves.has(role) ? name : '')
  if (!complete) fill(n, () => content(el, tag, role, inside || (acts && solid.has(role)), pointer))
  const busy = walking.acted > before
  if (!acts && !inside && mayBeActedOn(el, role) && (n.c || name) && !isOneAct(n)) acts = Boolean((n.a = 1))
  if (!acts && !inside && role === 'listitem' && n.c && opens(n.c, 0, menus, before)) acts = Boolean((n.a = 1))
  if (isZone(el, role)) n.a = 1
  if (acts && dissolved.has(role) && n.c && isWrapper(el, role, n)) return dissolve(n)
  if (acts && role === 'generic' && n.c?.length === 1 && !isActedOn(el, role) && !isZone(el, role) && standsFor(n.c[0]))
    return dissolve(n)
  // A row whose cells are acted on is not acted on itself.
  if (role === 'row' && n.a && n.c?.some(c => c.a && looseNames.has(c.r))) acts = Boolean((n.a = undefined))
  if (n.a || n.f) walking.acted++
  settleName(el, n, role, name, busy, loose, acts)
  if (!n.c && !n.n && !n.f && (n.a ? isSpeck(el, role) : onlyNamed.has(role))) return giveBack()
  if (onlyNamed.has(role) && !n.n && !n.a && role !== 'image') return dissolve(n)
  if (role === 'listitem' && !n.n && !n.a && n.c?.length === 1) return dissolve(n)
  const description = descriptionOf(el, n.n || '')
  if (description && description !== n.n) n.d = description
  if (value !== undefined && value !== '') n.v = value
  const url = urlOf(el, tag)
  if (url) n.u = url
  const states = statesOf(el, role, walking.active)
  if (acts && typedIntoOnly(el, role)) states.editable = true
  if (n.n && anyCounted && counted.has(el)) states.text = countedName(el)
  else if (n.a && !n.c && n.n && value === undefined) states.text = otherText(el, n.n)
  if (n.a && !n.c && !n.n && !url && !n.d && !value && !looseNames.has(role)) states.class = lookOf(el)
  if (!isEmpty(states)) n.s = states
  if (isControl(el, tag)) walking.controls.push(el)
  if (value !== undefined && tag === 'input' && inputType(el) === 'file' && !checkVisibility(el, OPAQUE))
    (n.s ||= {}).hidden = true
  walking.out.push(n)
}

// isOneAct: one thing to act on is all that is in it, so that a click on it is one on that.
const isOneAct = (n: Out): boolean => n.c?.length === 1 && Boolean(n.c[0].a)

// standsFor: what is in a clickable box is a control, or a picture that is clicked instead of it.
function standsFor(only: Out) {
  if (isIcon(only)) only.a = 1
  if (only.a) walking.acted++
  return Boolean(only.a)
}

const giveBack = () => void walking.left++
const isControl = (el: Element, tag: string) =>
  (tag === 'input' || tag === 'textarea' || tag === 'select') && isHTML(el)

function isEmpty(object: object) {
  for (const _ in object) return false
  return true
}

function dissolve(n: Out) {
  giveBack()
  if (n.c) walking.out.push(...n.c)
}

// hasNoInside: nothing below it could add to what is shown of it.
function hasNoInside(el: Element, tag: string, role: string, value: string | undefined, name: string) {
  if (tag === 'input' || tag === 'textarea' || tag === 'iframe' || tag === 'frame' || tag === 'img' || tag === 'option')
    return true
  if (value !== undefined && typedInto.has(role) && !firstElementChild(el)) return true
  // Named by the one text in it.
  return Boolean(name) && !firstElementChild(el) && !pass.owning && !shadowOf(el) && !isSlot(el)
}

function content(el: Element, tag: string, role: string, inside: boolean, pointer: boolean): void {
  if (tag === 'svg') {
    if (svgSpeaks(el)) children(el, inside, pointer)
    return
  }
  if (tag === 'audio' || tag === 'video' || tag === 'canvas' || tag === 'object') return
  if (tag === 'select' && isTiny(el)) return
  const style = styleOf(el)
  const hushes = hidesItsText(el, style, style.display)
  if (hushes) walking.hush++
  children(el, inside, pointer || (!inside && style.cursor === 'pointer' && !spreading.has(role)))
  if (hushes) walking.hush--
}

// settleName removes what name and children both say.
function settleName(el: Element, n: Out, role: string, name: string, busy: boolean, loose: boolean, acts: boolean) {
  if (role === 'row' && n.c?.some(c => c.r !== 'text')) {
    name = hasAuthorName(el) ? name : ''
  } else if (leaves.has(role) && !busy) {
    if (loose && !name) name = n.c?.some(c => c.r !== 'text') ? '' : textOf(n)
    if (name) giveBackAll(n)
  } else if (loose && !attrOf(el, 'aria-label') && !has(el, 'aria-labelledby')) {
    name = ''
  } else if (!name && acts && n.c?.every(c => c.r === 'text' || isIcon(c))) {
    name = textOf(n)
    giveBackAll(n)
  }
  if (name) n.n = name
  if (n.c && name) dropEcho(n, name)
}

// dropEcho takes out the legend or caption that gave the name.
function dropEcho(n: Out, name: string) {
  const all = n.c ?? []
  const kept = all.filter(c => (n.r === 'LabelText' ? !c.x || !name.includes(c.x) : c.x !== name))
  walking.left += all.length - kept.length
  n.c = kept.length ? kept : undefined
}

const textOf = (n: Out) =>
  (n.c || [])
    .map(c => c.x || c.n || '')
    .join(' ')
    .trim()
const isIcon = (n: Out) => n.r === 'image' && !n.a && !n.c

function giveBackAll(n: Out) {
  if (!n.c) return
  walking.left += n.c.length
  n.c = undefined // not delete, which makes an object slow
}

function urlOf(el: Element, tag: string) {
  let url = ''
  if (tag === 'a') url = isHTML(el) ? hrefOf(el) : resolved(attr(el, 'href') || attr(el, 'xlink:href'))
  else if (tag === 'area' && isHTML(el)) url = areaHref(el)
  else if (tag === 'img' && isHTML(el)) url = imageSrc(el)
  return url.startsWith('data:') ? '' : url
}

// plainPath is an address on the document's own origin that resolving would leave as it is; to have a thousand resolved
// takes longer than to name them.
const plainPath = /^\/(?![/.])(?:[\w~:@!$&*+,;=-]|\/(?![/.])|\.)*(?:\?[\w~:@!$&*+,;=/?.-]*)?(?:#[\w~:@!$&*+,;=/?.-]*)?$/

function hrefOf(el: Element) {
  const href = attr(el, 'href')
  if (href === null) return ''
  if (!plainPath.test(href)) return anchorHref(el)
  if (pass.site === undefined) pass.site = baseURI(doc).startsWith(location.origin + '/') ? location.origin : ''
  return pass.site ? pass.site + href : anchorHref(el)
}

function resolved(url: string | null): string {
  try {
    return url ? new URL(url, baseURI(doc)).href : ''
  } catch {
    return url ?? ''
  }
}
