// Connect an agent: a profile, a client, and the one entry that the client needs.
import { html, useState, useEffect, useMemo } from './html.js'
import { state, go, mayAutomate, failed, toast } from './store.js'
import * as api from './api.js'
import { Card, Btn, Advice, CopyButton, Field, State, Pick } from './parts.js'
import { count, line } from './time.js'
import * as icons from './icons.js'

// commands are what people can run instead of a click; every other client gets its entry as text.
const commands = {
  'claude-code': scope => (n, c) => line(['claude', 'mcp', 'add', n, '--scope', scope, '--', ...c]),
  codex: scope => scope === 'user' && ((n, c) => line(['codex', 'mcp', 'add', n, '--', ...c])),
}
const other = { name: 'other', title: 'Other…', installed: true, files: [], entries: [], scopes: ['user'] }
const scopes = { user: ['user', 'Everywhere', 'In every project of yours.'], project: ['project', 'One project', 'In a file of the project, for everybody who works in it.'], local: ['local', 'One project, only you', 'In a file of yours, for one project.'] }
// asked are the clients that people ask for most; the installed ones come first all the same.
const asked = ['claude-code', 'claude-desktop', 'cursor', 'vscode', 'codex', 'gemini', 'windsurf', 'zed', 'opencode']

function PickProfile({ id }) {
  const [search, setSearch] = useState('')
  const found = useMemo(() => {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean)
    const out = []
    for (const p of state.profiles.values()) if (words.every(w => p.text.includes(w)) && out.push(p) >= 8) break
    return out
  }, [search, state.version])
  return html`<${Field} label="Find a profile">${a => html`<input ...${a} type="search" value=${search} placeholder="Name, tag, note or id" onInput=${e => setSearch(e.target.value)} />`}<//>
    <div class="picks" role="group" aria-label="Profile">${found.map(p => html`<${Pick} key=${p.id} on=${p.id === id} about=${`${p.id} · ${p.tags.join(', ') || 'no tags'}`} title=${p.name} onClick=${() => go('connect', p.id)}>${p.name}<//>`)}${!found.length && html`<p class="dim" role="status">${state.profiles.size ? 'No profile fits.' : html`There is no profile yet. <a href="#/new">New profile</a>`}</p>`}</div>`
}

const Choice = ({ label, now, of, onPick }) => html`<div class="choice" role="group" aria-label=${label}><span class="dim" aria-hidden="true">${label}</span>${of.map(([value, name, about]) => html`<${Btn} aria-pressed=${value === now} title=${about} onClick=${() => onPick(value)}>${name}<//>`)}</div>`

// Connection is the third step: the entry, the click that writes it, and whether it works.
function Connection({ p, client, wrapper, scope, folder, onChange }) {
  const [snippet, setSnippet] = useState(null), [change, setChange] = useState(null), [result, setResult] = useState(null), [busy, setBusy] = useState('')
  const [plan, setPlan] = useState(null), [refused, setRefused] = useState(null) // what a click would do in a project's folder
  const person = scope === 'user', ready = person || plan
  const entry = person ? client.entries.find(e => e.profile === p.id && e.scope === 'user') : plan?.action === 'unchanged' ? plan.entry : null
  // An entry of the other kind, or of a Cove that was elsewhere, is not the one that a click here would write.
  const same = entry && (!person || (wrapper ? entry.args.some(a => a.endsWith('profile-devtools-mcp.mjs')) : entry.command === state.status?.bridge?.[0]))
  const path = `/clients/${client.name}/`, body = { profile: p.id, wrapper, ...(person ? {} : { scope, folder }) }, name = `cove-${p.id}`, bridge = state.status?.bridge
  useEffect(() => {
    let mine = true
    if (client === other) {
      const [command, ...args] = [...(bridge || ['cove', 'mcp']), String(p.id)]
      setSnippet({ text: JSON.stringify({ mcpServers: { [name]: { command, args } } }, null, 2), files: [] })
    } else api.post(path + 'snippet', { profile: p.id, wrapper }).then(s => mine && setSnippet(s), e => mine && setSnippet({ error: e }))
    if (!person && folder && client.installed) look().catch(e => mine && setRefused(e))
    return () => { mine = false }
  }, [])
  const look = async () => setPlan((await api.post(path + 'add', { ...body, dryRun: true })).data[0])
  const doing = async (what, work) => {
    setBusy(what)
    try { await work() } catch (e) { failed(e); setResult({ error: e.message + ' ' + (e.hint || '') }) }
    setBusy('')
  }
  const check = async () => setResult(await api.post(path + 'check', body))
  const connect = () => doing('Connecting…', async () => {
    const done = await api.post(path + 'add', body)
    setChange(null)
    await onChange()
    if (!person) await look()
    if (done.data[0]?.next) toast(done.data[0].next)
    if (mayAutomate()) await check()
  })
  const remove = () => doing('Removing…', async () => { await api.post(path + 'remove', { ...body, scope }); setResult(null); setChange(null); await onChange(); if (!person) await look() })
  const show = () => doing('Looking…', async () => setChange((await api.post(path + 'add', { ...body, dryRun: true })).data))
  const command = !wrapper && bridge && commands[client.name]?.(scope)
  const text = command ? command(name, [...bridge, String(p.id)]) : snippet?.text, file = person ? client.files[0] : plan?.entry.file
  const b = (label, f, kind = '', more = {}) => html`<${Btn} kind=${kind} disabled=${!!busy} onClick=${f} ...${more}>${label}<//>`
  const actions = html`<div class="line">${client !== other && client.installed && !same && ready && html`${b(entry ? 'Replace' : 'Connect', connect, 'primary')}${b('Show the change', show)}`}
      ${(client === other || same) && b('Check', () => doing('Connecting…', check), 'primary', mayAutomate() ? {} : { disabled: true })}${entry && b('Remove', remove)}
      <span role="status" class="result">${busy ? html`<span class="dim">${busy}</span>` : result?.error ? html`<span class="bad"><${icons.Warn} /> ${result.error}</span>`
        : result?.connected ? html`<span class="ok"><${icons.Check} /> Connected · ${count(result.tools, 'tool')} · ${Math.max(1, Math.round(result.ms))} ms</span>` : entry && html`<span class="dim"><${icons.Check} /> Registered ${same ? '' : 'to run something else '}in <span class="path">${entry.file}</span></span>`}</span></div>
    ${change?.map(c => html`<p class="dim">${c.action === 'unchanged' ? 'Nothing would change in' : 'The change to'} <code class="path">${c.entry.file}</code></p>${c.diff && html`<pre class="diff" tabindex="0" aria-label="The change">${c.diff.split('\n').map(l => html`<span class=${l[0] === '+' ? 'ok' : l[0] === '-' ? 'bad' : ''}>${l}${'\n'}</span>`)}</pre>`}`)}`
  return html`<${Card} title="3 · Connect">
    ${refused || snippet?.error && !command ? html`<p class="error all" role="alert">${(refused || snippet.error).message} <span class="dim">${(refused || snippet.error).hint}</span></p>` : html`
    <p class="dim">${client === other ? html`For a client that is not in the list: put this into its file of MCP servers.` : client.installed ? html`Adds one server, <code>${name}</code>, ${file ? html`to <code class="path">${file}</code>` : `for ${folder || 'a folder'}`}, and touches nothing else in the file.`
      : html`${client.title} was not found on this computer. When it is there, ${command ? 'run this' : html`this belongs into <code class="path">${file || 'the file of the folder'}</code>`}:`}</p>
    ${actions}
    ${text && client !== other && client.installed && html`<p class="dim">Or by hand:</p>`}
    ${text && html`<div class="command"><pre tabindex="0" aria-label="What to run or paste"><code>${text}</code></pre><${CopyButton} text=${text} label="Copy" /></div>`}`}<//>`
}

export function Connect() {
  const id = Number(state.route.arg) || (state.profiles.size === 1 ? [...state.profiles.keys()][0] : 0)
  const p = state.profiles.get(id)
  const [clients, setClients] = useState(null), [name, setName] = useState(''), [wrapper, setWrapper] = useState(false), [all, setAll] = useState(false)
  const [scope, setScope] = useState('user'), [folder, setFolder] = useState(''), [typed, setTyped] = useState('')
  const read = () => api.get('/clients').then(a => {
    const rank = c => (c.installed ? 0 : 100) + (asked.indexOf(c.name) + 1 || 50)
    const list = [...a.data].sort((x, y) => rank(x) - rank(y))
    setClients([...list, other])
    setName(n => n || list[0].name)
  }, failed)
  useEffect(() => { read() }, [])
  const client = clients?.find(c => c.name === name)
  const where = client?.scopes?.includes(scope) ? scope : 'user'
  const shown = clients?.filter(c => all || c.installed || c.name === name || asked.includes(c.name))
  const about = c => c === other ? 'copy the JSON' : c.error ? 'its file cannot be read' : c.entries.some(e => e.profile === id) ? 'connected' : c.installed ? 'installed' : 'not found'
  return html`<main id="main"><header><h1>Connect an agent</h1></header><div class="page wide">
    <section class="card" aria-labelledby="s1"><div class="line"><h2 id="s1">1 · Profile</h2>${p && html`<span class="dim">${p.name}, ${p.id}</span><${State} p=${p} /><i class="grow" />${state.profiles.size > 1 && html`<${Btn} kind="quiet" onClick=${() => go('connect')}>Another…<//>`}`}</div>
      ${!p && html`<${PickProfile} id=${id} />`}</section>
    ${p && !mayAutomate() && html`<div class="strip" role="note"><${icons.Warn} /> The Free plan does not open profiles for agents: a client could be registered, but not connect. <a href="#/settings">Change the plan</a></div>`}
    ${p && clients && html`<section class="card" aria-labelledby="s2"><h2 id="s2">2 · Client</h2>
      <div class="clients" role="group" aria-labelledby="s2">${shown.map(c => html`<${Pick} key=${c.name} on=${c.name === name} about=${about(c)} data-absent=${!c.installed} title=${c.title} onClick=${() => setName(c.name)}>${c.title.replace(/ \(.*/, '')}<//>`)}</div>
      ${shown.length < clients.length && html`<p class="more"><${Btn} kind="quiet" onClick=${() => setAll(true)}>${clients.length - shown.length} more clients…<//></p>`}
      ${client?.error && html`<p class="error">${client.error}</p>`}
      ${client && client !== other && html`<div class="choices"><${Choice} label="Tools" now=${wrapper} onPick=${setWrapper} of=${[[false, 'Cove’s own', 'The native bridge: needs no Node, starts in milliseconds.'], [true, 'Chrome DevTools MCP', 'The wrapper: the upstream server, through Node.']]} />
        ${client.scopes.length > 1 && html`<${Choice} label="Where" now=${where} onPick=${setScope} of=${client.scopes.toReversed().map(s => scopes[s])} />`}</div>
        ${where !== 'user' && html`<form class="line folder" onSubmit=${e => { e.preventDefault(); setFolder(typed.trim()) }}><label for="folder">Folder of the project</label><input id="folder" value=${typed} placeholder="/home/me/project" autocomplete="off" onInput=${e => setTyped(e.target.value)} /><button class="btn" disabled=${!typed.trim() || typed.trim() === folder}>Use it</button></form>`}`}</section>
    <${Advice} short />
    ${client && html`<${Connection} key=${[id, name, wrapper, where, folder].join()} p=${p} client=${client} wrapper=${wrapper && client !== other} scope=${where} folder=${folder} onChange=${read} />`}`}
  </div></main>`
}
