import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Ask } from '../api/types.ts'
import { answering, holding, reset, until } from './fake.ts'
import { answer, loadRequests, onRequest, past, takeControl, waiting, waitingIn } from './requests.ts'
import * as state from './state.ts'

const request = (id: string, more: Partial<Ask> = {}): Ask => ({
  id,
  profile: Number(id.split('-')[0]),
  kind: 'approve',
  state: 'asked',
  agent: { kind: 'mcp', name: 'c' },
  what: 'send',
  page: '',
  askedAt: '2026-05-20T12:00:00Z',
  expiresAt: '2026-05-20T12:30:00Z',
  ...more,
})

beforeEach(reset)

test('what expires next stands first, and has its picture', async () => {
  answering(path => ({ data: { ...request(path.split('/').at(-1) ?? ''), picture: 'AAAA' } }))
  onRequest(request('1-1'))
  onRequest(request('2-1', { expiresAt: '2026-05-20T12:10:00Z' }))
  assert.deepEqual(
    waiting.value.map(r => r.id),
    ['2-1', '1-1'],
  )
  assert.deepEqual(
    waitingIn(1).map(r => r.id),
    ['1-1'],
  )
  await until('the picture', () => state.requests.value.get('1-1')?.picture === 'AAAA')
  onRequest(request('1-1', { state: 'seen' }))
  assert.equal(state.requests.value.get('1-1')?.picture, 'AAAA')
})

test('a picture that comes late does not open an answered request again', async () => {
  let asked = false
  answering(() => {
    asked = true
    return { data: { ...request('1-1'), picture: 'AAAA' } }
  })
  onRequest(request('1-1'))
  onRequest(request('1-1', { state: 'answered', endedAt: '2026-05-20T12:01:00Z' }))
  await until('the call', () => asked)
  await until('the picture', () => state.requests.value.get('1-1')?.picture === 'AAAA')
  assert.equal(waiting.value.length, 0)
  assert.equal(past.value.length, 1)
})

test('what the app does not name any more is gone', async () => {
  answering(() => ({ data: [request('2-1')], history: [request('2-0', { state: 'expired' })] }))
  state.requests.value = new Map([['1-1', request('1-1')]])
  await loadRequests()
  assert.deepEqual([...state.requests.value.keys()].sort(), ['2-0', '2-1'])
})

test('taking control is about the tab of the request, and leads there', async () => {
  const place = { hash: '' }
  Object.assign(globalThis, { location: place })
  const sent: unknown[] = []
  answering((path, { body }) => {
    sent.push(path, JSON.parse(body as string))
    return { success: true }
  })
  assert.ok(await takeControl(request('3-1', { kind: 'do', tab: 'T1' })))
  assert.deepEqual(sent, ['/v1.0/browser_profiles/3/live/control', { tab: 'T1', on: true }])
  assert.equal(place.hash, '#/live/3/T1')
})

test('an answer that fails is told, and the request stays', async () => {
  answering(() => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- the fake answers with what is thrown
    throw { code: 'E_NO_REQUEST', text: 'Gone.', hint: '' }
  })
  state.requests.value = new Map([['1-1', request('1-1')]])
  assert.equal(await answer('1-1', { allow: true }), false)
  assert.equal(waiting.value.length, 1)
  assert.equal(state.toasts.value[0]?.text, 'Gone.')
})

test('what is told while the list is read counts more than the list', async () => {
  const held = holding()
  state.requests.value = new Map([['1-1', request('1-1')]])
  const reads = loadRequests()
  onRequest(request('1-1', { state: 'answered', endedAt: '2026-05-20T12:01:00Z' }))
  onRequest(request('1-2'))
  held.find(call => call.path.endsWith('/asks'))?.answer({ data: [request('1-1'), request('1-3')], history: [] })
  await reads
  assert.deepEqual(waiting.value.map(r => r.id).sort(), ['1-2', '1-3'])
})
