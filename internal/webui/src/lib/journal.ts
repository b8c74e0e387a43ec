// The journal as a film: its steps in the order of their times, the sessions that they belong to, and what is shown
// of them. The words of a step are the server's.
import type { JournalEntry } from '../api/types.ts'
import { t } from '../strings.ts'

// Filter says which steps are shown. It stands in the address.
export type Filter = { q: string; agent: string; kind: string; outcome: string; time: string }

export const noFilter: Filter = { q: '', agent: '', kind: '', outcome: '', time: '' }

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const spans: Record<string, number | undefined> = { hour, day, week: 7 * day, month: 30 * day }

// isFiltered says that a filter leaves something out.
export const isFiltered = (f: Filter): boolean => Object.values(f).some(Boolean)

// placeOf reads the part of an address that names a filter and a step.
export function placeOf(hash: string): { filter: Filter; step: number } {
  const said = new URLSearchParams(hash.split('/')[3] ?? '')
  const filter = { ...noFilter }
  for (const name of Object.keys(filter) as (keyof Filter)[]) filter[name] = said.get(name) ?? ''
  return { filter, step: Number(said.get('step')) || 0 }
}

// addressOf is the address of a journal with a filter and a step; 0 for the newest one.
export function addressOf(id: number, filter: Filter, step: number): string {
  const said = new URLSearchParams(Object.entries(filter).filter(([, value]) => value))
  if (step) said.set('step', String(step))
  return `#/journal/${id}${said.size ? `/${said}` : ''}`
}

// queryOf is what the app is asked for.
export function queryOf({ time, ...rest }: Filter, now = Date.now()): string {
  const query = new URLSearchParams(Object.entries(rest).filter(([, value]) => value))
  query.set('order', 'desc')
  const span = spans[time]
  if (span) query.set('since', new Date(now - span).toISOString())
  return String(query)
}

const at = (e: JournalEntry) => Date.parse(e.time)
const byTime = (a: JournalEntry, b: JournalEntry) => at(a) - at(b) || a.seq - b.seq

// merge adds entries to those that are here, each once as it was read last, in the order of their times.
export const merge = (old: JournalEntry[], more: JournalEntry[]): JournalEntry[] =>
  [...new Map([...old, ...more].map(e => [e.seq, e])).values()].sort(byTime)

// Group is the steps of one session, in the order of their times. What belongs to no session has none.
export type Group = { session: string; steps: JournalEntry[] }

// groups puts steps into their sessions, the one that began last first. What the person did to the whole profile stands
// in the session before it; that it was opened, in the session after it.
export function groups(steps: JournalEntry[]): Group[] {
  const all = new Map<string, JournalEntry[]>()
  let last: JournalEntry[] | undefined
  let waiting: JournalEntry[] = []
  for (const e of steps) {
    if (e.session) {
      last = all.get(e.session) ?? []
      last.push(...waiting, e)
      waiting = []
      all.set(e.session, last)
    } else if (last && e.name !== 'opened') last.push(e)
    else {
      waiting.push(e)
      last = undefined
    }
  }
  const out = Array.from(all, ([session, of]) => ({ session, steps: of }))
  if (waiting.length) out.push({ session: '', steps: waiting })
  const began = ({ steps: [first] }: Group) => (first ? at(first) : 0)
  return out.sort((a, b) => began(b) - began(a))
}

// fewest is how many reads in a row are folded.
const fewest = 3

// folds puts runs of reads together: each part is one step, or a run.
export function folds(steps: JournalEntry[]): JournalEntry[][] {
  const out: JournalEntry[][] = []
  let run: JournalEntry[] = []
  const end = () => {
    if (run.length >= fewest) out.push(run)
    else out.push(...run.map(e => [e]))
    run = []
  }
  for (const e of steps) {
    if (e.kind === 'read' && e.outcome === 'ok') run.push(e)
    else {
      end()
      out.push([e])
    }
  }
  end()
  return out
}

// markOf says what a step is at a glance: its kind, or that it was denied or failed. A journal that somebody has
// changed may say anything.
export function markOf({ kind, outcome }: JournalEntry): 'act' | 'read' | 'person' | 'note' | 'refused' | 'error' {
  if (outcome !== 'ok') return outcome === 'refused' ? outcome : 'error'
  return ['act', 'read', 'person'].includes(kind) ? kind : 'note'
}

// moreOf is what the sentence of a step says beside its summary: why it was denied, what the person wrote.
export function moreOf({ text, summary }: JournalEntry): string {
  if (text.startsWith(summary)) return text.slice(summary.length).replace(/^( –|[:.]) /, '')
  if (text.startsWith(summary.replace(/…$/, ''))) return '' // the summary is only cut
  const verdict = summary.slice(0, summary.indexOf(': ') + 2)
  return text.startsWith(verdict) ? text.slice(verdict.length) : text
}

// stepAt is the step of an entry: a picture is an entry of its own, behind its step.
export const stepAt = (all: JournalEntry[], seq: number): JournalEntry | undefined =>
  all.reduce<JournalEntry | undefined>((best, e) => (e.seq <= seq && e.seq > (best?.seq ?? 0) ? e : best), undefined)

// stepAway is the step so many steps away from one, in all sessions. It stops at the ends.
export function stepAway(all: JournalEntry[], from: number, by: number): JournalEntry | undefined {
  const i = all.findIndex(e => e.seq === from)
  return all[Math.max(0, Math.min(all.length - 1, i + by))]
}

// nextRefused is the next step that was denied.
export const nextRefused = (all: JournalEntry[], from: number): JournalEntry | undefined =>
  all.slice(all.findIndex(e => e.seq === from) + 1).find(e => e.outcome === 'refused')

// Span is a stretch of time.
export type Span = { from: number; to: number }

// spanOf is the time that steps take, never none.
export function spanOf(steps: JournalEntry[]): Span {
  const times = steps.map(at)
  const from = Math.min(...times)
  return { from, to: Math.max(from + second, ...steps.map(e => at(e) + e.ms)) }
}

// part is where in a span a moment is, from 0 to 1.
const part = ({ from, to }: Span, moment: number) => Math.max(0, Math.min(1, (moment - from) / (to - from)))

// partOf is where in a span a step is.
export const partOf = (span: Span, e: JournalEntry): number => part(span, at(e))

// nearest is the step that is nearest to a place in the span.
export const nearest = (steps: JournalEntry[], span: Span, place: number): JournalEntry | undefined =>
  steps.reduce<JournalEntry | undefined>((best, e) => {
    const off = (s: JournalEntry) => Math.abs(partOf(span, s) - place)
    return !best || off(e) < off(best) ? e : best
  }, undefined)

// controls are the stretches in which the person was in control, as parts of a span.
export function controls(steps: JournalEntry[], span: Span): Span[] {
  const out: Span[] = []
  let from: number | undefined
  for (const e of steps) {
    if (e.name === 'takeover') from ??= partOf(span, e)
    if (e.name === 'giveback' && from !== undefined) {
      out.push({ from, to: partOf(span, e) })
      from = undefined
    }
  }
  if (from !== undefined) out.push({ from, to: 1 })
  return out
}

const between = [1, 2, 5, 10, 15, 30].map(n => n * second)
const beats = [...between, ...between.map(n => n * 60), ...[1, 2, 3, 6, 12].map(n => n * hour), day, 7 * day, 30 * day]
const mostTicks = 6

// ticks are the round moments of a span, with their places.
export function ticks(span: Span): { place: number; name: string }[] {
  const long = span.to - span.from
  const beat = beats.find(b => long / b <= mostTicks) ?? long
  const shift = new Date(span.from).getTimezoneOffset() * minute
  const out = []
  for (let m = Math.ceil((span.from - shift) / beat) * beat + shift; m < span.to; m += beat)
    out.push({ place: part(span, m), name: beat < minute ? clock(m) : beat < day ? clock(m).slice(0, 5) : date(m) })
  return out
}

const two = (n: number) => String(n).padStart(2, '0')

// clock is the time of day of a moment.
export function clock(when: string | number): string {
  const d = new Date(when)
  return [d.getHours(), d.getMinutes(), d.getSeconds()].map(two).join(':')
}

const date = (when: string | number) => new Date(when).toLocaleDateString(undefined, { month: 'short', day: 'numeric' })

// begun is when a session began, in words.
export function begun(when: string, now = Date.now()): string {
  const days = (moment: number) => new Date(moment).setHours(0, 0, 0, 0)
  const ago = Math.round((days(now) - days(Date.parse(when))) / day)
  const name = ago === 0 ? t.journal.today : ago === 1 ? t.journal.yesterday : date(when)
  return `${name}, ${clock(when).slice(0, 5)}`
}

// lasted is how long something took, in words.
export function lasted(ms: number): string {
  if (ms < minute) return t.time.seconds(Math.max(1, Math.round(ms / second)))
  return ms < hour ? t.time.minutes(Math.round(ms / minute)) : t.time.hours(Math.round(ms / hour))
}

const shortest = 500
const longest = 2500

// pauseOf is how long a step is shown when the film plays: as long as it took, within reason.
export const pauseOf = (e: JournalEntry, next: JournalEntry, speed: number): number =>
  Math.max(shortest, Math.min(longest, at(next) - at(e))) / speed

// Side is which picture of a step is shown.
export type Side = 'before' | 'after'

// Shot is a picture: of which step, and from before or after it.
export type Shot = { name: string; side: Side; of: JournalEntry }

const take = (e: JournalEntry, side: Side): Shot | undefined => {
  const name = e[side]
  return name ? { name, side, of: e } : undefined
}

// shotOf is the picture of a step. Where it has none, it is the last one before it: of its page, if it is about one.
export function shotOf(film: JournalEntry[], e: JournalEntry, side: Side): Shot | undefined {
  const own = take(e, side) ?? take(e, side === 'after' ? 'before' : 'after')
  if (own) return own
  const fits = (s: JournalEntry) => (!e.page || s.page === e.page) && (s.after ?? s.before)
  const earlier = film.slice(0, film.indexOf(e)).findLast(fits)
  return earlier && (take(earlier, 'after') ?? take(earlier, 'before'))
}

// around are the steps with pictures next to a step, so many on each side where there are as many.
export function around(film: JournalEntry[], e: JournalEntry, most: number): JournalEntry[] {
  const pictured = film.filter(s => s.after ?? s.before)
  const here = pictured.findLastIndex(s => byTime(s, e) <= 0)
  const from = Math.max(0, Math.min(here - Math.floor(most / 2), pictured.length - most))
  return pictured.slice(from, from + most)
}

// entriesIn is the text of the entries in an answer of the app, byte for byte: their hashes are over it.
export const entriesIn = (answer: string): string => answer.slice(answer.indexOf('[') + 1, answer.lastIndexOf(']'))

// Key is a key that was pressed.
export type Key = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey'>

// Action is what a key does in the journal.
export type Action = 'previous' | 'next' | 'refused' | 'first' | 'last' | 'play' | 'side' | 'zoom' | 'search'

const keys: Record<string, Action | undefined> = { ArrowLeft: 'previous', ArrowRight: 'next', ' ': 'play' }
const ends: Record<string, Action | undefined> = { Home: 'first', End: 'last' }
const letterKeys: Record<string, Action | undefined> = { b: 'side', z: 'zoom', '/': 'search' }

// actionOf is what a key does; letters says whether single letters do something.
export function actionOf({ key, shiftKey, ctrlKey, altKey, metaKey }: Key, letters: boolean): Action | undefined {
  if (ctrlKey || altKey || metaKey) return undefined
  if (shiftKey) return key === 'ArrowRight' ? 'refused' : undefined
  return keys[key] ?? ends[key] ?? (letters ? letterKeys[key] : undefined)
}

// told is a value as people read it, who know no uids.
export function told(v: unknown): string {
  if (Array.isArray(v)) return v.map(told).join(', ')
  if (v && typeof v === 'object')
    return Object.entries(v)
      .filter(([name]) => !name.endsWith('uid'))
      .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${told(value)}`)
      .join(' · ')
  return String(v)
}
