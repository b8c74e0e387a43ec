// The walk as text, for snapshot.Parse: as short as it can be and without a quote, since every byte and every escape on
// the way
import { shape } from './version.ts'
import type { Out, Walked } from './walk.ts'
// to the keeper costs more than the walk that found it.
//
//   version.shape|title|address|origin|missing|closed,closed|error|node
//   node: T text |  or  ( id . role | field… node… )
//   field: n name |  d description |  v value |  u address |  s key = value |  a (acted on)  f (a frame)
//
// ^ stands before what would be read as an end: ^1 is | and ^2 is ^. An address that begins with / is on the document's
// origin.

const marks = /[|^]/
const escaped = (text: string): string => (marks.test(text) ? text.replaceAll('^', '^2').replaceAll('|', '^1') : text)
let origin = '',
  rootless = 0

export function format(w: Walked): string {
  origin = location.origin
  rootless = origin.length
  const head = [
    w.v + '.' + shape,
    escaped(w.t),
    escaped(w.u),
    escaped(origin),
    w.m || 0,
    w.k.join(),
    escaped(w.e || ''),
  ].join('|')
  return head + '|' + (w.n ? formatNode(w.n) : '')
}

function formatNode(n: Out): string {
  if (n.r === 'text') return 'T' + escaped(n.x ?? '') + '|'
  let s = '(' + (n.i || '') + '.' + escaped(n.r) + '|'
  if (n.n) s += 'n' + escaped(n.n) + '|'
  if (n.d) s += 'd' + escaped(n.d) + '|'
  if (n.v !== undefined) s += 'v' + escaped(String(n.v)) + '|'
  if (n.u) s += 'u' + escaped(onOrigin(n.u)) + '|'
  if (n.s) for (const key in n.s) if (n.s[key] !== undefined) s += 's' + key + '=' + escaped(String(n.s[key])) + '|'
  if (n.a) s += 'a'
  if (n.f) s += 'f'
  if (n.c) for (const kid of n.c) s += formatNode(kid)
  return s + ')'
}

const onOrigin = (url: string) =>
  url.charCodeAt(rootless) === 47 && url.startsWith(origin) ? url.slice(rootless) : url
