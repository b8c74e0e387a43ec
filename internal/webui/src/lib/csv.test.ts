import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cells, readProfiles } from './csv.ts'

test('cells are read as spreadsheets write them', () => {
  assert.deepEqual(cells('a,b\r\n1,"x, ""y""\nz"\n\n'), [
    ['a', 'b'],
    ['1', 'x, "y"\nz'],
  ])
  assert.deepEqual(cells('a;b;c\n1;2,5;3'), [
    ['a', 'b', 'c'],
    ['1', '2,5', '3'],
  ])
  assert.deepEqual(cells('a\tb\n1\t2'), [
    ['a', 'b'],
    ['1', '2'],
  ])
  assert.deepEqual(cells(''), [])
})

test('the first row names the columns', () => {
  const { profiles, wrong, unknown } = readProfiles(
    '\uFEFFName,Tags,Folder,Proxy,Status,Pages,Colour\n' +
      'Acme,"shop, eu",Shops,socks5://me:pw@h.example:1080,Ready,https://a.example https://b.example,red\n' +
      ',x,,,,,\n' +
      'Bad,,,nonsense://,,,\n' +
      'Plain,,,,,,\n',
  )
  assert.deepEqual(unknown, ['Colour'])
  assert.deepEqual(wrong, [
    { row: 3, why: 'name' },
    { row: 4, why: 'proxy' },
  ])
  assert.equal(profiles.length, 2)
  const [acme, plain] = profiles
  assert.deepEqual(acme?.tags, ['shop', 'eu'])
  assert.deepEqual(acme?.status, { name: 'Ready' })
  assert.deepEqual(acme?.startPages, ['https://a.example', 'https://b.example'])
  assert.equal(acme?.proxy?.host, 'h.example')
  assert.deepEqual(plain, { name: 'Plain' })
})
