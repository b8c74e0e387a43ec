import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerTo, outcomeText, rights, sentPolicy, steps, typed, usually, withAnswer, withPreset } from './policy.ts'

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

test('a preset forgets the answers to single rights, and a person’s own browser has its own', () => {
  const f = typed(guarded)
  assert.deepEqual(withPreset(f, 'guarded').rights, {})
  assert.deepEqual(withPreset(f, 'open', true).rights, {})
  const again = withPreset(withPreset(f, 'open', true), 'guarded', true)
  assert.deepEqual([again.preset, again.allow], ['guarded', f.allow])
  assert.deepEqual(
    rights.filter(right => answerTo(again, right) !== answerTo(withPreset(f, 'guarded'), right)),
    ['script', 'storage'],
  )
  assert.equal(answerTo(again, 'script'), 'ask')
  assert.equal(answerTo(again, 'storage'), 'ask')
})

test('a test is about a page, and about what needs a right there', () => {
  assert.equal(steps[0], '')
  assert.ok(steps.every(step => !step || rights.includes(step)))
  assert.equal(steps.length, rights.length - 1)
  assert.equal(outcomeText({ url: '', answer: 'no', rule: 'it is blocked' }), 'It is blocked.')
})
