// The calls of the API that the window makes, one function for each.
import { blob, call, lines, type Method } from './client.ts'
import type * as wire from './types.ts'

const get = <T>(path: string) => call<T>('GET', path)
const post = <T>(path: string, body?: unknown) => call<T>('POST', path, body)
const profile = (id: number, more = '') => `/browser_profiles/${id}${more}`

// ---- profiles

export const profiles = (query: string) => get<wire.ProfileList>(`/browser_profiles?${query}`)
export const create = (fields: object) => post<wire.Created>('/browser_profiles', fields)
export const patch = (id: number, change: object) => call<wire.ProfileData>('PATCH', profile(id), change)
export const clone = (id: number, to: wire.CloneInput) => post<wire.Created>(profile(id, '/clone'), to)
export const restore = (id: number) => post<wire.ProfileData>(profile(id, '/restore'))
export const remove = (ids: number[], forGood: boolean) =>
  call<wire.OK>('DELETE', `/browser_profiles${forGood ? '?forceDelete=1' : ''}`, { ids })

export const importProfiles = (all: wire.ImportInput) => post<wire.Imported>('/import', all)
export const folders = () => get<wire.FolderList>('/folders?limit=1000')
export const changeFolder = (id: number, change: wire.FolderInput) =>
  call<wire.FolderData>('PATCH', `/folders/${id}`, change)
export const views = () => get<wire.Views>('/views')
export const createView = (view: wire.ViewInput) => post<wire.ViewData>('/views', view)
export const renameView = (id: number, name: string) => call<wire.ViewData>('PATCH', `/views/${id}`, { name })
export const removeView = (id: number) => call<wire.OK>('DELETE', `/views/${id}`)
export const removeFolder = (id: number) => call<wire.OK>('DELETE', `/folders/${id}`)

export const statuses = () => get<wire.StatusList>('/browser_profiles/statuses?limit=1000')
export const createStatus = (name: string) => post<wire.StatusData>('/browser_profiles/statuses', { name })

// ---- jobs

export const bulk = (ids: number[], change: wire.BulkChange) =>
  call<wire.JobData>('PATCH', '/browser_profiles', { ids, change })
export const job = (id: string) => get<wire.JobData>(`/jobs/${id}`)
export const cancelJob = (id: string) => call<wire.JobData>('DELETE', `/jobs/${id}`)

// ---- open profiles

export const start = (id: number, automation: boolean) => post<wire.Started>(profile(id, '/start'), { automation })
export const stop = (id: number) => post<wire.OK>(profile(id, '/stop'))
// adopt makes the profile that stands for a person’s own browser, or finds it.
export const adopt = (from: wire.AdoptInput) => post<wire.Created>('/adopt', from)
// shareBrowser answers when the person has pressed Allow in that browser.
export const shareBrowser = (id: number) => post<wire.Started>(profile(id, '/adopt'))
export const sharedTabs = (id: number) => get<wire.SharedTabs>(profile(id, '/tabs'))
export const shareTabs = (id: number, choice: wire.TabChoice) => post<wire.SharedTabs>(profile(id, '/tabs'), choice)
export const active = (id: number) => get<wire.Started>(profile(id, '/active'))
export const usage = () => get<wire.Usages>('/browser_profiles/usage')
const oneAgent = (id: number, session: string) => profile(id, `/agents/${encodeURIComponent(session)}`)
export const pauseAgent = (id: number, session: string, pause: boolean) =>
  post<wire.OK>(oneAgent(id, session), { pause })
export const disconnectAgent = (id: number, session: string) => call<wire.OK>('DELETE', oneAgent(id, session))
export const takeover = (id: number) => post<wire.TakenOver>(profile(id, '/takeover'))
export const giveback = (id: number) => post<wire.TakenOver>(profile(id, '/giveback'))

// live follows what an open profile shows; without a tab, the tab that agents use.
export const live = (id: number, tab: string, signal: AbortSignal, each: (line: wire.Live) => void) =>
  lines(profile(id, `/live${tab ? `?tab=${encodeURIComponent(tab)}` : ''}`), { signal }, text => {
    each(JSON.parse(text) as wire.Live)
  })

// activity follows what happens in every profile that is open for agents.
export const activity = (signal: AbortSignal, each: (line: wire.Activity) => void) =>
  lines('/activity', { signal }, text => {
    each(JSON.parse(text) as wire.Activity)
  })
// ---- a person in control of a tab

export const controlTab = (id: number, to: wire.LiveControl) => post<wire.OK>(profile(id, '/live/control'), to)
export const sendInput = (id: number, input: wire.LiveInput) =>
  post<wire.LiveInputResult>(profile(id, '/live/input'), input)
export const sendFiles = (id: number, tab: string, form: FormData) =>
  post<wire.OK>(profile(id, `/live/files?tab=${encodeURIComponent(tab)}`), form)
export const downloaded = (id: number, file: string) =>
  blob(profile(id, `/live/download?id=${encodeURIComponent(file)}`))

// events follows every change.
export const events = (signal: AbortSignal, begun: () => void, each: (event: wire.Event) => void) => {
  let first = true
  return lines('/events', { signal }, line => {
    if (first) begun()
    first = false
    if (line.startsWith('data: ')) each(JSON.parse(line.slice(6)) as wire.Event)
  })
}

// ---- what agents may do, and what they did

export const policy = (id: number) => get<wire.PolicyData>(profile(id, '/policy'))
export const setPolicy = (id: number, to: wire.Policy) => call<wire.PolicyData>('PUT', profile(id, '/policy'), to)
export const testPolicy = (test: wire.PolicyTest) => post<wire.PolicyTested>('/policy/test', test)
export const asks = () => get<wire.Asks>('/asks')
export const ask = (id: string) => get<wire.AskData>(`/asks/${id}`)
export const answer = (id: string, how: wire.Answer) => post<wire.OK>(`/asks/${id}`, how)
export const see = (id: string, working = false) => post<wire.OK>(`/asks/${id}/seen`, { working })
export const setPanic = (on: boolean) => post<wire.PanicData>('/panic', { on })
export const secrets = (id: number) => get<wire.Secrets>(profile(id, '/secrets'))
export const addSecret = (id: number, secret: wire.NewSecret) => post<wire.OK>(profile(id, '/secrets'), secret)
export const removeSecret = (id: number, name: string) =>
  call<wire.OK>('DELETE', profile(id, `/secrets/${encodeURIComponent(name)}`))
export const journal = (id: number, query: string) => get<wire.Journal>(profile(id, `/journal?${query}`))
export const verifyJournal = (id: number) => get<wire.JournalReport>(profile(id, '/journal/verify'))
export const journalText = (id: number, query: string) => blob(profile(id, `/journal?${query}`)).then(b => b.text())
export const journalSessions = (id: number) => get<wire.JournalSessions>(profile(id, '/journal/sessions'))
export const exportJournal = (id: number) => blob(profile(id, '/journal/export'))
export const journalPicture = (id: number, name: string) => blob(profile(id, `/journal/pictures/${name}`))

// ---- what profiles hold

export const previewCookies = (id: number, file: Blob) =>
  post<wire.CookieChanges>(profile(id, '/cookies?dryRun=1'), file)
export const importCookies = (id: number, file: Blob) => post<wire.CookiesImported>(profile(id, '/cookies'), file)
export const exportCookies = (id: number, format: string) => blob(profile(id, `/cookies?format=${format}`))
export const loginSources = (quiet = false) => call<wire.LoginSources>('GET', '/login_sources', undefined, quiet)
export const loginImports = () => get<wire.LoginImports>('/login_imports')
export const importLogins = (from: wire.LoginImportInput) => post<wire.LoginImportData>('/login_imports', from)
// loginImport answers when the import has another version, or after a while.
export const loginImport = (id: string, known: number) =>
  get<wire.LoginImportData>(`/login_imports/${id}?known=${known}`)
export const chooseLogins = (id: string, choice: wire.LoginChoice) =>
  post<wire.LoginImportData>(`/login_imports/${id}`, choice)
export const cancelLogins = (id: string) => call<wire.LoginImportData>('DELETE', `/login_imports/${id}`)
export const extensions = () => get<wire.ExtensionList>('/extensions?limit=1000')
export const extensionsOf = (id: number) => get<wire.ProfileExtensions>(profile(id, '/extensions'))
export const changeExtension = (method: Method, id: number, change: wire.ExtensionChange) =>
  call<wire.OK>(method, profile(id, '/extensions'), change)
export const uploadExtension = (form: FormData) => post<wire.ExtensionSaved>('/extensions/upload-zipped', form)

// ---- proxies

// proxies reads all of them.
export async function proxies(): Promise<wire.StoredProxy[]> {
  const all: wire.StoredProxy[] = []
  for (let page = 1, last = 1; page <= last; page++) {
    const found = await get<wire.StoredProxyList>(`/proxy?limit=1000&page=${page}`)
    all.push(...found.data)
    last = found.last_page
  }
  return all
}
export const importProxies = (text: string) => post<wire.ProxiesImported>('/proxy/import', { text })
export const removeProxy = (id: number) => call<wire.OK>('DELETE', `/proxy/${id}`)
export const checkProxy = (proxy: wire.ProxyInput) => post<wire.ProxyCheck>('/check/proxy', proxy)
export const changeIP = (id: number) => get<wire.OK>(`/proxy/${id}/change_proxy_ip`)
export const checkProxies = (
  ids: number[] | undefined,
  signal: AbortSignal,
  each: (checked: wire.ProxyChecked) => void,
) =>
  lines('/proxy/check', { method: 'POST', body: ids ? { ids } : {}, signal }, line => {
    each(JSON.parse(line) as wire.ProxyChecked)
  })

// ---- MCP clients

export const clients = () => get<wire.MCPClients>('/clients')
export const snippet = (client: string, of: wire.MCPRequest) => post<wire.MCPSnippet>(`/clients/${client}/snippet`, of)
export const addEntry = (client: string, of: wire.MCPRequest) => post<wire.MCPChanges>(`/clients/${client}/add`, of)
export const removeEntry = (client: string, of: wire.MCPRequest) =>
  post<wire.MCPChanges>(`/clients/${client}/remove`, of)
export const installSkill = (client: string, of: wire.SkillRequest) =>
  post<wire.SkillChanges>(`/clients/${client}/skill/add`, of)
export const removeSkill = (client: string, of: wire.SkillRequest) =>
  post<wire.SkillChanges>(`/clients/${client}/skill/remove`, of)
export const checkEntry = (client: string, of: wire.MCPRequest) => post<wire.MCPCheck>(`/clients/${client}/check`, of)

// ---- the app and its accounts

export const status = () => get<wire.Status>('/status')
export const browsers = () => get<wire.Browsers>('/browsers')
export const doctor = () => get<wire.Findings>('/doctor')
export const logs = () => get<wire.LogLines>('/logs?lines=200')
export const profileLog = (id: number) => get<wire.LogLines>(profile(id, '/log?lines=200'))
export const settings = () => get<wire.Settings>('/settings')
export const setSetting = (key: string, value: string) => call<wire.Setting>('PUT', `/settings/${key}`, { value })
export const tokens = () => get<wire.Tokens>('/tokens')
export const createToken = (name: string) => post<wire.TokenData>('/tokens', { name })
export const revokeToken = (id: number) => call<wire.OK>('DELETE', `/tokens/${id}`)
export const pin = () => get<wire.PinData>('/pin')
export const setPIN = (to: string) => call<wire.OK>('PUT', '/pin', { pin: to })
export const removePIN = () => call<wire.OK>('DELETE', '/pin')
export const login = (email: string, password: string) => post<wire.LoggedIn>('/auth/login', { email, password })
export const loginWithToken = (token: string) => post<wire.OK>('/auth/login-with-token', { token })
export const loginOwner = () => post<wire.OK>('/auth/login-owner')
export const logout = () => post<wire.OK>('/auth/logout')
export const setPlan = (plan: string) => post<wire.Me>('/accounts/plan', { plan })
