import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { call, Failure } from '../api/client.ts'
import { closePIN, connected, leave, onAccess } from './access.ts'
import { answering, reset, until } from './fake.ts'
import * as state from './state.ts'

beforeEach(reset)

test('who works in a profile that closed is gone', () => {
  onAccess({ profile: 1, agents: [{ kind: 'mcp', name: 'c' }], requests: [], takenOver: false, suspended: false })
  assert.equal(connected.value.length, 1)
  leave(1)
  assert.equal(connected.value.length, 0)
})

test('a call that needs the PIN waits for it, and is tried with it', async () => {
  const tried: [string, string | undefined][] = []
  answering((path, init) => {
    const pin = (init.headers as Record<string, string>)['Cove-Pin']
    tried.push([path, pin])
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- the fake answers with what is thrown
    if (pin !== '4711') throw { code: pin ? 'E_PIN_WRONG' : 'E_PIN_REQUIRED', text: 'PIN', hint: '' }
    return { done: true }
  })
  const answer = call('POST', '/panic', { on: false })
  await until('the question', () => !!state.pin.value)
  const asked = state.pin.value
  await assert.rejects(async () => asked?.attempt('1'), { code: 'E_PIN_WRONG' })
  const res = await asked?.attempt('4711')
  if (res) asked?.done(res)
  assert.deepEqual(await answer, { done: true })
  assert.deepEqual(tried.slice(-2), [
    ['/v1.0/pin/unlock', '4711'],
    ['/v1.0/panic', '4711'],
  ])
  closePIN()
})

test('a call whose PIN nobody types is refused', async () => {
  answering(() => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- the fake answers with what is thrown
    throw { code: 'E_PIN_REQUIRED', text: 'PIN', hint: '' }
  })
  const answer = call('POST', '/panic', { on: false })
  await until('the question', () => !!state.pin.value)
  state.pin.value?.refuse()
  closePIN()
  await assert.rejects(answer, e => e instanceof Failure && e.code === 'E_PIN')
})
