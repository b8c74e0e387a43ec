// The keys that work everywhere, and their help.
import { html } from './html.js'
import { state, set, go } from './store.js'
import { Modal } from './parts.js'

const help = [['/', 'Search'], ['n', 'New profile'], ['?', 'These keys'], ['a', 'What an agent asks'], ['↑ ↓', 'Move in the table'], ['Enter', 'Edit the profile'], ['Space', 'Select it'], ['Shift ↑ ↓', 'Select several'], ['Ctrl A', 'Select all'],
  ['o', 'Open it'], ['g', 'Open it for agents'], ['s', 'Stop it'], ['w', 'Watch it'], ['1 – 4', 'Profiles, Activity, Connect, Settings'], ['Esc', 'Close, or select nothing']]

export const Keys = () => html`<${Modal} kind="ask" title="Keys" onClose=${() => set({ dialog: null })}><div class="body"><dl class="keys">${help.map(([k, what]) => html`<dt><kbd>${k}</kbd></dt><dd>${what}</dd>`)}</dl></div><//>`

export function onKey(e) {
  const t = e.target
  if (state.page !== 'app' || e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented || document.querySelector('dialog[open]')
    || t.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(t.tagName) && t.type !== 'checkbox') return
  const place = ['', 'activity', 'connect', 'settings'][Number(e.key) - 1]
  if (e.key === '/') {
    // At once where it is there: what is typed next belongs into it.
    const find = () => { const s = document.getElementById('search'); s?.focus(); s?.select(); return s }
    if (!find()) { go(''); addEventListener('hashchange', () => requestAnimationFrame(find), { once: true }) }
  } else if (e.key === 'n') go('new')
  else if (e.key === 'a') document.querySelector('.asks button')?.focus()
  else if (e.key === '?') set({ dialog: 'keys' })
  else if (place !== undefined) go(place)
  else if ((e.key === 'ArrowDown' || e.key === 'ArrowUp') && t === document.body) document.getElementById('table')?.focus()
  else return
  e.preventDefault()
}
