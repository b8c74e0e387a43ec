import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JournalEntry } from '../api/types.ts'
import {
  actionOf,
  addressOf,
  around,
  begun,
  controls,
  entriesIn,
  folds,
  groups,
  isFiltered,
  lasted,
  markOf,
  merge,
  nearest,
  nextRefused,
  noFilter,
  partOf,
  pauseOf,
  placeOf,
  queryOf,
  moreOf,
  shotOf,
  spanOf,
  stepAt,
  stepAway,
  ticks,
  told,
} from './journal.ts'

const moment = (seconds: number) => new Date(Date.UTC(2026, 4, 20, 12, 0, seconds)).toISOString()

// entry is a step of an agent, so many seconds after noon.
const entry = (seq: number, more: Partial<JournalEntry> = {}): JournalEntry => ({
  seq,
  time: moment(seq),
  agent: { kind: 'mcp', name: 'codex' },
  session: 'one',
  name: 'click',
  outcome: 'ok',
  text: 'Clicked',
  summary: 'Clicked',
  kind: 'act',
  ms: 0,
  prev: '',
  hash: '',
  seal: '',
  ...more,
})

const cove = { agent: { kind: 'keeper', name: 'cove' }, session: undefined, kind: 'note' } as const
const read = { kind: 'read', name: 'take_snapshot' } as const
const seqs = (all: JournalEntry[]) => all.map(e => e.seq)

test('a filter and a step stand in the address, and read back', () => {
  const filter = { q: 'a/b & "c" é', agent: 'claude-code', kind: 'act', outcome: 'refused', time: 'week' }
  assert.deepEqual(placeOf(addressOf(3, filter, 12)), { filter, step: 12 })
  assert.equal(addressOf(3, noFilter, 0), '#/journal/3')
  assert.deepEqual(placeOf('#/journal/3'), { filter: noFilter, step: 0 })
  assert.deepEqual(placeOf('#/journal/3/step=x&more=1'), { filter: noFilter, step: 0 })
  assert.ok(addressOf(3, filter, 0).startsWith('#/journal/3/'))
  assert.equal(addressOf(3, filter, 0).split('/').length, 4, 'a word with a slash stays in its part')
})

test('the app is asked for what the filter says', () => {
  assert.equal(queryOf(noFilter), 'order=desc')
  const query = new URLSearchParams(queryOf({ ...noFilter, q: 'a b', time: 'hour' }, Date.parse(moment(0))))
  assert.deepEqual([...query.keys()].sort(), ['order', 'q', 'since'])
  assert.equal(query.get('since'), '2026-05-20T11:00:00.000Z')
  assert.equal(queryOf({ ...noFilter, time: 'whenever' }), 'order=desc')
  assert.equal(isFiltered(noFilter), false)
  assert.ok(isFiltered({ ...noFilter, time: 'day' }))
})

test('entries are merged once each, as they were read last, by their times', () => {
  const late = entry(4, { time: moment(1.5) }) // begun early, ended late
  const all = merge([entry(2), late], [entry(1), entry(2, { after: 'p.jpg' })])
  assert.deepEqual(seqs(all), [1, 4, 2])
  assert.equal(all[2]?.after, 'p.jpg')
})

test('steps stand in their sessions, the one that began last first', () => {
  const all = groups([
    entry(1, { ...cove, name: 'opened' }),
    entry(2),
    entry(3, { session: 'two' }),
    entry(4, { ...cove, name: 'takeover', kind: 'person' }),
    entry(5),
    entry(6, { ...cove, name: 'closed' }),
    entry(7, { ...cove, name: 'opened' }),
    entry(8, { ...cove, name: 'policy' }),
  ])
  assert.deepEqual(
    all.map(g => [g.session, ...seqs(g.steps)]),
    [
      ['', 7, 8],
      ['two', 3, 4],
      ['one', 1, 2, 5, 6],
    ],
  )
  assert.deepEqual(groups([]), [])
})

test('three reads in a row are folded', () => {
  const steps = [entry(1, read), entry(2, read), entry(3), entry(4, read), entry(5, read), entry(6, read)]
  assert.deepEqual(folds(steps).map(seqs), [[1], [2], [3], [4, 5, 6]])
  const denied = [entry(1, read), entry(2, { ...read, outcome: 'refused' }), entry(3, read)]
  assert.deepEqual(folds(denied).map(seqs), [[1], [2], [3]])
})

test('what a sentence says beside its summary is said once', () => {
  const failed = { outcome: 'error', summary: 'Could not click', text: 'Could not click: it is hidden' } as const
  assert.equal(moreOf(entry(1, failed)), 'it is hidden')
  const denied = { outcome: 'refused', summary: 'Denied: pay', text: 'Denied: pay – you said no' } as const
  assert.equal(moreOf(entry(1, denied)), 'you said no')
  const other = { outcome: 'refused', summary: 'Denied: open b.example', text: 'Denied: b.example is blocked' } as const
  assert.equal(moreOf(entry(1, other)), 'b.example is blocked')
  assert.equal(moreOf(entry(1, { summary: 'You answered', text: 'You answered. Your note: no' })), 'Your note: no')
  assert.equal(moreOf(entry(1)), '')
  assert.equal(moreOf(entry(1, { summary: 'You allowed: cl…', text: 'You allowed: click' })), '', 'it is only cut')
  const changed = { outcome: 'no', kind: 'x' } as unknown as Partial<JournalEntry>
  assert.equal(markOf(entry(1, changed)), 'error')
  assert.equal(markOf(entry(1, { ...changed, outcome: 'ok' })), 'note')
  assert.deepEqual([markOf(entry(1)), markOf(entry(1, failed)), markOf(entry(1, denied))], ['act', 'error', 'refused'])
})

test('one goes from step to step, and to the next that was denied', () => {
  const all = [entry(1), entry(2, { outcome: 'refused' }), entry(3), entry(4, { outcome: 'refused' })]
  assert.equal(stepAway(all, 2, 1)?.seq, 3)
  const gaps = [entry(7), entry(2), entry(4)]
  assert.deepEqual(
    [1, 2, 3, 4, 9].map(seq => stepAt(gaps, seq)?.seq),
    [undefined, 2, 2, 4, 7],
  )
  assert.equal(stepAway(all, 1, -1)?.seq, 1)
  assert.equal(stepAway(all, 4, 1)?.seq, 4)
  assert.equal(nextRefused(all, 2)?.seq, 4)
  assert.equal(nextRefused(all, 4), undefined)
})

test('the scrubber goes by real time', () => {
  const film = [entry(0), entry(1), entry(10)]
  const span = spanOf(film)
  assert.deepEqual(
    film.map(e => partOf(span, e)),
    [0, 0.1, 1],
  )
  assert.equal(nearest(film, span, 0.4)?.seq, 1)
  assert.equal(nearest(film, span, 0.7)?.seq, 10)
  assert.equal(nearest([], span, 0.5), undefined)
  const alone = spanOf([entry(5)])
  assert.ok(alone.to > alone.from, 'one step has a span, too')
  assert.equal(spanOf([entry(0, { ms: 4000 })]).to, Date.parse(moment(4)))
})

test('the marks of time are round, and few', () => {
  const names = (seconds: number) => ticks({ from: Date.parse(moment(3)), to: Date.parse(moment(3 + seconds)) })
  for (const seconds of [2, 45, 240, 3600, 86400, 40 * 86400]) {
    const all = names(seconds)
    assert.ok(all.length >= 1 && all.length <= 7, `${seconds} s: ${all.length} marks`)
    assert.ok(all.every(({ place }) => place >= 0 && place <= 1))
  }
  assert.match(names(4)[0]?.name ?? '', /^\d\d:\d\d:\d\d$/)
  assert.match(names(240)[0]?.name ?? '', /^\d\d:\d\d$/)
})

test('the person is in control from taking over to handing back', () => {
  const takeover = { ...cove, name: 'takeover' }
  const giveback = { ...cove, name: 'giveback' }
  const film = [entry(0), entry(2, takeover), entry(3, takeover), entry(4, giveback), entry(5, takeover), entry(10)]
  assert.deepEqual(controls(film, spanOf(film)), [
    { from: 0.2, to: 0.4 },
    { from: 0.5, to: 1 },
  ])
  assert.deepEqual(controls([entry(1), entry(2, giveback)], spanOf(film)), [])
})

test('a film plays at the speed of its steps, within reason', () => {
  assert.equal(pauseOf(entry(1), entry(2), 1), 1000)
  assert.equal(pauseOf(entry(1), entry(2), 4), 250)
  assert.equal(pauseOf(entry(1), entry(1), 1), 500)
  assert.equal(pauseOf(entry(1), entry(600), 1), 2500)
})

test('a step has its own pictures, or the last one of the same page', () => {
  const page = 'https://a.example/'
  const film = [
    entry(1, { page, before: 'b1', after: 'a1' }),
    entry(2, { page, before: 'b2' }),
    entry(3, { ...read, page }),
    entry(4, { ...read, page: 'https://other.example/' }),
    entry(5, { ...cove, name: 'takeover' }),
  ]
  const name = (i: number, side: 'before' | 'after') => {
    const e = film[i]
    const shot = e && shotOf(film, e, side)
    return shot && [shot.name, shot.side, shot.of.seq]
  }
  assert.deepEqual(name(0, 'after'), ['a1', 'after', 1])
  assert.deepEqual(name(0, 'before'), ['b1', 'before', 1])
  assert.deepEqual(name(1, 'after'), ['b2', 'before', 2])
  assert.deepEqual(name(2, 'after'), ['b2', 'before', 2])
  assert.equal(name(3, 'after'), undefined)
  assert.deepEqual(name(4, 'after'), ['b2', 'before', 2])
})

test('the strip has the pictures around a step', () => {
  const film = [1, 2, 3, 4, 5, 6, 7].map(n => entry(n, n === 4 ? {} : { after: `p${n}` }))
  const near = (n: number) => seqs(around(film, film[n - 1] ?? entry(0), 3))
  assert.deepEqual(near(1), [1, 2, 3])
  assert.deepEqual(near(4), [2, 3, 5])
  assert.deepEqual(near(7), [5, 6, 7])
  assert.deepEqual(around([entry(1)], entry(1), 3), [])
})

test('entries are exported as they were written', () => {
  const rows = '{"seq":1,"args":{"a":[1.0,"]"]}},{"seq":2}'
  assert.equal(entriesIn(`{"data":[${rows}],"first":1,"last":2,"more":false}`), rows)
  assert.equal(entriesIn('{"data":[],"first":0,"last":0,"more":false}'), '')
})

test('keys do something in the journal, letters only while they are on', () => {
  const key = (name: string, more = {}) => ({
    key: name,
    shiftKey: false,
    ctrlKey: false,
    altKey: false,
    metaKey: false,
    ...more,
  })
  const does = (names: string[], letters: boolean) => names.map(name => actionOf(key(name), letters))
  const plain = ['previous', 'next', 'play', 'first', 'last']
  assert.deepEqual(does(['ArrowLeft', 'ArrowRight', ' ', 'Home', 'End'], false), plain)
  assert.deepEqual(does(['b', 'z', '/', 'x'], true), ['side', 'zoom', 'search', undefined])
  assert.deepEqual(does(['b', 'z', '/'], false), [undefined, undefined, undefined])
  assert.equal(actionOf(key('ArrowRight', { shiftKey: true }), false), 'refused')
  assert.equal(actionOf(key('ArrowLeft', { altKey: true }), true), undefined, 'back in the browser')
  assert.equal(actionOf(key('z', { ctrlKey: true }), true), undefined)
})

test('a session says when it began and how long it lasted', () => {
  const now = new Date(2026, 4, 20, 18).getTime()
  assert.equal(begun(new Date(2026, 4, 20, 9, 5).toISOString(), now), 'Today, 09:05')
  assert.equal(begun(new Date(2026, 4, 19, 23, 59).toISOString(), now), 'Yesterday, 23:59')
  assert.match(begun(new Date(2026, 4, 1, 9, 5).toISOString(), now), /1.*, 09:05$/)
  assert.deepEqual([10, 61_000, 7_200_000].map(lasted), ['1 s', '1 min', '2 h'])
})

test('a value is told as people read it', () => {
  assert.equal(told({ one_thing: 1, all: ['a', { b: true }] }), 'one thing: 1 · all: a, b: true')
  assert.equal(told({}), '')
  assert.equal(told({ uid: 'a1', from_uid: 'a2', value: 'x' }), 'value: x')
})
