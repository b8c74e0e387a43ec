import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MCPClient } from '../api/types.ts'
import { about, commandOf, entryText, intact, ordered, other } from './clients.ts'

const client = (name: string, more: Partial<MCPClient> = {}): MCPClient => ({
  name,
  title: name,
  installed: false,
  files: [],
  scopes: ['user'],
  entries: [],
  ...more,
})

test('the installed clients come first, then those that people ask for', () => {
  const all = [client('rare'), client('codex'), client('odd', { installed: true }), client('cursor')]
  assert.deepEqual(
    ordered(all).map(c => c.name),
    ['odd', 'cursor', 'codex', 'rare'],
  )
})

test('a client says how it stands to a profile', () => {
  const entry = { name: 'cove-3', profile: 3, scope: 'user' as const, file: 'f', command: 'cove', args: [] }
  assert.equal(about(other, 3), 'copy JSON')
  assert.equal(about(client('a', { error: 'broken', installed: true }), 3), 'its file can’t be read')
  assert.equal(about(client('a', { installed: true, entries: [entry] }), 3), 'connected')
  assert.equal(about(client('a', { installed: true, entries: [entry] }), 4), 'installed')
  assert.equal(about(client('a'), 3), 'not found')
})

test('two clients have a command', () => {
  const bridge = ['/opt/my cove', 'mcp', '3']
  assert.equal(
    commandOf('claude-code', 'local')?.('cove-3', bridge),
    "claude mcp add cove-3 --scope local -- '/opt/my cove' mcp 3",
  )
  assert.equal(commandOf('codex', 'user')?.('cove-3', bridge), "codex mcp add cove-3 -- '/opt/my cove' mcp 3")
  assert.equal(commandOf('codex', 'project'), undefined)
  assert.equal(commandOf('cursor', 'user'), undefined)
})

test('an entry is JSON', () => {
  assert.deepEqual(JSON.parse(entryText('cove-3', ['cove', 'mcp', '3'])), {
    mcpServers: { 'cove-3': { command: 'cove', args: ['mcp', '3'] } },
  })
})

test('a skill that somebody changed, or that cannot be read, is not replaced without a question', () => {
  const skill = (status: 'found' | 'older' | 'newer' | 'changed' | 'missing', error?: string) =>
    intact({ client: 'codex', scope: 'user', file: 'f', status, ...(error && { error }) })
  assert.deepEqual([skill('found'), skill('older'), skill('missing')], [true, true, true])
  assert.deepEqual([skill('changed'), skill('newer'), skill('missing', 'no')], [false, false, false])
})
