// The app: its status, its events, and whether it is there.
import { batch, effect } from '@preact/signals-core'
import * as calls from '../api/calls.ts'
import { failureOf, signedIn } from '../api/client.ts'
import type { Event } from '../api/types.ts'
import { forgetAccess, leave, onAccess, onPanic } from './access.ts'
import { loadFolders } from './folders.ts'
import { forgetRunning, onJob, readRunning } from './jobs.ts'
import { dismissAway, failed } from './messages.ts'
import { loadRequests, onRequest } from './requests.ts'
import { countTrash, forget, loadProfiles, onProfile, onSession, reconcile } from './profiles.ts'
import * as state from './state.ts'
import { loadViews } from './views.ts'

let statusTimer: ReturnType<typeof setTimeout> | undefined

// refreshStatus reads the status soon, once for all that ask for it.
export function refreshStatus(): void {
  clearTimeout(statusTimer)
  statusTimer = setTimeout(() => void readStatus(), 30)
}

export async function readStatus(): Promise<void> {
  try {
    const was = state.status.value
    const now = await calls.status()
    batch(() => {
      state.status.value = now
      state.online.value = true
      reconcile(now.open)
    })
    if (!was || was.logged_in === now.logged_in) return
    if (now.logged_in) await loadProfiles().catch(failed)
    else forget()
  } catch {
    // the stream of events tells
  }
}

export async function loadAll(): Promise<void> {
  const list = loadProfiles()
  list.catch(() => undefined)
  await readStatus()
  if (state.status.value?.logged_in !== false) {
    await list
    void countTrash()
    void loadFolders()
    void loadViews()
    loadRequests().catch(() => undefined)
  }
}

export async function readBrowser(): Promise<void> {
  try {
    state.browser.value = (await calls.browsers()).data.find(b => b.used) ?? null
  } catch {
    // not shown then
  }
}

let foldersTimer: ReturnType<typeof setTimeout> | undefined

// foldersSoon reads the folders again, once for many changes: a profile may be the first of one, and a change of a
// folder is told as a change of its profiles.
function foldersSoon(): void {
  clearTimeout(foldersTimer)
  foldersTimer = setTimeout(() => void loadFolders(), 300)
}

function onEvent(e: Event): void {
  if (e.session) {
    onSession(e.session)
    if (e.session.state === 'closed') leave(e.session.id)
    refreshStatus()
  }
  if (e.profile) {
    onProfile(e.profile)
    foldersSoon()
  }
  if (e.access) onAccess(e.access)
  if (e.panic) onPanic(e.panic.on)
  if (e.request) onRequest(e.request)
  if (e.job) onJob(e.job)
}

// chosen says that this window follows also while nobody sees it.
let chosen = false

// followWhileSeen lets go of the app while nobody sees the window: a browser has six connections for all windows of one
// program. One of the windows, however many there are, follows all the same, for its title and its sounds.
export function followWhileSeen(): void {
  if (!isSecureContext) return // without locks each window follows
  const turn = () => {
    state.follows.value = chosen || document.visibilityState === 'visible'
  }
  document.addEventListener('visibilitychange', turn)
  void navigator.locks.request('cove.follows', () => {
    chosen = true
    turn()
    return new Promise<never>(() => undefined) // until the window closes
  })
  turn()
}

// followed waits until this window follows, or no longer does.
const followed = (wanted: boolean, signal?: AbortSignal): Promise<void> =>
  new Promise(done => {
    const stop = effect(() => {
      if (state.follows.value === wanted) queueMicrotask(end) // stop is known by then
    })
    function end() {
      stop()
      done()
    }
    signal?.addEventListener('abort', end)
  })

// catchUp reads what has changed while nobody saw the window.
async function catchUp(): Promise<void> {
  await Promise.all([loadAll(), readRunning()]).catch(() => undefined)
}

// follow hears every change, and finds the app again when it was away.
export async function follow(): Promise<void> {
  for (let stale = false; ;) {
    stale ||= !state.follows.value // a window that began unseen
    await followed(true)
    const over = new AbortController()
    void followed(false, over.signal).then(() => {
      over.abort()
    })
    const begun = () => setTimeout(() => void (stale ? catchUp() : refreshStatus()), 0)
    try {
      await calls.events(over.signal, begun, onEvent)
    } catch (e) {
      if (failureOf(e).signedOut) {
        state.page.value = 'signin'
        return
      }
    }
    stale = over.signal.aborted
    if (stale) {
      forgetAccess()
      continue
    }
    over.abort()
    batch(() => {
      state.online.value = false
      dismissAway() // the banner says it from now on
      forgetAccess()
      forgetRunning()
    })
    await awaitApp()
    if (state.page.value !== 'app') return
    await loadAll().catch(() => undefined)
  }
}

const firstPause = 200
const longestPause = 3000

async function awaitApp(): Promise<void> {
  for (let pause = firstPause; ; pause = Math.min(pause * 1.5, longestPause)) {
    await new Promise(done => setTimeout(done, pause))
    try {
      await signedIn()
      batch(() => {
        state.online.value = true
        state.returns.value++
        dismissAway()
      })
      return
    } catch (e) {
      if (!failureOf(e).signedOut) continue
      batch(() => {
        state.online.value = true
        state.page.value = 'signin'
      })
      return
    }
  }
}

// show opens a dialog of the window, or closes it.
export const show = (dialog: state.Dialog | null): void => void (state.dialog.value = dialog)

// adopt opens the dialog about the browser that a profile stands for, or about one that has no profile yet.
export function adopt(id = 0): void {
  state.adopting.value = id
  show('adopt')
}

// signedOut shows how to sign in, and why it did not work.
export function signedOut(why = ''): void {
  batch(() => {
    state.page.value = 'signin'
    state.refused.value = why
  })
}
