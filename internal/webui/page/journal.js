// What agents did in a profile, the newest first.
import { html, useEffect, useState, useEvery } from './html.js'
import { state, go, trying } from './store.js'
import * as api from './api.js'
import { Btn, Empty, Picture, CopyButton, apart } from './parts.js'
import { count, full } from './time.js'

const page = 50

// deeds are what people did with a profile, in words, and what is left to say of each.
const deeds = {
  opened: () => ['Opened for agents'], closed: ({ end }) => [end === 'crashed' ? 'The browser crashed' : 'Closed'],
  policy: ({ preset, ...rules }) => ['You changed what agents may do: ' + preset, rules],
  takeover: () => ['You took over'], giveback: ({ note }) => ['You gave it back', { 'the agents were told': note }],
  panic: () => ['You cut off every agent'], 'panic lifted': () => ['You let agents in again'],
  allowed: (a, page) => [`You let ${a.agent} ${apart(a.what, page)}${a.always ? ', and the like until it leaves' : ''}`, through(a)], refused: (a, page) => [`You did not let ${a.agent} ${apart(a.what, page)}`, through(a)],
}
const through = ({ by }) => by === 'person' ? {} : { 'you answered through': by }
// told is a value as people read it.
const told = v => Array.isArray(v) ? v.map(told).join(', ') : v && typeof v === 'object' ? Object.entries(v).map(([k, x]) => `${k.replaceAll('_', ' ')}: ${told(x)}`).join(' · ') : String(v)

function Step({ e, at }) {
  const keeper = e.agent.kind === 'keeper', [words, rest = {}] = keeper && deeds[e.name]?.(e.args || {}, e.page) || [null, e.args]
  const more = told(rest || {})
  return html`<li>${e.picture && html`<${Picture} key=${e.picture} label=${'The page after ' + e.name} load=${() => api.blob(`${at}/pictures/${e.picture}`)} />`}<div>
    <time datetime=${e.time}>${full(e.time)}${!keeper && ` · ${Math.round(e.ms)} ms`}</time>${words ? html`<strong>${words}</strong>` : html`<code>${e.name}</code> <span class="dim">${e.agent.name} ${e.agent.version || ''}${e.agent.pid ? ` (process ${e.agent.pid})` : ''}</span>`}
    ${(e.reason || e.outcome !== 'ok') && html`<p class=${{ ok: '', error: 'warn' }[e.outcome] ?? 'bad'}>${e.outcome !== 'ok' && e.outcome + ': '}${e.reason}</p>`}
    ${e.page && html`<p class="path">${e.page}</p>`}${more && html`<p class="dim path">${more.slice(0, 300)}${more.length > 300 && '…'}</p>`}</div></li>`
}

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
  useEffect(() => { trying(async () => setOlder(await read())) }, [])
  useEvery(2000, () => p?.state === 'open' && state.online && read().catch(() => {}))
  const command = `cove journal export ${id}`
  return html`<main id="main"><header><h1>Journal of ${p?.name || id}</h1><i class="grow" />
    <${Btn} onClick=${() => trying(async () => setReport(await api.get(at + '/verify')))}>Verify<//>${p?.mode === 'automation' && html`<${Btn} onClick=${() => go('live', id)}>Watch<//>`}<${Btn} onClick=${() => go('profile', id)}>Edit<//></header>
    ${report && html`<div class="filters" role="status">${report.ok ? html`<span class="ok">Nothing was changed: ${count(report.entries, 'entry', 'entries')} and ${count(report.pictures, 'picture')} are as they were written.</span>` : html`<div class="bad"><strong>This journal was changed after it was written: do not rely on it.</strong>${report.problems.map(t => html`<div>${t}</div>`)}</div>`}</div>`}
    ${steps && !steps.length ? html`<${Empty} title="Nothing yet"><p>Each step of an agent in this profile is written down here, with a small picture.</p><p><a href=${'#/connect/' + id}>Connect an agent…</a></p><//>`
    : html`<ol class="log journal" tabindex="0" aria-label="Steps, the newest first">${steps?.map(e => html`<${Step} key=${e.seq} e=${e} at=${at} />`)}
      ${older && all && html`<li><${Btn} onClick=${() => trying(async () => setOlder(await read(all.at(-1).seq)))}>Older<//></li>`}
      <li class="dim">All of it as lines of JSON: <code>${command}</code> <${CopyButton} text=${command} label="Copy the command" class="copy" /></li></ol>`}</main>`
}
