import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerTo, outcomeText, rights, sentPolicy, steps, typed, usually, withAnswer } from './policy.ts'

const guarded = {
  preset: 'guarded' as const,
  sites: { allow: ['https://a.example'], block: [] },
  rights: { download: 'yes' as const },
  oneDriver: true,
  answerers: ['claude-code', 'codex'],
}

test('a policy that is filled in and sent is as it was', () => {
  assert.deepEqual(sentPolicy(typed(guarded)), guarded)
})

test('presets answer every right', () => {
  assert.deepEqual(
    rights.map(r => usually('guarded', r)),
    ['yes', 'no', 'ask', 'ask', 'ask', 'no', 'no', 'ask', 'ask', 'no', 'ask'],
  )
  assert.ok(rights.every(r => usually('read-only', r) === 'no' && usually('off', r) === 'no'))
  assert.equal(usually('open', 'script'), 'yes')
})

test('an answer of its own stands before the preset', () => {
  const f = typed(guarded)
  assert.equal(answerTo(f, 'download'), 'yes')
  assert.equal(answerTo(f, 'upload'), 'ask')
})

test('the answer of the preset is not written down', () => {
  const f = typed(guarded)
  assert.deepEqual(withAnswer(f, 'download', 'ask').rights, {})
  assert.deepEqual(withAnswer(f, 'upload', 'no').rights, { download: 'yes', upload: 'no' })
  assert.deepEqual(f.rights, { download: 'yes' }, 'the form itself is not changed')
})

test('a test is about a page, and about what needs a right there', () => {
  assert.equal(steps[0], '')
  assert.ok(steps.every(step => !step || rights.includes(step)))
  assert.equal(steps.length, rights.length - 1)
  assert.equal(outcomeText({ url: '', answer: 'no', rule: 'it is blocked' }), 'It is blocked.')
})
