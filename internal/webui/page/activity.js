// What is open now, and who works in it.
import { html, useEffect } from './html.js'
import { state, go, refreshAgents } from './store.js'
import { Empty, State } from './parts.js'
import { Actions } from './table.js'
import { count, since, full } from './time.js'

export function Activity() {
  useEffect(() => { document.title = 'Activity – Cove'; refreshAgents(); const t = setInterval(refreshAgents, 2000); return () => clearInterval(t) }, [])
  const open = [...state.profiles.values()].filter(p => p.state !== 'closed').sort((a, b) => (b.openedAt || '').localeCompare(a.openedAt || ''))
  return html`<main id="main"><header><h1>Activity</h1><span class="dim">${open.length ? `${count(open.length, 'profile')} open` : ''}</span></header>
    ${!open.length ? html`<${Empty} title="Nothing is open"><p>Open profiles and the agents that work in them are shown here.</p><p><button type="button" class="btn" onClick=${() => go('')}>Show the profiles</button> <button type="button" class="btn" onClick=${() => go('connect')}>Connect an agent…</button></p></${Empty}>`
    : html`<ul class="cards">${open.map(p => {
      const who = state.agents.filter(a => a.profile === p.id)
      return html`<li class="card" key=${p.id}><div class="line"><a class="name" href=${'#/profile/' + p.id}>${p.name}</a><code class="dim">${p.id}</code><${State} p=${p} /><span class="grow"></span><${Actions} p=${p} /></div>
        ${p.mode === 'automation' && html`<ul class="who">${who.length ? who.map(a => html`<li><b class=${'dot ' + (a.kind === 'agent' ? 'auto' : '')}></b>${a.kind === 'script' ? 'a script through the port' : a.name}${a.since && html`<span class="dim" title=${full(a.since)}> · connected ${since(a.since)}</span>`}</li>`) : html`<li class="dim">Nobody is connected now.</li>`}</ul>`}</li>`
    })}</ul>`}</main>`
}
