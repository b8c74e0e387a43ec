// What the window knows, and how it changes. Views are functions of `state`; whatever changes it calls `changed`.
import * as api from './api.js'

export const noFilter = { state: '', tags: [], proxy: '' }
export const state = {
  page: 'loading', // or signin, app
  refused: null, // why signing in did not work
  online: true,
  returns: 0, // of the app after it was away: views that read something themselves read it again
  status: null,
  profiles: new Map(), // by id
  trash: null,
  trashed: 0, // how many are there
  loaded: false,
  total: 0, // while only the first are here
  version: 0, // of profiles: lists are made again when it changes
  agents: [],
  access: new Map(), // by profile: who works there, and what they ask for
  pictures: {}, // of what they ask for
  panic: false,
  pin: null, // the call that waits for it
  toasts: [],
  route: { view: 'profiles' },
  search: '',
  filter: noFilter,
  sort: { by: 'id', down: false },
  selected: new Set(),
  active: 0, // the profile that the keyboard is at
  dialog: null,
  modals: 0, // dialogs above each other; what is told stands in the uppermost, for the rest is out of reach
}

const listeners = new Set()
let waiting = false
export const listen = f => { listeners.add(f); return () => listeners.delete(f) }
// changed draws again, once for all changes of a moment.
export function changed() {
  if (waiting) return
  waiting = true
  queueMicrotask(() => { waiting = false; for (const f of listeners) f() })
}
export const set = patch => { Object.assign(state, patch); changed() }

// ---- places

export function readRoute() {
  const [view = '', arg = ''] = location.hash.replace(/^#\/?/, '').split('/').map(plain)
  const route = { view: /^(activity|connect|live|journal|proxies|settings)$/.test(view) ? view : 'profiles', name: view, arg }
  if (view === 'profile' || view === 'new') { // above the list that was there
    route.folder = state.route.folder
    route.trash = state.route.trash
  } else {
    route.folder = view === 'folder' ? arg : undefined
    route.trash = view === 'trash'
    if (route.folder !== state.route.folder || route.trash !== state.route.trash) state.selected = new Set()
  }
  if (route.trash && !state.trash) loadTrash()
  set({ route, dialog: null })
}
export const go = (...parts) => { location.hash = '#/' + parts.map(p => encodeURIComponent(String(p))).join('/') }
function plain(part) { try { return decodeURIComponent(part) } catch { return part } }
export const listPlace = () => state.route.trash ? go('trash') : state.route.folder !== undefined ? go('folder', state.route.folder) : go('')

// ---- telling

let toastID = 0
export function toast(text, { hint, bad, action } = {}) {
  const one = { id: ++toastID, text, hint, bad, action }
  set({ toasts: [...state.toasts.filter(t => t.text !== text).slice(-3), one] })
  setTimeout(() => dismiss(one.id), bad ? 12000 : 5000)
}
export const dismiss = id => set({ toasts: state.toasts.filter(t => t.id !== id) })
export function failed(e) {
  if (e.name === 'AbortError') return
  if (e.status === 403 && e.code === 'E_FORBIDDEN_ORIGIN') { set({ page: 'signin' }); return }
  toast(e.message, { hint: e.hint, bad: true })
}
// trying shows what went wrong and answers whether it worked.
export const trying = async work => { try { await work(); return true } catch (e) { failed(e); return false } }

// ---- profiles

const lower = p => [p.name, p.folder, p.notes, p.id, ...(p.tags || [])].join(' ').toLowerCase()
function keep(p) {
  const old = state.profiles.get(p.id)
  state.profiles.set(p.id, { ...p, end: old?.end, text: lower(p) })
}
const bump = () => { state.version++; changed() }

const page = 10000
export async function loadProfiles() {
  if (!state.loaded) {
    const list = await reading(async gone => {
      const some = await api.get('/browser_profiles?limit=60')
      for (const p of some.data) if (!gone.has(p.id)) keep(p)
      return some
    })
    const whole = list.total <= list.data.length
    set({ loaded: true, total: whole ? 0 : list.total })
    bump()
    if (whole) return
    // The first rows are drawn, and can be used, before the rest is asked for.
    await new Promise(done => requestAnimationFrame(() => setTimeout(done)))
  }
  const fresh = new Map()
  await reading(async gone => {
    for (let n = 1; ; n++) {
      const list = await api.get(`/browser_profiles?limit=${page}&page=${n}`)
      for (const p of list.data) fresh.set(p.id, { ...p, end: state.profiles.get(p.id)?.end, text: lower(p) })
      if (n >= list.last_page) break
    }
    for (const id of gone) fresh.delete(id)
  })
  state.profiles = fresh
  for (const id of state.selected) if (!fresh.has(id)) state.selected.delete(id)
  set({ loaded: true, total: 0 })
  bump()
}

export async function loadTrash() {
  await trying(async () => { state.trash = (await api.get('/browser_profiles?limit=10000&trashed=1&sort=-updated')).data; state.trashed = state.trash.length; bump() })
}

const countTrash = () => api.get('/browser_profiles?limit=1&trashed=1').then(a => set({ trashed: a.total }), () => {})

// reads are the lists that are on their way; each notes what went meanwhile, so that an answer brings nothing back.
const reads = new Set()
async function reading(work) {
  const gone = new Set()
  reads.add(gone)
  try { return await work(gone) } finally { reads.delete(gone) }
}

// news are profiles that somebody has changed; they are read together, and one answer after the other.
let news = new Set(), newsTimer, newsRead = Promise.resolve()
function later(ids) {
  for (const id of ids) news.add(id)
  clearTimeout(newsTimer)
  newsTimer = setTimeout(() => { newsRead = newsRead.then(readNews).catch(() => {}) }, 60) // the stream of events tells when the app is away
}
async function readNews() {
  const ids = [...news]
  news = new Set()
  if (!ids.length) return
  if (ids.length > 20) { await loadProfiles(); return }
  await reading(async gone => {
    const { data } = await api.get(`/browser_profiles?limit=${ids.length}&ids=${ids.join()}`)
    for (const id of ids) if (!data.some(p => p.id === id)) state.profiles.delete(id)
    for (const p of data) if (!gone.has(p.id)) keep(p)
  })
  bump()
}

function onSession(s) {
  const p = state.profiles.get(s.id)
  if (p) {
    const next = { ...p, state: s.state, mode: s.state === 'closed' ? '' : s.mode, end: s.state === 'closed' ? s.end : '' }
    if (s.state === 'open' && p.state !== 'open') next.openedAt = new Date().toISOString()
    state.profiles.set(s.id, next)
    bump()
  }
  if (s.state === 'closed') state.access.delete(s.id)
  refreshStatus()
  if (s.state === 'open' || s.state === 'closed') refreshAgents()
}

function onProfile({ ids, change }) {
  if (change === 'trashed' || change === 'deleted') {
    for (const id of ids) {
      state.profiles.delete(id)
      state.selected.delete(id)
      news.delete(id)
      for (const gone of reads) gone.add(id)
    }
    bump()
  } else later(ids)
  if (change === 'edited' || change === 'created') return
  if (state.trash) loadTrash()
  else countTrash()
}

api.onPIN(attempt => new Promise((done, refuse) => { state.pin?.refuse(); set({ pin: { attempt, done, refuse: e => refuse(e || new api.Failure(403, { code: 'E_PIN', text: 'Nothing was done: it needs your PIN.' })) } }) }))

// asks are what agents wait for, the oldest first.
export const asks = () => [...state.access.values()].flatMap(d => d.requests || []).sort((a, b) => a.askedAt < b.askedAt ? -1 : 1)
function onAccess(d) {
  state.access.set(d.profile, d)
  changed()
  const fresh = (d.requests || []).filter(r => !(r.id in state.pictures))
  if (!fresh.length) return
  for (const r of fresh) state.pictures[r.id] = ''
  api.get('/approvals').then(({ data }) => { for (const a of data) state.pictures[a.id] = a.picture; changed() }, () => {})
}
export const panic = on => trying(async () => { await api.post('/panic', { on }); set({ panic: on }) })

// follow hears every change, and finds the app again when it was away.
export async function follow() {
  for (;;) {
    const over = new AbortController()
    try {
      let first = true
      await api.lines('/events', over.signal, line => {
        if (first) { first = false; setTimeout(refreshStatus, 0) }
        if (!line.startsWith('data: ')) return
        const e = JSON.parse(line.slice(6))
        if (e.session) onSession(e.session)
        if (e.profile) onProfile(e.profile)
        if (e.access) onAccess(e.access)
        if (e.panic) set({ panic: e.panic.on })
      })
    } catch (e) {
      if (e.status === 403 || e.status === 401) { set({ page: 'signin' }); return }
    }
    over.abort()
    set({ online: false, access: new Map() })
    await awaitApp()
    if (state.page !== 'app') return
    await loadAll().catch(() => {})
  }
}

async function awaitApp() {
  for (let pause = 200; ; pause = Math.min(pause * 1.5, 3000)) {
    await new Promise(done => setTimeout(done, pause))
    try {
      await api.signedIn()
      set({ online: true, returns: state.returns + 1 })
      return
    } catch (e) {
      if (e.status === 403 || e.status === 401) { set({ online: true, page: 'signin' }); return }
    }
  }
}

// ---- the app

let statusTimer
export function refreshStatus() {
  clearTimeout(statusTimer)
  statusTimer = setTimeout(readStatus, 30)
}
export async function readStatus() {
  try {
    const was = state.status
    const status = await api.get('/status')
    set({ status, online: true })
    reconcile(status.open)
    if (was && (was.logged_in !== status.logged_in)) {
      if (status.logged_in) await loadProfiles().catch(failed)
      else { state.profiles = new Map(); state.loaded = false; state.selected = new Set(); bump() }
    }
  } catch { /* the stream of events tells */ }
}

// reconcile takes the states from the app's own list: an event may have come while the profiles were being read.
function reconcile(open) {
  const now = new Map(open.map(o => [o.id, o]))
  let different = false
  for (const [id, p] of state.profiles) {
    const o = now.get(id)
    if ((o?.state || 'closed') === p.state && (o?.mode || '') === (p.mode || '')) continue
    state.profiles.set(id, { ...p, state: o?.state || 'closed', mode: o?.mode || '' })
    different = true
  }
  if (different) bump()
}

export async function refreshAgents() {
  if (![...state.profiles.values()].some(p => p.mode === 'automation') && !state.agents.length) return
  try { set({ agents: (await api.get('/agents')).data }) } catch { /* shown as before */ }
}

export async function loadAll() {
  const list = loadProfiles()
  list.catch(() => {})
  await readStatus()
  if (state.status?.logged_in !== false) { await list; countTrash() }
  refreshAgents()
}

// ---- what people do

export const opening = (id, automation) => api.post(`/browser_profiles/${id}/start`, { automation })
export const closing = id => api.post(`/browser_profiles/${id}/stop`)
export const start = (id, automation) => trying(() => opening(id, automation))
export const stop = id => trying(() => closing(id))

// each runs work for many profiles, a few at a time, and tells once what went wrong.
export async function each(ids, doing, work) {
  const left = [...ids], wrong = []
  let done = 0
  const one = async () => {
    for (let id; (id = left.shift()) !== undefined;) {
      try { await work(id) } catch (e) { wrong.push(e) }
      done++
    }
  }
  await Promise.all([one(), one(), one()])
  if (wrong.length) toast(wrong.length === 1 ? wrong[0].message : `${wrong.length} of ${done}: ${wrong[0].message}`, { hint: wrong[0].hint, bad: true })
  else if (done > 1) toast(`${doing}: ${done.toLocaleString('en')} profiles`)
  return !wrong.length
}

const kept = ({ data }) => { keep(data); bump(); return data }
export const patch = (id, change) => api.call('PATCH', `/browser_profiles/${id}`, change).then(kept)
export const create = fields => api.post('/browser_profiles', fields).then(kept)
export const clone = (id, name, data) => api.post(`/browser_profiles/${id}/clone`, { name, data }).then(kept)

const parts = (ids, size = 1000) => Array.from({ length: Math.ceil(ids.length / size) }, (_, i) => ids.slice(i * size, (i + 1) * size))
export const remove = (ids, forGood) => trying(async () => {
  for (const some of parts([...ids])) await api.call('DELETE', '/browser_profiles' + (forGood ? '?forceDelete=1' : ''), { ids: some })
  state.selected = new Set()
  if (state.trash) await loadTrash()
  changed()
})
export const restore = ids => each(ids, 'Restored', id => api.post(`/browser_profiles/${id}/restore`)).then(ok => { state.selected = new Set(); changed(); return ok })

// ---- lists

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })
const rank = p => p.state === 'open' ? (p.mode === 'automation' ? 0 : 1) : p.state === 'closed' ? (p.end === 'crashed' ? 3 : 4) : 2
const by = {
  id: (a, b) => a.id - b.id,
  name: (a, b) => collator.compare(a.name, b.name),
  tags: (a, b) => collator.compare((a.tags || []).join(' '), (b.tags || []).join(' ')),
  folder: (a, b) => collator.compare(a.folder || '', b.folder || ''),
  proxy: (a, b) => collator.compare(proxyText(a), proxyText(b)),
  state: (a, b) => rank(a) - rank(b),
  opened: (a, b) => (b.openedAt || '') < (a.openedAt || '') ? -1 : (b.openedAt || '') > (a.openedAt || '') ? 1 : 0,
}
export const proxyText = p => p.proxy ? `${p.proxy.type} · ${p.proxy.host}` : 'direct'
// proxyName is the proxy as a column shows it: a name without its domain.
export const proxyName = p => p.proxy ? `${p.proxy.type} · ${/^[\d.:]+$/.test(p.proxy.host) ? p.proxy.host : p.proxy.host.split('.')[0]}` : 'direct'

const inState = {
  open: p => p.state !== 'closed',
  agents: p => p.mode === 'automation',
  closed: p => p.state === 'closed',
  crashed: p => p.state === 'closed' && p.end === 'crashed',
}

// rows are the profiles that the list shows, in its order.
let rowsKey, rowsMade = []
export function rows() {
  const { route, search, filter, sort, version } = state
  const key = JSON.stringify([version, route.folder, route.trash, search, filter, sort])
  if (key === rowsKey) return rowsMade
  rowsKey = key
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  let list = route.trash ? (state.trash || []).map(p => ({ ...p, text: lower(p) })) : [...state.profiles.values()]
  list = list.filter(p => (route.folder === undefined || route.trash || (p.folder || '').toLowerCase() === route.folder.toLowerCase())
    && (!filter.state || inState[filter.state](p))
    && (!filter.proxy || (filter.proxy === 'direct') === !p.proxy)
    && filter.tags.every(t => p.tags.includes(t))
    && words.every(w => p.text.includes(w)))
  const order = by[sort.by]
  list.sort((a, b) => (sort.down ? -order(a, b) : order(a, b)) || a.id - b.id)
  return rowsMade = list
}

// shelves counts what is in which folder, and every tag.
let shelvesVersion = -1, shelvesMade = { folders: [], tags: [] }
export function shelves() {
  if (shelvesVersion === state.version) return shelvesMade
  shelvesVersion = state.version
  const folders = new Map(), tags = new Map()
  for (const p of state.profiles.values()) {
    if (p.folder) folders.set(p.folder, (folders.get(p.folder) || 0) + 1)
    for (const t of p.tags) tags.set(t, (tags.get(t) || 0) + 1)
  }
  const sorted = m => [...m].sort((a, b) => collator.compare(a[0], b[0]))
  return shelvesMade = { folders: sorted(folders), tags: sorted(tags) }
}

export const stateName = p => ({ starting: 'Opening…', stopping: 'Closing…', open: p.mode === 'automation' ? 'Open for agents' : 'Open' })[p.state] || (p.end === 'crashed' ? 'Crashed' : 'Closed')
export const stateKind = p => ({ starting: 'busy', stopping: 'busy', open: p.mode === 'automation' ? 'auto' : 'open' })[p.state] || (p.end === 'crashed' ? 'bad' : '')
export const mayAutomate = () => state.status?.automation !== false
export const noAgents = 'The Free plan does not open profiles for agents.'
export const planName = s => s?.plan ? s.plan[0].toUpperCase() + s.plan.slice(1) + ' plan' : ''
// words reads a list that is typed with commas.
export const words = text => [...new Set(String(text || '').split(',').map(t => t.trim()).filter(Boolean))]
