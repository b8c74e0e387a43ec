// The list of profiles: search, filters, what to do with many, and the trash.
import { html, useState, useMemo } from './html.js'
import { state, set, changed, go, rows, shelves, each, opening, closing, patch, remove, restore, mayAutomate, toast, words, noAgents, noFilter } from './store.js'
import { Table, columns } from './table.js'
import { Btn, Ask, Empty, Field, Close, Options } from './parts.js'
import { Edit } from './edit.js'
import { count } from './time.js'
import * as icons from './icons.js'

const states = [['', 'Any state'], ['open', 'Open'], ['agents', 'Open for agents'], ['closed', 'Closed'], ['crashed', 'Crashed']]
const ways = [['', 'Any way'], ['direct', 'Direct'], ['proxy', 'Through a proxy']]

function Filters() {
  const { filter, sort } = state, { tags } = shelves()
  const change = more => set({ filter: { ...filter, ...more } })
  return html`<div class="filters" role="group" aria-label="Filters">
    <select aria-label="State" value=${filter.state} onChange=${e => change({ state: e.target.value })}><${Options} of=${states} now=${filter.state} /></select>
    <select aria-label="Proxy" value=${filter.proxy} onChange=${e => change({ proxy: e.target.value })}><${Options} of=${ways} now=${filter.proxy} /></select>
    ${tags.length > 0 && html`<select aria-label="Tag" value="" onChange=${e => { if (e.target.value) change({ tags: [...new Set([...filter.tags, e.target.value])] }); e.target.value = '' }}>
      <${Options} of=${[['', 'Tag…'], ...tags.slice(0, 500).map(([t, n]) => [t, `${t} (${n})`])]} now="" /></select>`}
    <select aria-label="Order" value=${sort.by} onChange=${e => set({ sort: { by: e.target.value, down: false } })}><${Options} of=${columns.map(([c, n]) => [c, 'By ' + n.toLowerCase()])} now=${sort.by} /></select>
    <${Btn} aria-pressed=${sort.down} onClick=${() => set({ sort: { ...sort, down: !sort.down } })}>Reversed<//>
    ${filter.tags.map(t => html`<button type="button" class="tag on" aria-label=${'Do not filter by ' + t} onClick=${() => change({ tags: filter.tags.filter(o => o !== t) })}>${t} <${icons.Cross} /></button>`)}
    <i class="grow" /><${Btn} kind="quiet" onClick=${() => { set({ filter: noFilter }) }}>Clear<//></div>`
}

function Many({ trash }) {
  const ids = [...state.selected], n = count(ids.length, 'profile')
  const [ask, setAsk] = useState(null), never = () => setAsk(null)
  const done = () => { state.selected = new Set(); changed() }
  const pick = test => ids.filter(id => { const p = state.profiles.get(id); return p && test(p) })
  const closed = p => p.state === 'closed'
  const run = (name, automation) => each(pick(closed), name, id => opening(id, automation))
  const b = (name, f, kind = '', more = {}) => html`<${Btn} kind=${kind} onClick=${f} ...${more}>${name}<//>`
  return html`<div class="many" role="toolbar" aria-label="What to do with the selected profiles"><strong>${count(ids.length, 'selected', 'selected')}</strong>
    ${trash ? html`${b('Restore', () => restore(ids))}${b('Delete for good…', () => setAsk('purge'), 'quiet')}`
      : html`${b('Open', () => run('Opened', false))}${b('Open for agents', () => run('Opened for agents', true), '', mayAutomate() ? {} : { disabled: true, title: noAgents })}
        ${b('Stop', () => each(pick(p => !closed(p)), 'Stopped', closing))}${b('Tag…', () => setAsk('tag'))}${b('Move…', () => setAsk('move'))}${b('Delete…', () => setAsk('delete'), 'quiet')}`}
    <i class="grow" /><${Close} onClick=${done} />
    ${ask === 'tag' && html`<${Ask} title=${`Tag ${n}`} go="Tag" onClose=${never} onGo=${form => {
      const add = words(form.get('add')), drop = words(form.get('drop'))
      return each(ids, 'Tagged', id => patch(id, { tags: [...new Set([...state.profiles.get(id).tags, ...add])].filter(t => !drop.includes(t)) }))
    }}><${Field} label="Tags to add" hint="Several with commas between them.">${a => html`<input ...${a} name="add" list="all-tags" data-first />`}<//>
      <${Field} label="Tags to take away">${a => html`<input ...${a} name="drop" list="all-tags" />`}<//><//>`}
    ${ask === 'move' && html`<${Ask} title=${`Move ${n}`} go="Move" onClose=${never} onGo=${form => each(ids, 'Moved', id => patch(id, { folder: form.get('folder').trim() }))}>
      <${Field} label="Folder" hint="A new name makes a new folder; empty takes them out of theirs.">${a => html`<input ...${a} name="folder" list="all-folders" data-first />`}<//><//>`}
    ${ask === 'delete' && html`<${Ask} title=${`Delete ${n}?`} text="They go to the trash with their logins and can be restored from there." go="Move to the trash" danger onClose=${never} onGo=${() => remove(ids).then(ok => {
      if (ok) toast(`${n} in the trash`, { action: { name: 'Undo', run: () => restore(ids) } })
      return ok
    })} />`}
    ${ask === 'purge' && html`<${Ask} title=${`Delete ${n} for good?`} text="Their cookies, logins and files are removed from this computer. Nobody can bring them back." go="Delete for good" danger careful onClose=${never} onGo=${() => remove(ids, true)} />`}
    </div>`
}

function Nothing({ trash, filtered }) {
  if (trash) return html`<${Empty} title="The trash is empty"><p>Deleted profiles wait here until you restore them or delete them for good.</p><//>`
  if (filtered) return html`<${Empty} title="No profile fits"><p>Nothing has these words, tags or this state${state.route.folder ? ` in the folder ${state.route.folder}` : ''}.</p>
    <p><${Btn} onClick=${() => set({ search: '', filter: noFilter })}>Show all<//></p><//>`
  return html`<${Empty} title="No profiles yet"><p>A profile is an identity: its own cookies, logins, extensions and proxy, apart from all others.
    Open one by hand and log in where you need to; then a script or an agent can work in it.</p>
    <p><${Btn} kind="primary" onClick=${() => go('new')}>New profile<//></p><//>`
}

// FirstSteps teaches whoever has one profile that was never opened.
const FirstSteps = ({ p }) => html`<section class="steps" aria-label="First steps"><div><strong>1 · Open</strong><p>Opens ${p.name} in a window of its own. Log in where you need to.</p></div>
  <div><strong>2 · Open for agents</strong><p>Opens it with a guarded debugging port for scripts, and tools for agents.</p></div>
  <div><strong>3 · Connect an agent</strong><p>Registers the profile in Claude Code, Cursor, Codex and others.</p><${Btn} onClick=${() => go('connect', p.id)}>Connect an agent…<//></div></section>`

export function Profiles() {
  const { route } = state, list = rows()
  const [filters, setFilters] = useState(false)
  const active = state.filter.state || state.filter.proxy || state.filter.tags.length
  const title = route.trash ? 'Trash' : route.folder !== undefined ? route.folder : 'Profiles'
  const ready = route.trash ? state.trash : state.loaded
  // Made again only when they change: drawing them takes longer than the rows.
  const shelf = shelves(), known = useMemo(() => Object.entries(shelf).map(([name, all]) => html`<datalist id=${'all-' + name}>${all.slice(0, 300).map(([t]) => html`<option value=${t} />`)}</datalist>`), [shelf])
  const only = !route.trash && state.profiles.size === 1 ? list[0] : null
  return html`<main id="main"><header><h1>${title}</h1>
      <div class="search" role="search"><${icons.Search} /><input id="search" type="search" aria-label="Search profiles" placeholder="Search name, tag, note or id" autocomplete="off" value=${state.search}
        onInput=${e => set({ search: e.target.value })} onKeyDown=${e => {
          if (e.key === 'Escape') { set({ search: '' }); document.getElementById('table')?.focus() }
          if (e.key === 'ArrowDown' || e.key === 'Enter') { e.preventDefault(); if (list[0]) set({ active: list[0].id }); document.getElementById('table')?.focus() }
        }} /><kbd aria-hidden="true">/</kbd></div>
      <span class="found" role="status">${(state.search || active) ? `${list.length.toLocaleString('en')} found` : ''}</span>
      <i class="grow" />
      <button type="button" class=${'btn' + (active ? ' on' : '')} aria-expanded=${!!(filters || active)} onClick=${() => setFilters(!filters)}>Filter</button>
      ${!route.trash && html`<${Btn} kind="primary" title="New profile (n)" onClick=${() => go('new')}>New profile<//>`}</header>
    ${(filters || active) ? html`<${Filters} />` : null}
    ${!route.trash && state.status && !mayAutomate() && html`<div class="strip" role="note"><${icons.Warn} /> The Free plan opens profiles for you, not for scripts and agents. <a href="#/settings">Change the plan</a></div>`}
    ${state.selected.size > 0 && html`<${Many} trash=${route.trash} />`}
    ${!ready ? html`<p class="loading" role="status">Reading the profiles…</p>` : list.length ? html`<${Table} rows=${list} label=${title} trash=${route.trash} onOpen=${p => !route.trash && go('profile', p.id)} />`
      : html`<${Nothing} trash=${route.trash} filtered=${state.search || active || route.folder !== undefined} />`}
    ${only && !only.openedAt && html`<${FirstSteps} p=${only} />`}
    ${known}
    ${(route.name === 'profile' || route.name === 'new') && html`<${Edit} key=${route.name + route.arg} id=${route.name === 'new' ? 0 : Number(route.arg)} />`}
  </main>`
}
