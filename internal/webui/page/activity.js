// What is open now, and who works in it.
import { html, useEffect, useEvery } from './html.js'
import { state, go, refreshAgents } from './store.js'
import { Btn, Empty, State } from './parts.js'
import { Actions } from './table.js'
import { Who } from './live.js'
import { count } from './time.js'

export function Activity() {
  useEffect(() => { refreshAgents() }, [])
  useEvery(2000, refreshAgents)
  const open = [...state.profiles.values()].filter(p => p.state !== 'closed').sort((a, b) => (b.openedAt || '').localeCompare(a.openedAt || ''))
  return html`<main id="main"><header><h1>Activity</h1><span class="dim">${open.length ? `${count(open.length, 'profile')} open` : ''}</span></header>
    ${!open.length ? html`<${Empty} title="Nothing is open"><p>Open profiles and the agents that work in them are shown here.</p><p><${Btn} onClick=${() => go('')}>Show the profiles<//> <${Btn} onClick=${() => go('connect')}>Connect an agent…<//></p><//>`
    : html`<ul class="cards">${open.map(p => html`<li class="card" key=${p.id}><div class="line"><a class="name" href=${'#/profile/' + p.id}>${p.name}</a><code class="dim">${p.id}</code><${State} p=${p} /><i class="grow" />${p.mode === 'automation' && html`<a class="btn quiet" href=${'#/journal/' + p.id}>Journal</a>`}<${Actions} p=${p} /></div>
        ${p.mode === 'automation' && html`<${Who} id=${p.id}><li class="dim">Nobody is connected now.</li><//>`}</li>`)}</ul>`}</main>`
}
