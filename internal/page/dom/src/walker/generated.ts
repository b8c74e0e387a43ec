// What style sheets do to names: the content of ::before and ::after, and the case of letters.
import { kidsOf, parentOf, pass, styleOf } from './dom.ts'
import { nameOf, transformed } from './names.ts'
import {
  attrOf,
  doc,
  documentAdopted,
  documentElement,
  documentSheets,
  has,
  isElement,
  queryAll,
  shadowAdopted,
  shadowSheets,
  tagOf,
} from '../native.ts'
import { observedRoots } from './version.ts'

// ---- Generated content --------------------------------------------------------------------------------------------

// To ask for the two pseudo-elements of an element costs more than all else about its name, and to ask for the case of
// its letters costs as much again, so small style sheets are looked through once: where none speaks of either, nobody
// needs to ask. Says is whether sheets have generated content, and whether they change the case of letters.
export type Says = { generates: boolean; transforms: boolean }
type SheetSays = Says & { size?: number }

// Which is one of the two pseudo-elements of an element.
type Which = '::before' | '::after'
type Values = Map<string, number[]>

// Counters are the values at the generated content of elements.
export type Counters = Map<Element, Partial<Record<Which, Values>>>

const sheets = new WeakMap<CSSStyleSheet, SheetSays>()
const MANY_RULES = 400
const SAYS_ALL: SheetSays = { generates: true, transforms: true }

// saysOf returns whether a sheet has generated content, and whether it changes the case of letters.
function saysOf(sheet: CSSStyleSheet): SheetSays {
  try {
    const rules = sheet.cssRules,
      was = sheets.get(sheet),
      size = sizeOf(rules)
    if (was?.size === size) return was
    const says: SheetSays = {
      size,
      ...(rules.length > MANY_RULES ? SAYS_ALL : { generates: false, transforms: false }),
    }
    for (let i = 0; i < rules.length && !(says.generates && says.transforms); i++) {
      const text = rules[i].cssText,
        more = text.includes('@import')
      says.generates ||= more || /:before|:after/.test(text)
      says.transforms ||= more || text.includes('text-transform')
    }
    sheets.set(sheet, says)
    return says
  } catch {
    return SAYS_ALL // another origin's, which may say anything
  }
}

// sizeOf counts rules, those of groups (@media, @layer) too: a script that adds one changes it.
function sizeOf(rules: CSSRuleList): number {
  let size = rules.length
  if (size <= MANY_RULES) for (const rule of rules) if (rule instanceof CSSGroupingRule) size += sizeOf(rule.cssRules)
  return size
}

// allSheets is what the sheets of the page say together, and about the case of letters its style attributes.
export function allSheets(): Says {
  if (pass.sheets) return pass.sheets
  pass.sheets = { generates: false, transforms: false }
  for (const root of [doc, ...observedRoots()]) addSheets(root)
  return pass.sheets
}

export function addSheets(root: Document | ShadowRoot) {
  const all = pass.sheets
  if (!all || (all.generates && all.transforms)) return
  for (const list of root === doc
    ? [documentSheets(root), documentAdopted(root)]
    : [shadowSheets(root), shadowAdopted(root)]) {
    for (const sheet of list) {
      const says = saysOf(sheet)
      all.generates ||= says.generates
      all.transforms ||= says.transforms
    }
  }
  all.transforms ||= queryAll(root, '[style*=text-transform i]').length > 0
}

export function generated(el: Element, which: Which) {
  if (!allSheets().generates && tagOf(el) !== 'q') return ''
  const style = getComputedStyle(el, which)
  const content = style.content
  if (content === 'none' || content === 'normal' || content === '') return ''
  if (style.display === 'none' || style.visibility !== 'visible') return ''
  const text = transformed(contentText(content, el, which), style)
  return text === '' || (style.display === 'inline' && !content.includes(' / ')) ? text : ` ${text} `
}

// contentText reads a computed content value: strings and quotes; the alternative after a slash instead of all of them.
function contentText(content: string, el: Element, which: Which) {
  if (content.includes('counter')) return countedText(content, el, which)
  return joined(content.match(contentTokens) || [], null)
}

const contentTokens = /"(?:[^"\\]|\\.)*"|\/|[\w-]+\([^)]*\)|[\w-]+/g

function joined(tokens: string[], counter: ((token: string) => string) | null): string {
  const slash = tokens.indexOf('/')
  let text = ''
  for (const token of slash < 0 ? tokens : tokens.slice(slash + 1)) {
    if (token.startsWith('"')) text += unescaped(token.slice(1, -1))
    else if (token === 'open-quote') text += '“'
    else if (token === 'close-quote') text += '”'
    else if (counter !== null && token.startsWith('counter')) text += counter(token)
  }
  return text
}

function unescaped(text: string) {
  return text.replace(/\\([0-9a-fA-F]{1,6}) ?|\\(.)/g, (_, hex: string | undefined, char: string) =>
    hex ? String.fromCodePoint(parseInt(hex, 16) || 0xfffd) : char,
  )
}

// ---- Counters -----------------------------------------------------------------------------------------------------

// A name leaves them out, as Chromium's does, though people read "2.1 Intro": what the element says with them is told
// beside it. To count takes a walk over all elements before it, so this is done for a pass only when a counter is met.
const MOST_COUNTED = 10000
export const counted = new WeakSet<Element>()
export let anyCounted = false
let counting = false

function countedText(content: string, el: Element, which: Which) {
  const tokens = content.match(contentTokens) || []
  for (let e: Element | null = el, n = 0; e && n < 4; e = parentOf(e), n++) counted.add(e)
  anyCounted = true
  if (!counting) return joined(tokens, null)
  const at = counters().get(el)
  const values = at?.[which]
  return joined(tokens, token => (values ? written(token, values) : ''))

  function written(token: string, values: Values): string {
    const [name, ...rest] = token.slice(token.indexOf('(') + 1, -1).split(/,\s*(?=(?:[^"]*"[^"]*")*[^"]*$)/)
    const all = values.get(name.trim()) || [0]
    if (token.startsWith('counters('))
      return all.map(v => numeral(v, rest[1])).join(unescaped((rest[0] || '""').trim().slice(1, -1)))
    return numeral(all.at(-1) ?? 0, rest[0])
  }
}

// countedName is what an element's name would be with its counters.
export function countedName(el: Element) {
  counting = true
  const saved = pass.names
  pass.names = new Map()
  const text = nameOf(el)
  pass.names = saved
  counting = false
  return text === nameOf(el) ? undefined : text
}

type Counter = { value: number; level: number }

// counters are the values at every generated content that shows any, by CSS Lists 3: a reset holds for what is in the
// element and for its later siblings.
function counters(): Counters {
  if (pass.counters) return pass.counters
  const found: Counters = new Map()
  pass.counters = found
  let left = MOST_COUNTED
  const all = new Map<string, Counter[]>() // by name, the innermost last
  const apply = (style: CSSStyleDeclaration, level: number, item: boolean, list: number | null) => {
    for (const [name, n] of pairs(style.counterReset)) begin(name, n, level)
    if (list !== null && !/\blist-item\b/.test(style.counterReset)) begin('list-item', list, level)
    for (const [name, n] of pairs(style.counterIncrement)) add(name, n, level)
    if (item && !/\blist-item\b/.test(style.counterIncrement)) add('list-item', 1, level)
    for (const [name, n] of pairs(style.counterSet)) add(name, n, level, true)
  }
  const stack = (name: string): Counter[] => {
    const s = all.get(name) ?? []
    all.set(name, s)
    return s
  }
  const begin = (name: string, value: number, level: number) => {
    const s = stack(name)
    if (s.at(-1)?.level === level) s.pop()
    s.push({ value, level })
  }
  const add = (name: string, n: number, level: number, set = false) => {
    const s = stack(name)
    if (!s.length) s.push({ value: 0, level })
    const last = s[s.length - 1]
    if (set) last.value = n
    else last.value += n
  }
  const drop = (level: number) => {
    for (const s of all.values()) while (s.length && s[s.length - 1].level > level) s.pop()
  }
  const shown = (el: Element, which: Which, style: CSSStyleDeclaration, level: number) => {
    const content = style.content
    if (content === 'none' || content === 'normal' || content === '' || style.display === 'none') return
    apply(style, level, false, null)
    if (!content.includes('counter')) return
    const at = found.get(el) ?? {}
    found.set(el, at)
    at[which] = new Map(Array.from(all, ([name, s]) => [name, s.map(c => c.value)]))
  }
  const visit = (el: Element, level: number) => {
    const style = styleOf(el)
    if (--left < 0 || style.display === 'none') return
    const tag = tagOf(el)
    apply(
      style,
      level,
      style.display === 'list-item',
      tag === 'ol' || tag === 'ul' || tag === 'menu' ? (parseInt(attrOf(el, 'start'), 10) || 1) - 1 : null,
    )
    if (tag === 'li' && has(el, 'value')) add('list-item', parseInt(attrOf(el, 'value'), 10) || 0, level, true)
    shown(el, '::before', getComputedStyle(el, '::before'), level + 1)
    for (const kid of kidsOf(el)) if (isElement(kid)) visit(kid, level + 1)
    shown(el, '::after', getComputedStyle(el, '::after'), level + 1)
    drop(level)
  }
  visit(documentElement(doc), 0)
  return found
}

// pairs reads "a 1 b 2".
function pairs(text: string): [string, number][] {
  if (text === 'none') return []
  const list: [string, number][] = [],
    parts = text.split(' ')
  for (let i = 0; i + 1 < parts.length; i += 2)
    list.push([parts[i].replace(/^reversed\((.*)\)$/, '$1'), Number(parts[i + 1])])
  return list
}

const romans: [number, string][] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
]

function numeral(n: number, style = ''): string {
  switch (style.trim()) {
    case 'decimal-leading-zero':
      return (n < 0 ? '-' : '') + String(Math.abs(n)).padStart(2, '0')
    case 'lower-roman':
    case 'upper-roman': {
      if (n < 1 || n > 3999) return String(n)
      let text = ''
      for (const [value, sign] of romans) for (; n >= value; n -= value) text += sign
      return style.includes('upper') ? text.toUpperCase() : text
    }
    case 'lower-alpha':
    case 'lower-latin':
    case 'upper-alpha':
    case 'upper-latin': {
      if (n < 1) return String(n)
      let text = ''
      for (; n > 0; n = Math.floor((n - 1) / 26)) text = String.fromCharCode(97 + ((n - 1) % 26)) + text
      return style.includes('upper') ? text.toUpperCase() : text
    }
    case 'disc':
    case 'circle':
    case 'square':
    case 'none':
      return ''
  }
  return String(n)
}
