// The rail at the left: views and folders.
import { html, useMemo } from './html.js'
import { state, shelves, asks } from './store.js'
import { count } from './time.js'
import * as icons from './icons.js'

const Item = ({ to, icon, name, n, here }) => html`<a href=${'#/' + to} aria-current=${here ? 'page' : null} title=${name}><${icon} /><span class="label">${name}</span>${n !== undefined && n !== '' && html`<span class="n">${typeof n === 'number' ? n.toLocaleString('en') : n}</span>`}</a>`

export function Nav() {
  const { route, agents } = state, waiting = asks().length, { folders } = shelves(), at = route.view === 'profiles' ? route.folder : null
  const shown = useMemo(() => folders.slice(0, 200).map(([name, n]) => html`<${Item} key=${name} to=${'folder/' + encodeURIComponent(name)} icon=${icons.Folder} name=${name} n=${n} here=${at === name} />`), [folders, at])
  return html`<nav aria-label="Views"><a class="brand" href="#/" aria-label="Cove, all profiles"><i aria-hidden="true"></i><span class="label">Cove</span></a>
    <${Item} to="" icon=${icons.Profiles} name="Profiles" n=${state.loaded ? state.total || state.profiles.size : ''} here=${route.view === 'profiles' && route.folder === undefined && !route.trash} />
    <${Item} to="activity" icon=${icons.Activity} name="Activity" n=${waiting ? html`<span class="warn">${count(waiting, 'asks', 'ask')}</span>` : agents.length ? count(agents.length, 'agent') : ''} here=${['activity', 'live', 'journal'].includes(route.view)} />
    <${Item} to="connect" icon=${icons.Plug} name="Connect an agent" here=${route.view === 'connect'} />
    <${Item} to="proxies" icon=${icons.Proxies} name="Proxies" here=${route.view === 'proxies'} />
    <${Item} to="settings" icon=${icons.Gear} name="Settings" here=${route.view === 'settings'} />
    <h2>Folders</h2>
    ${shown}
    <${Item} to="trash" icon=${icons.Trash} name="Trash" n=${state.trashed || ''} here=${route.trash && route.view === 'profiles'} />
  </nav>`
}
