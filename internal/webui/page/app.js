// The window: signs itself in, hears what changes, and draws the view of the address.
import { html, render, Component } from './html.js'
import { state, set, listen, readRoute, follow, loadAll, readStatus, refreshAgents, failed } from './store.js'
import * as api from './api.js'
import { Nav } from './nav.js'
import { Bar } from './bar.js'
import { Status } from './status.js'
import { Profiles } from './profiles.js'
import { Activity } from './activity.js'
import { Connect } from './connect.js'
import { Live } from './live.js'
import { Journal } from './journal.js'
import { Proxies } from './proxies.js'
import { Settings } from './settings.js'
import { SignIn } from './signin.js'
import { Login } from './account.js'
import { Keys, onKey } from './keys.js'
import { Toasts } from './parts.js'
import { Banner, Panic, Pin } from './asks.js'

const views = { profiles: Profiles, activity: Activity, connect: Connect, live: Live, journal: Journal, proxies: Proxies, settings: Settings }

// keyOf says when a view begins anew: what was typed into a profile's window outlives an app that was away.
const keyOf = ({ view, arg }) => view === 'profiles' ? view : [view, state.returns, view === 'connect' ? '' : arg].join()

function skip(e) {
  e.preventDefault()
  const h = document.querySelector('main h1, main h2')
  h.tabIndex = -1
  h.focus()
}

class App extends Component {
  componentDidMount() { this.stop = listen(() => this.forceUpdate()) }
  componentDidUpdate() { document.title = [document.querySelector('header h1')?.textContent, 'Cove'].filter(Boolean).join(' – ') }
  componentWillUnmount() { this.stop() }
  render() {
    if (state.page === 'loading') return state.pin ? html`<${Pin} />` : html`<p class="hidden" role="status">Loading…</p>`
    if (state.page === 'signin') return html`<${SignIn} />`
    const View = views[state.route.view]
    const out = state.status && !state.status.logged_in && state.route.view !== 'settings'
    return html`<a class="skip" href="#main" onClick=${skip}>Skip to the content</a>
      <${Banner} /><${Nav} />${out ? html`<main id="main" class="alone"><${Login} title="Log in to see the profiles" /></main>` : html`<${View} key=${keyOf(state.route)} />`}<${Bar} browser=${state.browser} />
      ${state.dialog === 'status' && html`<${Status} />`}${state.dialog === 'keys' && html`<${Keys} />`}${state.dialog === 'panic' && html`<${Panic} />`}${state.pin && html`<${Pin} />`}${!state.modals && html`<${Toasts} />`}`
  }
}

// begin takes the code out of the address before anything else: it works once, and must not stay in the history.
async function begin() {
  const code = /^#code=([\w-]+)$/.exec(location.hash)?.[1]
  let known = false
  if (code) {
    history.replaceState(null, '', '/')
    try { await api.signIn(code); known = true } catch (e) { state.refused = `${e.message} ${e.hint || ''}` }
  }
  try {
    if (!api.hasKey()) throw new Error('nobody has signed in here')
    if (!known) await api.signedIn()
  } catch {
    set({ page: 'signin' })
    return
  }
  state.refused = null
  readRoute()
  set({ page: 'app' })
  follow()
  await loadAll().catch(failed)
  api.get('/browsers').then(a => set({ browser: a.data.find(b => b.used) }), () => {})
  setInterval(() => state.online && state.page === 'app' && document.visibilityState === 'visible' && (readStatus(), refreshAgents()), 3000)
}

addEventListener('hashchange', () => /^#code=/.test(location.hash) ? location.reload() : readRoute())
addEventListener('storage', () => state.page === 'signin' && location.reload()) // signed in beside this window
addEventListener('keydown', onKey)
addEventListener('visibilitychange', () => state.page === 'app' && document.visibilityState === 'visible' && readStatus())
render(html`<${App} />`, document.getElementById('app'))
begin()
