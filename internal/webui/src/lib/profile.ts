// A profile as a form has it, and back.
import type { FolderDefaults, Policy, Profile, ProfileInput } from '../api/types.ts'
import { t } from '../strings.ts'
import { type PolicyForm, sentPolicy, typed } from './policy.ts'
import { proxyAddress, type ReadProxy, readProxy } from './proxy.ts'
import { lines, words } from './text.ts'

// Form is a profile as people type it.
export type Form = {
  name: string
  folder: string
  tags: string
  notes: string
  pages: string
  locale: string
  timezone: string
  custom: boolean // the proxy is being typed, also while there is nothing of it, or while it is as a stored one
  proxy: string
  login: string
  password: string
  width: string
  height: string
  args: string
  pageTools: string // on or off
  browser: string
  policy: PolicyForm | null // null until it is read
}

// Input is a name of the form: a field, or a group of fields that one error is about.
export type Input = keyof Form | 'window' | 'allow' | 'block' | 'answerers' | 'all'

// Wrong says what is wrong with which input.
export type Wrong = Partial<Record<Input, string>>

type Filled = Pick<Profile, 'name' | 'tags'> & Partial<Profile>

// blank is a profile before it is made.
export const blank: Filled = { name: '', tags: [] }

const open: Policy = { preset: 'open', sites: { allow: [], block: [] } }

// formOf fills the form. The policy of a profile that exists is read from the app.
export function formOf(p: Filled): Form {
  const { proxy } = p
  return {
    name: p.name,
    folder: p.folder ?? '',
    tags: p.tags.join(', '),
    notes: p.notes ?? '',
    pages: (p.startPages ?? []).join('\n'),
    locale: p.locale ?? '',
    timezone: p.timezone ?? '',
    custom: false,
    proxy: proxy ? proxyAddress(proxy) : '',
    login: proxy?.login ?? '',
    password: proxy?.password ?? '',
    width: p.window ? String(p.window.width) : '',
    height: p.window ? String(p.window.height) : '',
    args: (p.args ?? []).join('\n'),
    pageTools: p.pageTools ?? 'on',
    browser: p.browser ?? '',
    policy: p.id ? null : typed(open),
  }
}

// inheritable are the fields that a folder can have a default for, besides the permissions. The credentials of a proxy
// go nowhere without it.
const inheritable = [['tags'], ['pages'], ['locale'], ['timezone'], ['proxy', 'login', 'password']] as const

const formOfDefaults = ({ agents, ...d }: FolderDefaults): Form => ({
  ...formOf({ ...blank, ...d, tags: d.tags ?? [] }),
  policy: typed({ ...open, preset: agents ?? open.preset }),
})

// inherited is the form of a new profile that changes its folder: what is as the folder before has it becomes what the
// next one has. What a person has typed stays.
export function inherited(f: Form, before: FolderDefaults = {}, after: FolderDefaults = {}): Form {
  const [old, next] = [formOfDefaults(before), formOfDefaults(after)]
  const same = JSON.stringify(f.policy) === JSON.stringify(old.policy)
  const out = { ...f, policy: same ? next.policy : f.policy }
  for (const names of inheritable)
    if (names.every(name => f[name] === old[name])) for (const name of names) out[name] = next[name]
  return out
}

// asNew is what the app is told of a new profile whose form began with the defaults of a folder. What still is as they
// are is left out: the app fills it in, from the folder as it is then.
export function asNew(f: Form, from: FolderDefaults = {}): Partial<Sent> & { policy?: Policy } {
  const { tags, startPages, locale, timezone, proxy, ...own } = sent(f)
  const given = formOfDefaults(from)
  const same = JSON.stringify(f.policy) === JSON.stringify(given.policy)
  return {
    ...own,
    ...changes({ tags, startPages, locale, timezone, proxy }, sent(given)),
    ...(f.policy && !same ? { policy: sentPolicy(f.policy) } : {}),
  }
}

// typedProxy is what becomes of a form when a field of its proxy changes. Credentials of a pasted address have fields
// of their own, and those of an address that is gone are for nobody else.
export function typedProxy(f: Form, name: keyof Form, value: string): Form {
  if (name !== 'proxy') return { ...f, [name]: value }
  if (!value.trim()) return { ...f, proxy: '', login: '', password: '' }
  const proxy = readProxy(value)
  if (!proxy?.login) return { ...f, proxy: value }
  return { ...f, login: proxy.login, password: proxy.password, proxy: proxyAddress(proxy) }
}

// proxyOf is the proxy of a form; null for none, or for one that cannot be read.
export function proxyOf(f: Form): ReadProxy | null {
  const proxy = f.proxy.trim() ? readProxy(f.proxy) : null
  return proxy && { ...proxy, login: f.login || proxy.login, password: f.password || proxy.password }
}

// check says what cannot be sent as it stands. Everything else the app finds, in its own words.
export function check(f: Form): Wrong {
  const wrong: Wrong = {}
  if (!f.name.trim()) wrong.name = t.edit.nameMissing
  if ((f.custom || f.proxy.trim()) && !readProxy(f.proxy)) wrong.proxy = t.edit.proxyWrong
  if (!f.width !== !f.height) wrong.window = t.edit.windowWrong
  return wrong
}

// inputs are the names that the form has for fields of the API.
const inputs: Record<string, Input> = {
  name: 'name',
  folder: 'folder',
  tags: 'tags',
  notes: 'notes',
  startPages: 'pages',
  locale: 'locale',
  timezone: 'timezone',
  args: 'args',
  pageTools: 'pageTools',
  browser: 'browser',
  proxy: 'proxy',
  'proxy.login': 'login',
  'proxy.password': 'password',
  window: 'window',
  'window.height': 'height',
  'sites.allow': 'allow',
  'sites.block': 'block',
  answerers: 'answerers',
}

// inputOf finds the input that a refusal of the app is about, and the whole form where it has none.
export function inputOf(field: string): Input {
  const name = field.replace(/^policy\./, '')
  return inputs[name] ?? inputs[name.split('.')[0] ?? ''] ?? 'all'
}

// Sent is what the app is told of a profile.
export type Sent = Omit<ProfileInput, 'proxy' | 'window'> & {
  proxy: NonNullable<ProfileInput['proxy']> | null
  window: ProfileInput['window'] | null
}

// sent is the form as the app takes it.
export function sent(f: Form): Sent {
  return {
    name: f.name.trim(),
    folder: f.folder.trim(),
    tags: words(f.tags),
    notes: f.notes,
    startPages: lines(f.pages),
    locale: f.locale.trim(),
    timezone: f.timezone.trim(),
    proxy: proxyOf(f),
    window: f.width ? { width: Number(f.width), height: Number(f.height) } : null,
    args: lines(f.args),
    pageTools: f.pageTools === 'off' ? 'off' : 'on',
    browser: f.browser,
  }
}

// changes are the fields of now that are not as they were: what is as it was is not sent.
export function changes(now: Partial<Sent>, before: Sent): Partial<Sent> {
  const old: Record<string, unknown> = before
  return Object.fromEntries(
    Object.entries(now).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(old[key])),
  )
}
