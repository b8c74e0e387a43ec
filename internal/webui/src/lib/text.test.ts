import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apart, commandLine, lines, terms, typedText, upperFirst, words } from './text.ts'

test('words reads a list with commas, each word once', () => {
  assert.deepEqual(words(' shop, eu ,,shop'), ['shop', 'eu'])
  assert.deepEqual(words(''), [])
  assert.deepEqual(words(null), [])
})

test('lines reads a line for each', () => {
  assert.deepEqual(lines(' a \n\n b c\n'), ['a', 'b c'])
})

test('terms are small words', () => {
  assert.deepEqual(terms('  Big  SHOP '), ['big', 'shop'])
})

test('a command is quoted as a shell reads it', () => {
  assert.equal(
    commandLine(['claude', 'add', '--scope=x', '/a b/c', "it's", '']),
    `claude add --scope=x '/a b/c' 'it'\\''s' ''`,
  )
})

test('a sentence begins with a capital', () => {
  assert.equal(upperFirst('set with --port'), 'Set with --port')
  assert.equal(upperFirst(''), '')
})

test('the address of the page is taken out of what an agent wants', () => {
  assert.equal(apart('send a form on https://a.example/', 'https://a.example/'), 'send a form')
  assert.equal(apart('upload a file', undefined), 'upload a file')
})

test('a file is no text', () => {
  const form = new FormData()
  form.append('name', ' Acme ')
  form.append('file', new Blob(['x']))
  assert.equal(typedText(form, 'name'), ' Acme ')
  assert.equal(typedText(form, 'file'), '')
  assert.equal(typedText(form, 'absent'), '')
})
