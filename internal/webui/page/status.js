// The status window: where the app is, who is logged in, which browser, and what is wrong.
import { html, useState, useEffect } from './html.js'
import { state, set, planName, readStatus, refreshAgents } from './store.js'
import * as api from './api.js'
import { Btn, Modal, CopyButton } from './parts.js'
import * as icons from './icons.js'

export function Status() {
  const [findings, setFindings] = useState(null), [log, setLog] = useState(null), [browsers, setBrowsers] = useState(null)
  const [reading, setReading] = useState(false), [all, setAll] = useState(false)
  useEffect(() => {
    readStatus(); refreshAgents()
    api.get('/doctor').then(a => setFindings(a.data), () => {})
    api.get('/browsers').then(a => setBrowsers(a.data), () => {})
  }, [state.online])
  const readLog = () => { setReading(true); api.get('/logs?lines=200').then(setLog, e => setLog({ data: [e.message], path: '' })).finally(() => setReading(false)) }
  const s = state.status, bad = findings?.filter(f => !f.ok)
  const used = browsers?.find(b => b.used), address = `http://127.0.0.1:${s?.api_port}`
  const names = new Map()
  for (const a of state.agents) names.set(`${a.name} → ${a.profile}`, (names.get(`${a.name} → ${a.profile}`) || 0) + 1)
  return html`<${Modal} kind="status" title="Status" onClose=${() => set({ dialog: null })}><div class="body">${!s || !state.online ? html`<p>Cove does not answer. Start it with <code>cove up</code>.</p>` : html`<dl>
    <dt>Local API</dt><dd><code id="api-address">${address}</code> <${CopyButton} text=${address} label="Copy the address" class="copy" /></dd>
    <dt>Port</dt><dd><span id="api-port">${s.api_port}</span>${s.port_reason && html`<div class=${/used by/.test(s.port_reason) ? 'warn' : 'dim'}>${s.port_reason[0].toUpperCase() + s.port_reason.slice(1)}</div>`}</dd>
    <dt>Account</dt><dd>${s.logged_in ? `${s.account || ''} · ${planName(s)}, ${s.automation ? 'automation included' : 'without automation'}` : html`Nobody is logged in. <a href="#/settings">Log in</a>`}</dd>
    <dt>Browser</dt><dd>${!browsers ? '…' : used ? html`${used.name} ${used.version}<div class="dim path">${used.path}</div>` : html`<span class="bad">None was found.</span> <code>cove browser install</code>`}</dd>
    <dt>Data folder</dt><dd class="path">${s.home} <${CopyButton} text=${s.home} label="Copy the data folder" class="copy" /></dd>
    <dt>Open profiles</dt><dd>${s.open.length ? s.open.map(o => html`<span class="one">${o.name || 'Temporary'} (${o.id})</span>`) : 'none'}</dd>
    <dt>Agents</dt><dd>${names.size ? [...names].map(([n, k]) => html`<span class="one">${n}${k > 1 ? ` ×${k}` : ''}</span>`) : 'none'}</dd>
    <dt>Version</dt><dd>Cove ${s.version}, process ${s.pid}</dd>
    <dt>Check-up</dt><dd>${!findings ? '…' : bad.length ? html`<span class="warn">${bad.length} of ${findings.length} checks found something</span>` : html`<span class="ok"><${icons.Check} /> all ${findings.length} checks passed</span>`}
      ${all || bad?.length ? html`<ul class="findings">${(all ? findings : bad).map(f => html`<li class=${f.ok ? '' : 'warn'}>${f.ok ? html`<${icons.Check} />` : html`<${icons.Warn} />`}<span><strong>${f.name}</strong> ${f.text}${f.hint && html`<span class="dim"> ${f.hint}</span>`}</span></li>`)}</ul>` : null}
      ${findings?.length > 0 && html`<button type="button" class="link" aria-expanded=${all} onClick=${() => setAll(!all)}>${all ? 'Show less' : 'Show all checks'}</button>`}</dd></dl>
    <details onToggle=${e => e.target.open && readLog()}><summary>Log</summary>${log ? html`<p class="dim path">${log.path}</p><pre class="log-tail" tabindex="0" aria-label="The end of the log">${log.data.join('\n')}</pre><${Btn} disabled=${reading} onClick=${readLog}>Read again<//>` : html`<p>Reading…</p>`}</details>
    <p class="links"><a href="/docs" target="_blank" rel="noopener">Read and try the local API</a></p>`}</div><//>`
}
