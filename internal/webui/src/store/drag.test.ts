import assert from 'node:assert/strict'
import { test } from 'node:test'
import './fake.ts'
import { folderOf } from './drag.ts'

test('a link leads to a folder or not', () => {
  assert.equal(folderOf('#/folder/A%2FB%20%231'), 'A/B #1')
  assert.equal(folderOf('#/folder/x?q=1'), 'x')
  assert.equal(folderOf('#/trash'), null)
  assert.equal(folderOf(null), null)
})
