// The table of profiles. Only the rows in sight are in the page, so it is as quick with 10,000 as with ten.
import { html, Component, useRef, useState, useLayoutEffect, useEvery } from './html.js'
import { state, set, changed, go, start, stop, restore, proxyText, proxyName, mayAutomate, stateName, noAgents } from './store.js'
import { State } from './parts.js'
import { ago, full } from './time.js'
import * as icons from './icons.js'

const rowHeight = 44, headHeight = 35, beyond = 6

export const columns = [['name', 'Name'], ['id', 'ID'], ['tags', 'Tags'], ['folder', 'Folder'], ['proxy', 'Proxy'], ['state', 'State'], ['opened', 'Last opened']]

function Head({ all, some, onAll }) {
  const { by, down } = state.sort
  return html`<div role="rowgroup" class="head"><div role="row" aria-rowindex="1" class="row">
    <span role="columnheader" class="c-check"><input type="checkbox" aria-label="Select all" checked=${all} ref=${e => { if (e) e.indeterminate = some && !all }} onChange=${onAll} tabindex="-1" /></span>
    ${columns.map(([key, name]) => html`<span role="columnheader" class=${'c-' + key} aria-sort=${by === key ? (down ? 'descending' : 'ascending') : 'none'}>
      <button type="button" tabindex="-1" onClick=${() => set({ sort: { by: key, down: by === key ? !down : false } })}>${name}${by === key && (down ? html`<${icons.Down} />` : html`<${icons.Up} />`)}</button></span>`)}
    <span role="columnheader" class="c-do"><span class="hidden">Actions</span></span></div></div>`
}

// Actions are what one can do with a profile in its present state.
export function Actions({ p, tab = 0, trash }) {
  const act = f => e => { e.stopPropagation(); f() }
  const b = (name, f, kind = '', more = {}) => html`<button type="button" class=${'btn ' + kind} tabindex=${tab} aria-label=${`${name}: ${p.name}`} onClick=${act(f)} ...${more}>${name}</button>`
  if (trash) return b('Restore', () => restore([p.id]))
  if (p.state === 'starting' || p.state === 'stopping') return null
  if (p.state === 'open') return html`${p.mode === 'automation' && b('Watch', () => go('live', p.id))} ${b('Stop', () => stop(p.id))}`
  const may = mayAutomate() && p.agents !== 'off'
  return html`${b('Open', () => start(p.id, false))} ${b('Open for agents', () => start(p.id, true), 'quiet', may ? {} : { disabled: true, title: mayAutomate() ? 'The profile keeps agents out.' : noAgents })}`
}

const cell = (name, what, title) => html`<span role="gridcell" class=${'c-' + name} title=${title}>${what}</span>`

class Row extends Component {
  shouldComponentUpdate(n) {
    const o = this.props
    return o.p !== n.p || o.index !== n.index || o.selected !== n.selected || o.active !== n.active || o.minute !== n.minute || o.may !== n.may
  }

  render({ p, index, selected, active, trash, onPick, onCheck, onOpen }) {
    return html`<div role="row" id=${'row-' + p.id} aria-rowindex=${index + 2} aria-selected=${!!selected} class=${'row' + (selected ? ' sel' : '') + (active ? ' active' : '')}
      style=${{ transform: `translateY(${index * rowHeight}px)` }} onClick=${e => onPick(p, e)} onDblClick=${() => onOpen(p)}>
      <span role="gridcell" class="c-check" onClick=${e => e.stopPropagation()}><input type="checkbox" tabindex="-1" aria-label=${'Select ' + p.name} checked=${selected} onClick=${e => onCheck(p, e)} /></span>
      <span role="gridcell" class="c-name">${trash ? html`<span class="name">${p.name}</span>` : html`<button type="button" class="name" tabindex="-1" title=${p.name} onClick=${e => { e.stopPropagation(); onOpen(p) }}>${p.name}</button>`}${p.agents && p.agents !== 'open' && html`<small class="dim" title=${'Agents: ' + p.agents}><${icons.Lock} /><span class="hidden">${p.agents}</span></small>`}</span>
      ${cell('id', p.id)}${cell('tags', p.tags.slice(0, 6).map(t => html`<span class="tag">${t}</span>`), p.tags.join(', '))}${cell('folder', p.folder, p.folder)}${cell('proxy', proxyName(p), proxyText(p))}
      ${cell('state', trash ? html`<span class="dim">In the trash</span>` : html`<${State} p=${p} />`)}${cell('opened', ago(p.openedAt), full(p.openedAt))}${cell('do', html`<${Actions} p=${p} tab=${active ? 0 : -1} trash=${trash} />`)}
    </div>`
  }
}

export function Table({ rows, onOpen, trash, label }) {
  const grid = useRef()
  const [view, setView] = useState({ top: 0, height: 600 })
  const anchor = useRef(0)
  const [minute, setMinute] = useState(0)
  useEvery(30000, () => setMinute(m => m + 1))
  useLayoutEffect(() => {
    const g = grid.current
    const look = () => setView(v => v.top === g.scrollTop && v.height === g.clientHeight ? v : { top: g.scrollTop, height: g.clientHeight })
    const sizes = new ResizeObserver(look)
    sizes.observe(g)
    g.addEventListener('scroll', look, { passive: true })
    return () => { sizes.disconnect(); g.removeEventListener('scroll', look) }
  }, [])
  const first = Math.max(0, Math.floor(view.top / rowHeight) - beyond)
  const last = Math.min(rows.length, Math.ceil((view.top + view.height) / rowHeight) + beyond)
  const activeIndex = rows.findIndex(p => p.id === state.active)

  const pick = (p, e) => {
    const index = rows.indexOf(p)
    if (e.shiftKey) range(anchor.current, index)
    else if (e.ctrlKey || e.metaKey) toggle(p)
    if (!e.shiftKey) anchor.current = index
    set({ active: p.id })
  }
  const range = (a, b) => { for (const p of rows.slice(Math.min(a, b), Math.max(a, b) + 1)) state.selected.add(p.id); changed() }
  const toggle = p => { state.selected.has(p.id) ? state.selected.delete(p.id) : state.selected.add(p.id); changed() }
  const check = (p, e) => { if (e.shiftKey) range(anchor.current, rows.indexOf(p)); else toggle(p); anchor.current = rows.indexOf(p); state.active = p.id; changed() }
  const selectAll = () => { state.selected = rows.every(p => state.selected.has(p.id)) ? new Set() : new Set(rows.map(p => p.id)); changed() }

  const moveTo = (i, extend) => {
    if (!rows.length) return
    i = Math.max(0, Math.min(rows.length - 1, i))
    if (extend) range(activeIndex < 0 ? i : activeIndex, i)
    else anchor.current = i
    set({ active: rows[i].id })
    const g = grid.current, top = i * rowHeight
    if (top < g.scrollTop) g.scrollTop = top
    else if (top + rowHeight > g.scrollTop + g.clientHeight - headHeight) g.scrollTop = top + rowHeight - g.clientHeight + headHeight
  }
  const keys = e => {
    if (e.target.tagName === 'BUTTON' && (e.key === 'Enter' || e.key === ' ')) return
    const page = Math.max(1, Math.floor(view.height / rowHeight) - 2)
    const at = rows[activeIndex]
    const does = {
      ArrowDown: () => moveTo(activeIndex + 1, e.shiftKey), ArrowUp: () => moveTo(activeIndex < 0 ? 0 : activeIndex - 1, e.shiftKey),
      PageDown: () => moveTo(activeIndex + page, e.shiftKey), PageUp: () => moveTo(activeIndex - page, e.shiftKey),
      Home: () => moveTo(0, e.shiftKey), End: () => moveTo(rows.length - 1, e.shiftKey),
      Enter: () => at && onOpen(at), ' ': () => at && toggle(at),
      a: () => (e.ctrlKey || e.metaKey) && selectAll(),
      Escape: () => { state.selected = new Set(); changed() },
      o: () => at && !trash && at.state === 'closed' && start(at.id, false),
      g: () => at && !trash && at.state === 'closed' && mayAutomate() && start(at.id, true),
      s: () => at && !trash && at.state === 'open' && stop(at.id),
      w: () => at && at.mode === 'automation' && go('live', at.id),
    }[e.key]
    if (!does || ((e.ctrlKey || e.metaKey || e.altKey) && e.key !== 'a') || (e.key === 'a' && !e.ctrlKey && !e.metaKey)) return
    e.preventDefault()
    does()
  }
  const shown = activeIndex >= first && activeIndex < last
  const picked = rows.length > 0 && state.selected.size > 0
  const at = rows[activeIndex]
  return html`<div class=${'grid' + (state.route.folder !== undefined ? ' in-folder' : '')} role="grid" tabindex="0" id="table" ref=${grid} aria-label=${label} aria-rowcount=${rows.length + 1} aria-multiselectable="true"
    aria-activedescendant=${shown ? 'row-' + rows[activeIndex].id : null} onKeyDown=${keys} onFocus=${e => { if (e.target === grid.current && activeIndex < 0 && rows.length) set({ active: rows[Math.min(rows.length - 1, Math.ceil(view.top / rowHeight))].id }) }}>
    <${Head} all=${picked && rows.every(p => state.selected.has(p.id))} some=${picked} onAll=${selectAll} />
    <div role="rowgroup" class="rows" style=${{ height: rows.length * rowHeight + 'px' }}>
      ${rows.slice(first, last).map((p, i) => html`<${Row} key=${p.id} p=${p} index=${first + i} minute=${minute} may=${mayAutomate()} selected=${state.selected.has(p.id)} active=${p.id === state.active} trash=${trash} onPick=${pick} onCheck=${check} onOpen=${onOpen} />`)}
    </div></div><span class="hidden" role="status">${at && `${at.name}, ${stateName(at)}`}</span>`
}
