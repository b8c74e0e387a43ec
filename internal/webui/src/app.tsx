// The window: signs itself in, hears what changes, and draws the view of the address.
import { effect } from '@preact/signals'
import { type ComponentChildren, type ComponentType, render } from 'preact'
import { hasKey, signedIn, signIn, told } from './api/client.ts'
import { Jobs } from './parts/jobs.tsx'
import { Menu } from './parts/menu.tsx'
import { later } from './parts/later.tsx'
import { Modal, Toasts } from './parts/modal.tsx'
import { follow, followWhileSeen, loadAll, readBrowser, readStatus, show, signedOut } from './store/app.ts'
import { followDrags } from './store/drag.ts'
import { readLetters } from './store/letters.ts'
import { failed } from './store/messages.ts'
import { waiting } from './store/requests.ts'
import { readColumns } from './store/rows.ts'
import { readSound } from './store/sound.ts'
import { follow as followAddress, keepView } from './store/view.ts'
import type { Dialog, Route, View } from './store/state.ts'
import * as state from './store/state.ts'
import { t } from './strings.ts'
import { Login } from './views/account.tsx'
import { Activity } from './views/activity.tsx'
import { Bar } from './views/bar.tsx'
import { Banner, Panic, Pin } from './views/guard.tsx'
import { Keys, onKey } from './views/keys.tsx'
import { Nav } from './views/nav.tsx'
import { Palette } from './views/palette.tsx'
import { Profiles } from './views/profiles.tsx'
import { Requests } from './views/requests.tsx'
import { SaveView } from './views/saved.tsx'
import { SignIn } from './views/signin.tsx'
import { Status } from './views/status.tsx'

const views: Record<View, ComponentType> = {
  profiles: Profiles,
  activity: Activity,
  requests: Requests,
  connect: later(async () => (await import('./views/connect.tsx')).Connect),
  live: later(async () => (await import('./views/live.tsx')).Live),
  journal: later(async () => (await import('./views/journal.tsx')).Journal),
  proxies: later(async () => (await import('./views/proxies.tsx')).Proxies),
  settings: later(async () => (await import('./views/settings.tsx')).Settings),
}

// beginning is a dialog whose script is on its way.
const beginning =
  (title: string) =>
  ({ children }: { children: ComponentChildren }) => (
    <Modal
      kind="ask"
      title={title}
      onClose={() => {
        show(null)
      }}
    >
      <div class="body">{children}</div>
    </Modal>
  )

const dialogs: Record<Dialog, ComponentType> = {
  adopt: later(async () => (await import('./views/adopt.tsx')).Adopt, beginning(t.adopt.title)),
  status: Status,
  keys: Keys,
  panic: Panic,
  palette: Palette,
  csv: later(async () => (await import('./views/import.tsx')).Import, beginning(t.csv.title)),
  view: SaveView,
}

// keyOf says when a view begins anew: what was typed into a profile's window outlives an app that was away.
const keyOf = ({ view, arg }: Route) =>
  view === 'profiles' ? view : [view, state.returns.value, view === 'connect' || view === 'requests' ? '' : arg].join()

function skip(e: Event): void {
  e.preventDefault()
  const heading = document.querySelector<HTMLElement>('main h1, main h2')
  if (!heading) return
  heading.tabIndex = -1
  heading.focus()
}

function Content() {
  const route = state.route.value
  const s = state.status.value
  const Shown = views[route.view]
  if (s?.logged_in !== false || route.view === 'settings') return <Shown key={keyOf(route)} />
  return (
    <main id="main" class="alone">
      <Login title={t.account.loginTitle} />
    </main>
  )
}

function App() {
  const pin = state.pin.value
  const page = state.page.value
  if (page === 'signin') return <SignIn />
  if (page === 'loading')
    return pin ? (
      <Pin request={pin} />
    ) : (
      <p class="hidden" role="status">
        {t.app.loading}
      </p>
    )
  const Shown = state.dialog.value && dialogs[state.dialog.value]
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
        {t.app.skip}
      </a>
      <Banner />
      <Nav />
      <Content />
      <Bar />
      {Shown && <Shown />}
      {pin && <Pin request={pin} />}
      <Jobs />
      <Menu />
      {!state.modals.value && <Toasts />}
    </>
  )
}

// enter signs in with the code of a link. The code leaves the address before anything else: it works once, and must
// not stay in the history.
async function enter(code: string): Promise<boolean> {
  history.replaceState(null, '', '/')
  try {
    await signIn(code)
    return true
  } catch (e) {
    state.refused.value = told(e)
    return false
  }
}

// known says whether this window is signed in.
async function known(): Promise<boolean> {
  const code = /^#code=([\w-]+)$/.exec(location.hash)?.[1]
  if (code && (await enter(code))) return true
  if (!hasKey()) return false
  try {
    await signedIn()
    return true
  } catch {
    return false
  }
}

const seen = () => state.page.value === 'app' && document.visibilityState === 'visible'

async function begin(): Promise<void> {
  if (!(await known())) {
    signedOut(state.refused.value)
    return
  }
  state.refused.value = ''
  readLetters()
  readSound()
  readColumns()
  followAddress(location.hash)
  state.page.value = 'app'
  followWhileSeen()
  void follow()
  await loadAll().catch(failed)
  void readBrowser()
  setInterval(() => {
    if (!state.online.value || !seen()) return
    void readStatus()
  }, 3000)
}

addEventListener('hashchange', () => {
  if (location.hash.startsWith('#code=')) location.reload()
  else followAddress(location.hash)
})
addEventListener('storage', () => {
  if (state.page.value === 'signin') location.reload() // signed in beside this window
})
addEventListener('keydown', onKey)
keepView()
followDrags()
addEventListener('visibilitychange', () => {
  if (seen()) void readStatus()
})
effect(() => {
  const n = state.page.value === 'app' && state.follows.value ? waiting.value.length : 0
  const title = [state.dialogTitle.value || state.viewTitle.value, t.name].filter(Boolean).join(' – ')
  document.title = n ? `(${n}) ${title}` : title
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  const file = n ? '/ui/icon-waiting.svg' : '/ui/icon.svg'
  if (icon && icon.getAttribute('href') !== file) icon.href = file
})

const root = document.getElementById('app')
if (root) render(<App />, root)
void begin()
