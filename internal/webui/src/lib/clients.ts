// The MCP clients as the view that connects them orders and explains them.
import type { MCPClient, MCPEntry, SkillFile } from '../api/types.ts'
import { t } from '../strings.ts'
import { commandLine } from './text.ts'

// Scope says where an entry counts.
export type Scope = MCPEntry['scope']

type Command = (name: string, command: string[]) => string

// commands are what people can run instead of a click. Every other client gets its entry as text.
const commands: Record<string, (scope: Scope) => Command | undefined> = {
  'claude-code': scope => (name, command) =>
    commandLine(['claude', 'mcp', 'add', name, '--scope', scope, '--', ...command]),
  codex: scope =>
    scope === 'user' ? (name, command) => commandLine(['codex', 'mcp', 'add', name, '--', ...command]) : undefined,
}

// commandOf is the command that adds an entry to a client, if it has one.
export const commandOf = (client: string, scope: Scope): Command | undefined => commands[client]?.(scope)

// other stands for a client that is not in the list.
export const other: MCPClient = {
  name: 'other',
  title: t.connect.other,
  installed: true,
  files: [],
  entries: [],
  scopes: ['user'],
}

// asked are the clients that people ask for most. The installed ones come first all the same.
export const asked = [
  'claude-code',
  'claude-desktop',
  'cursor',
  'vscode',
  'codex',
  'gemini',
  'windsurf',
  'zed',
  'opencode',
]

const rank = (c: MCPClient) => (c.installed ? 0 : 100) + (asked.indexOf(c.name) + 1 || 50)

// ordered are the clients, the likeliest first.
export const ordered = (all: MCPClient[]): MCPClient[] => [...all].sort((a, b) => rank(a) - rank(b))

// about says in a word how a client stands to a profile.
export function about(c: MCPClient, profile: number): string {
  if (c === other) return t.connect.copyJSON
  if (c.error) return t.connect.unreadable
  if (c.entries.some(e => e.profile === profile)) return t.connect.connected
  return c.installed ? t.connect.installed : t.connect.notFound
}

// intact says that no file of somebody else's is in the way of the skill.
export const intact = ({ status, error }: SkillFile): boolean =>
  !error && (status === 'found' || status === 'older' || status === 'missing')

// entryText is an entry for a client that Cove does not know.
export const entryText = (name: string, [command, ...args]: string[]): string =>
  JSON.stringify({ mcpServers: { [name]: { command, args } } }, null, 2)
