import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planName, stateKind, stateName, stateText } from './session.ts'

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

test('the state of a person’s own browser says what to do, and why it ended', () => {
  const external = { dataDir: '/c', dir: 'Default' }
  const failure = { type: 'denied', code: 'E_ADOPT_REFUSED', text: 'Refused.', hint: '', at: '' } as const
  const startFailure = { ...failure, mode: 'automation' } as const
  const cases = [
    [{ state: 'starting' }, 'Connecting…', 'busy', undefined],
    [{ state: 'starting', step: 'wait-allow' }, 'Press Allow', 'busy', /Press Allow once/],
    [{ state: 'starting', step: 'switch-off' }, 'Tick the box', 'busy', /chrome:\/\/inspect/],
    [{ state: 'open', mode: 'automation' }, 'Open for agents', 'auto', undefined],
    [{ state: 'closed' }, 'Not shared', '', undefined],
    [{ state: 'closed', end: 'stopped' }, 'Not shared', '', undefined],
    [{ state: 'closed', end: 'let-go' }, 'Let go', '', /stay open/],
    [{ state: 'closed', end: 'switched-off' }, 'Box unticked', '', /turned off/],
    [{ state: 'closed', end: 'browser-quit' }, 'Browser closed', '', /was closed/],
    [{ state: 'closed', end: 'keeper-ended' }, 'Connection lost', 'bad', /was lost/],
    [{ state: 'closed', end: 'refused' }, 'Not allowed', '', /pressed Cancel/],
    [{ state: 'closed', end: 'let-go', startFailure }, 'Not connected', 'bad', /^Refused\.$/],
    [{ state: 'closed', startFailure }, 'Not connected', 'bad', /^Refused\.$/],
  ] as const
  for (const [p, name, kind, text] of cases) {
    const own = { ...p, external }
    assert.equal(stateName(own), name)
    assert.equal(stateKind(own), kind)
    if (text) assert.match(stateText(own) ?? '', text)
    else assert.equal(stateText(own), undefined)
  }
})

test('a plan has a name where there is one', () => {
  assert.equal(planName({ plan: 'solo' }), 'Solo plan')
  assert.equal(planName({}), '')
  assert.equal(planName(null), '')
})
