// The bar at the bottom, always there. It opens the status window.
import { html } from './html.js'
import { state, set, planName } from './store.js'
import { count } from './time.js'

export function Bar({ browser }) {
  const s = state.status
  const open = () => set({ dialog: 'status' })
  return html`<footer><button type="button" id="open-status" aria-haspopup="dialog" onClick=${open} title="Status">
      ${state.online ? html`<b class="ok"></b>Local API <code>127.0.0.1:${s?.api_port || location.port}</code>` : html`<b class="down"></b><span class="down">Cove does not answer</span> <code>cove up</code>`}</button>
    ${s && html`<button type="button" onClick=${open}>${count(s.open.length, 'profile')} open</button>
      ${state.agents.length > 0 && html`<span class="wide">${count(state.agents.length, 'agent')} connected</span>`}${!state.panic && html`<button type="button" title="Cut off every agent" onClick=${() => set({ dialog: 'panic' })}>Panic…</button>`}<i class="grow" />
      <a href="#/settings">${s.logged_in ? `${(s.account || '').replace(/@localhost$/, '')} · ${planName(s)}` : 'Not logged in'}</a>
      <span class="wide">${browser ? `${browser.name} ${browser.version.split('.')[0]}` : ''}</span><button type="button" onClick=${open}>Cove ${s.version}</button>`}</footer>`
}
