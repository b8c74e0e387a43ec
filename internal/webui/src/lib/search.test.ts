import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fits, readSearch } from './search.ts'

const empty = { words: [], tags: [], states: [], folders: [] }

test('a search has words, quoted words and words with a key', () => {
  assert.deepEqual(readSearch('  Acme  store '), { ...empty, words: ['acme', 'store'] })
  assert.deepEqual(readSearch('"Acme store" eu'), { ...empty, words: ['acme store', 'eu'] })
  assert.deepEqual(readSearch('tag:EU State:open folder:"My shops" x'), {
    words: ['x'],
    tags: ['eu'],
    states: ['open'],
    folders: ['my shops'],
  })
  assert.deepEqual(readSearch('"still typing'), { ...empty, words: ['still typing'] })
  assert.deepEqual(readSearch('price:10 tagged:x'), { ...empty, words: ['price:10', 'tagged:x'] })
  assert.deepEqual(readSearch('folder:""'), { ...empty, folders: [''] }, 'in no folder')
  assert.deepEqual(readSearch(''), empty)
  assert.deepEqual(readSearch('""'), empty)
})

const p = {
  state: 'open' as const,
  mode: 'automation' as const,
  tags: ['EU', 'shop two'],
  folder: 'Work',
  text: 'acme store eu shop two',
}

test('everything of a search must fit', () => {
  const found = (text: string) => fits(p, readSearch(text))
  assert.ok(found('acme tag:eu'))
  assert.ok(found('tag:"shop two" folder:work state:agents'))
  assert.ok(!found('tag:shop'), 'a tag is meant whole')
  assert.ok(!found('"store acme"'))
  assert.ok(!found('state:closed'))
  assert.ok(!found('state:nonsense'))
  assert.ok(!found('folder:""'))
})

test('a failed start is a state', () => {
  const failure = { code: 'E_BROWSER_LAUNCH' as const, text: 'no', hint: '', mode: 'ordinary' as const, at: '' }
  assert.ok(fits({ ...p, state: 'closed', mode: undefined, startFailure: failure }, readSearch('state:failed')))
  assert.ok(!fits(p, readSearch('state:failed')))
})
