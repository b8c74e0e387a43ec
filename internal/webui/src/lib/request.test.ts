import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ask } from '../api/types.ts'
import { byDeadline, canAllowNext, endOf, isOpen, isWorkedOn, shareLeft, siteOf, timeLeft, titleOf } from './request.ts'

const request = (more: Partial<Ask>): Ask => ({
  id: '1-1',
  profile: 1,
  kind: 'approve',
  state: 'asked',
  agent: { kind: 'mcp', name: 'c' },
  what: 'send the form on https://a.example/x',
  page: 'https://a.example/x',
  askedAt: '2026-05-20T12:00:00Z',
  expiresAt: '2026-05-20T12:30:00Z',
  ...more,
})
const at = (time: string) => Date.parse(`2026-05-20T${time}Z`)

test('the time that is left', () => {
  assert.equal(timeLeft(request({}), at('12:21:12')), '8:48')
  assert.equal(timeLeft(request({}), at('12:29:58')), '0:02')
  assert.equal(timeLeft(request({}), at('13:00:00')), '0:00')
  assert.equal(timeLeft(request({ expiresAt: undefined })), '')
  assert.equal(shareLeft(request({}), at('12:15:00')), 0.5)
  assert.equal(shareLeft(request({}), at('13:00:00')), 0)
  assert.equal(shareLeft(request({ expiresAt: undefined })), 1)
})

test('whose tab the person is in control of is worked on', () => {
  assert.ok(isWorkedOn(request({ kind: 'do', state: 'working', expiresAt: undefined })))
  assert.ok(!isWorkedOn(request({ kind: 'do', state: 'seen' })))
})

test('what the person works on does not expire, and stands last', () => {
  const all = [request({ id: 'b', expiresAt: undefined }), request({ id: 'a' })].sort(byDeadline)
  assert.deepEqual(
    all.map(r => r.id),
    ['a', 'b'],
  )
})

test('a title begins a sentence and leaves the address out', () => {
  assert.equal(titleOf(request({})), 'Send the form')
  assert.equal(siteOf('https://a.example/x'), 'a.example')
  assert.equal(siteOf('about:blank'), 'about:blank')
  assert.equal(siteOf(''), '')
})

test('what became of a request', () => {
  const cases: [Partial<Ask>, string][] = [
    [{ state: 'expired' }, 'Expired'],
    [{ state: 'withdrawn' }, 'Withdrawn by the agent'],
    [{ state: 'cut' }, 'Ended: agents were stopped or the profile closed'],
    [{ state: 'answered', answer: { allow: true, by: 'person' } }, 'You allowed it'],
    [{ state: 'answered', answer: { allow: true, scope: 'site', by: 'person' } }, 'You allowed it always on this site'],
    [{ state: 'answered', answer: { allow: false, by: 'codex' } }, 'You denied it, in codex'],
    [{ state: 'answered', kind: 'do', answer: { done: true, by: 'person' } }, 'You answered it'],
    [{ state: 'answered', kind: 'do', answer: { decline: true, by: 'person' } }, 'You declined it'],
    [{ state: 'asked' }, ''],
  ]
  for (const [more, words] of cases) assert.equal(endOf(request(more)), words)
})

test('only an approval that expired can be given for the next time', () => {
  assert.ok(canAllowNext(request({ state: 'expired' })))
  assert.ok(!canAllowNext(request({ state: 'expired', kind: 'do' })))
  assert.ok(!canAllowNext(request({ state: 'withdrawn' })))
  assert.ok(isOpen(request({ state: 'working' })) && !isOpen(request({ state: 'cut' })))
})
