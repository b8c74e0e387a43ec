// What is looked for in a page: file inputs, boxes, texts.
import {
  attrOf,
  bodyOf,
  childNodesOf,
  childrenOf,
  innerTextOf,
  rectOf,
  scrollIntoView,
  textContentOf,
} from '../native.ts'
import { cove } from './cove.ts'
import { seen } from './text.ts'
import { every, roots } from './tree.ts'
import { nearest } from './value.ts'

type Files = { id: number; multiple?: boolean; count?: number; disabled?: boolean }

// files counts what a file input holds.
export function files(id: number): Files {
  const found = cove.get(id)
  const el = found instanceof HTMLLabelElement ? found.control : found
  if (!(el instanceof HTMLInputElement) || el.type !== 'file') return { id: 0 }
  return { id: cove.id(el), multiple: el.multiple, count: el.files?.length ?? 0, disabled: el.disabled }
}

type Box = { gone: true } | { x: number; y: number; width: number; height: number }

// box is where an element is in the whole page, for a picture of it.
export function box(id: number, still: boolean): Box {
  const el = cove.get(id)
  if (!el) return { gone: true }
  if (!still) scrollIntoView(el, nearest)
  const r = rectOf(el)
  return { x: r.left, y: r.top, width: r.width, height: r.height }
}

const LONG = 1e6
const joined = (text: string): string => text.replace(/\s+/g, ' ')
const shownText = (n: Node): string => (n instanceof HTMLElement ? innerTextOf(n) : n instanceof Text ? n.data : '')
const longest = (text: string): string =>
  text
    .toLowerCase()
    .split(' ')
    .reduce((a, b) => (b.length > a.length ? b : a))

// inside returns whether a very long page shows a text, without laying out all of it: innerText is asked only of what
// may hold it.
function inside(el: Element, text: string, word = longest(text)): boolean {
  const all = textContentOf(el) ?? ''
  if (!all.toLowerCase().includes(word)) return false
  for (const child of childrenOf(el)) if (inside(child, text, word)) return true
  return all.length < LONG && el instanceof HTMLElement && seen(el) && joined(innerTextOf(el)).includes(text)
}

// labelled is what controls show, and what only assistive technology reads.
const LABELLED = 'input:not([type=hidden]), textarea, [aria-label], [alt], [title], [placeholder]'

function said(el: Element): string[] {
  const field =
    el instanceof HTMLInputElement ||
    el instanceof HTMLTextAreaElement ||
    el instanceof HTMLSelectElement ||
    el instanceof HTMLButtonElement
  const value = field && !cove.hides(el) ? el.value : ''
  return [value, ...['aria-label', 'alt', 'title', 'placeholder'].map(name => attrOf(el, name))]
}

// has returns which of the texts the page shows, -1 for none.
export function has(texts: string[]): number {
  const body = bodyOf(document) as HTMLElement | null
  if (!body) return -1
  const wanted = texts.map(t => joined(t).trim())
  const among = (text: string) => wanted.findIndex(t => joined(text).includes(t))
  const long = (textContentOf(body) ?? '').length >= LONG
  const at = long ? wanted.findIndex(t => inside(body, t)) : among(innerTextOf(body))
  if (at >= 0) return at

  // innerText leaves out what is in shadow roots.
  for (const root of roots(document)) {
    const inner = among([...childNodesOf(root)].map(shownText).join(' '))
    if (inner >= 0) return inner
  }
  // It has neither what a control shows nor a label that only assistive technology reads.
  for (const el of every(document, LABELLED)) {
    if (!seen(el)) continue
    const all = said(el)
    const found = texts.findIndex(t => all.some(s => s.includes(t)))
    if (found >= 0) return found
  }
  return -1
}
