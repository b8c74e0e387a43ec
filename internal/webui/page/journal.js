// What agents did in a profile, the newest first.
import { html, useEffect, useState } from './html.js'
import { state, go, trying } from './store.js'
import * as api from './api.js'
import { Btn, Empty, Picture, CopyButton } from './parts.js'
import { count, full } from './time.js'

const page = 50

export function Journal() {
  const id = Number(state.route.arg), p = state.profiles.get(id), at = `/browser_profiles/${id}/journal`
  const [all, setAll] = useState(null), [older, setOlder] = useState(true), [report, setReport] = useState(null)
  const read = async before => {
    const { data } = await api.get(`${at}?newest=1&limit=${page}${before ? '&before=' + before : ''}`)
    setAll(old => [...new Map([...(old || []), ...data].map(e => [e.seq, e])).values()].sort((a, b) => b.seq - a.seq))
    return data.length === page
  }
  // A picture has an entry of its own, after its step; it is shown with it.
  const shown = new Map()
  for (const e of all || []) if (e.name === 'picture' && e.args) shown.set(e.args.of + e.args.began, e.picture)
  const steps = all?.filter(e => e.name !== 'picture').map(e => ({ ...e, picture: e.picture || shown.get(e.name + e.time) }))
  useEffect(() => { document.title = 'Journal – Cove'; trying(async () => setOlder(await read())) }, [])
  useEffect(() => { const t = p?.state === 'open' && setInterval(() => state.online && read().catch(() => {}), 2000); return () => clearInterval(t) }, [p?.state])
  const command = `cove journal export ${id}`
  return html`<main id="main"><header><h1>Journal of ${p?.name || id}</h1><i class="grow" />
    <${Btn} onClick=${() => trying(async () => setReport(await api.get(at + '/verify')))}>Verify<//>${p?.mode === 'automation' && html`<${Btn} onClick=${() => go('live', id)}>Watch<//>`}<${Btn} onClick=${() => go('profile', id)}>Edit<//></header>
    ${report && html`<div class="filters" role="status">${report.ok ? html`<span class="ok">Nothing was changed: ${count(report.entries, 'entry', 'entries')} and ${count(report.pictures, 'picture')} are as they were written.</span>` : html`<div class="bad">${report.problems.map(t => html`<div>${t}</div>`)}</div>`}</div>`}
    ${steps && !steps.length ? html`<${Empty} title="Nothing yet"><p>Each step of an agent in this profile is written down here, with a small picture.</p><//>`
    : html`<ol class="log journal" tabindex="0" aria-label="Steps, the newest first">${steps?.map(e => html`<li key=${e.seq}>${e.picture && html`<${Picture} key=${e.picture} label=${'The page after ' + e.name} load=${() => api.picture(`${at}/pictures/${e.picture}`)} />`}<div>
      <time datetime=${e.time}>${full(e.time)} · ${Math.round(e.ms)} ms</time><code>${e.name}</code> <span class="dim">${e.agent.name} ${e.agent.version || ''}${e.agent.pid ? ` (process ${e.agent.pid})` : ''}</span>
      ${e.outcome !== 'ok' && html`<p class=${e.outcome === 'error' ? 'warn' : 'bad'}>${e.outcome}${e.reason && ': ' + e.reason}</p>`}<p class="path">${e.page}</p><p class="dim path">${JSON.stringify(e.args || {}).slice(1, 200).replace(/}$/, '')}</p></div></li>`)}
      ${older && all && html`<li><${Btn} onClick=${() => trying(async () => setOlder(await read(all.at(-1).seq)))}>Older<//></li>`}
      <li class="dim">All of it as lines of JSON: <code>${command}</code> <${CopyButton} text=${command} label="Copy the command" class="copy" /></li></ol>`}</main>`
}
