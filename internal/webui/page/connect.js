// Connect an agent: a profile, a client, and the one entry that the client needs.
import { html, useState, useEffect, useMemo } from './html.js'
import { state, go, mayAutomate, failed } from './store.js'
import * as api from './api.js'
import { Advice, CopyButton, Field, State } from './parts.js'
import * as icons from './icons.js'

const quote = a => /^[\w@%+=:,./~-]+$/.test(a) ? a : `'${a.replaceAll("'", `'\\''`)}'`
const line = words => words.map(quote).join(' ')
const json = v => JSON.stringify(v, null, 2)
const entry = ([command, ...args]) => ({ command, args })
const servers = (name, c) => json({ mcpServers: { [name]: entry(c) } })

// clients are those whose entry can be shown without asking anybody.
const clients = [
  { id: 'claude-code', name: 'Claude Code', text: (n, c) => line(['claude', 'mcp', 'add', n, '--scope', 'user', '--', ...c]) },
  { id: 'codex', name: 'Codex', text: (n, c) => line(['codex', 'mcp', 'add', n, '--', ...c]) },
  { id: 'gemini', name: 'Gemini CLI', text: (n, c) => line(['gemini', 'mcp', 'add', '-s', 'user', n, ...c]) },
  { id: 'vscode', name: 'VS Code', text: (n, c) => line(['code', '--add-mcp', JSON.stringify({ name: n, ...entry(c) })]) },
  { id: 'cursor', name: 'Cursor', file: '~/.cursor/mcp.json', text: servers },
  { id: 'claude-desktop', name: 'Claude Desktop', file: 'claude_desktop_config.json (Settings, Developer, Edit Config)', text: servers },
  { id: 'windsurf', name: 'Windsurf', file: '~/.codeium/windsurf/mcp_config.json', text: servers },
  { id: 'zed', name: 'Zed', file: 'settings.json', text: (n, c) => json({ context_servers: { [n]: entry(c) } }) },
  { id: 'opencode', name: 'opencode', file: '~/.config/opencode/opencode.json', text: (n, c) => json({ mcp: { [n]: { type: 'local', command: c } } }) },
  { id: 'other', name: 'Other…', note: 'copy the JSON', file: 'the client’s list of MCP servers', text: servers },
]

function PickProfile({ id }) {
  const [search, setSearch] = useState('')
  const found = useMemo(() => {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean)
    const out = []
    for (const p of state.profiles.values()) if (words.every(w => p.text.includes(w)) && out.push(p) >= 8) break
    return out
  }, [search, state.version])
  return html`<${Field} label="Find a profile">${a => html`<input ...${a} type="search" value=${search} placeholder="Name, tag, note or id" autocomplete="off" onInput=${e => setSearch(e.target.value)} />`}</${Field}>
    <div class="picks" role="group" aria-label="Profile">${found.map(p => html`<button type="button" key=${p.id} class="client" aria-pressed=${p.id === id ? 'true' : 'false'} onClick=${() => go('connect', p.id)}>${p.name}<small>${p.id} · ${p.tags.join(', ') || 'no tags'}</small></button>`)}</div>`
}

// Check connects as a client does and counts the tools.
function Check({ p }) {
  const [result, setResult] = useState(null), [busy, setBusy] = useState(false)
  useEffect(() => setResult(null), [p.id])
  const run = async () => {
    setBusy(true)
    setResult(null)
    try { setResult(await api.tools(p.id)) } catch (e) { setResult({ error: e }) }
    setBusy(false)
  }
  return html`<button type="button" class="btn" id="check" disabled=${busy || !mayAutomate()} onClick=${run}>Check the connection</button>
    <span role="status" class="result">${busy ? 'Connecting…' : result?.error ? html`<span class="bad"><${icons.Warn} /> ${result.error.message} <span class="dim">${result.error.hint}</span></span>`
      : result && html`<span class="ok"><${icons.Check} /> Connected · ${result.tools} tools · ${result.ms} ms</span>`}</span>`
}

export function Connect() {
  const id = Number(state.route.arg) || (state.profiles.size === 1 ? [...state.profiles.keys()][0] : 0)
  const p = state.profiles.get(id)
  const [client, setClient] = useState('claude-code')
  useEffect(() => { document.title = 'Connect an agent – Cove' }, [])
  const name = `cove-${id}`, bridge = state.status?.bridge
  const c = clients.find(c => c.id === client)
  const text = p && bridge && c.text(name, [...bridge, String(id)])
  return html`<main id="main"><header><h1>Connect an agent</h1></header><div class="page wide">
    <section class="card" aria-labelledby="s1"><div class="line"><h2 id="s1">1 · Profile</h2>${p && html`<span class="dim">${p.name}, ${p.id}</span><${State} p=${p} /><span class="grow"></span>${state.profiles.size > 1 && html`<button type="button" class="btn quiet" onClick=${() => go('connect')}>Another…</button>`}`}</div>
      ${!p && html`<${PickProfile} id=${id} />`}</section>
    ${p && !mayAutomate() && html`<div class="strip" role="note"><${icons.Warn} /> The Free plan does not open profiles for agents: a client could be registered, but not connect. <a href="#/settings">Change the plan</a></div>`}
    ${p && html`<section class="card" aria-labelledby="s2"><h2 id="s2">2 · Client</h2><div class="clients" role="group" aria-labelledby="s2">${clients.map(c => html`<button type="button" key=${c.id} class="client" aria-pressed=${c.id === client ? 'true' : 'false'} onClick=${() => setClient(c.id)}>${c.name}<small>${c.note || (c.file ? 'an entry in a file' : 'one command')}</small></button>`)}</div></section>
    <${Advice} short />
    <section class="card" aria-labelledby="s3"><h2 id="s3">3 · Connect</h2>
      <p class="dim">${c.file ? html`Put this into <code>${c.file}</code>, beside what is there.` : 'Run this in a terminal.'} It adds one server, <code>${name}</code>. The profile opens when the client starts.</p>
      ${text && html`<div class="command"><pre tabindex="0" aria-label="What to run or paste"><code>${text}</code></pre><${CopyButton} text=${text} label="Copy" /></div>`}
      <div class="line"><${Check} p=${p} /></div></section>`}
  </div></main>`
}
