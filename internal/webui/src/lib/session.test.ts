import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planName, stateKind, stateName } from './session.ts'

test('a state has a word and a kind', () => {
  const cases = [
    [{ state: 'starting' }, 'Opening…', 'busy'],
    [{ state: 'stopping', mode: 'automation' }, 'Closing…', 'busy'],
    [{ state: 'open', mode: 'automation' }, 'Open for agents', 'auto'],
    [{ state: 'open', mode: 'ordinary' }, 'Open', 'open'],
    [{ state: 'closed' }, 'Closed', ''],
    [{ state: 'closed', end: 'left' }, 'Closed', ''],
    [{ state: 'closed', end: 'crashed' }, 'Crashed', 'bad'],
  ] as const
  for (const [p, name, kind] of cases) {
    assert.equal(stateName(p), name)
    assert.equal(stateKind(p), kind)
  }
})

test('a plan has a name where there is one', () => {
  assert.equal(planName({ plan: 'solo' }), 'Solo plan')
  assert.equal(planName({}), '')
  assert.equal(planName(null), '')
})
