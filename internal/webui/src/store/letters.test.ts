import assert from 'node:assert/strict'
import { test } from 'node:test'
import './fake.ts'
import { isLetter, readLetters, setLetters } from './letters.ts'
import * as state from './state.ts'

test('letters are turned off for good', () => {
  readLetters()
  assert.ok(state.letters.value)
  setLetters(false)
  state.letters.value = true
  readLetters()
  assert.equal(state.letters.value, false)
  setLetters(true)
})

test('arrows, Enter, the space bar and Ctrl with a letter are no letters', () => {
  const key = (key: string, ctrlKey = false) => isLetter({ key, ctrlKey, altKey: false, metaKey: false })
  assert.deepEqual(
    ['n', '/', '?', '1'].map(k => key(k)),
    [true, true, true, true],
  )
  assert.deepEqual(
    ['ArrowUp', 'Enter', ' ', 'Escape'].map(k => key(k)),
    [false, false, false, false],
  )
  assert.equal(key('a', true), false)
})
