// Proxies as people type and read them.
import type { Profile, Proxy } from '../api/types.ts'
import { t } from '../strings.ts'

// ReadProxy is a proxy as people paste it.
export type ReadProxy = {
  type: 'http' | 'https' | 'socks4' | 'socks5'
  login: string
  password: string
  host: string
  port: number
}

const pattern =
  /^(?:(https?|socks(?:4a?|5h?)?):\/\/)?(?:([^:@/\s]*)(?::([^@/\s]*))?@)?(\[[^\]]+\]|[^:@/\s[\]]+):(\d{1,5})\/?$/i

// decoded is a part of an address, or the part as it is where it is not one.
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function typeOf(scheme: string): ReadProxy['type'] {
  const name = scheme.toLowerCase()
  if (name.startsWith('socks')) return name.startsWith('socks4') ? 'socks4' : 'socks5'
  return name === 'https' ? 'https' : 'http'
}

// readProxy takes an address as people paste it, with its credentials or without. It returns null for anything else.
export function readProxy(text: string): ReadProxy | null {
  const m = pattern.exec(text.trim())
  if (!m) return null
  const [, scheme = '', login = '', password = '', host = '', port] = m
  return {
    type: typeOf(scheme),
    login: decoded(login),
    password: decoded(password),
    host: host.replace(/^\[|\]$/g, ''),
    port: Number(port),
  }
}

// bracketed is a host as an address has it.
export const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host)

// proxyAddress is a proxy without its credentials.
export const proxyAddress = (p: { type: string; host: string; port: number }): string =>
  `${p.type}://${bracketed(p.host)}:${p.port}`

type Login = { login?: string; password?: string }

// sameProxy says whether two proxies are one, with their credentials.
export const sameProxy = (a: Proxy & Login, b: Proxy & Login): boolean =>
  proxyAddress(a) === proxyAddress(b) &&
  (a.login ?? '') === (b.login ?? '') &&
  (a.password ?? '') === (b.password ?? '')

// proxyLabel is a stored proxy as people choose it.
export const proxyLabel = (p: Proxy & { name: string }): string =>
  p.name ? `${p.name} · ${proxyAddress(p)}` : proxyAddress(p)

type Proxied = Pick<Profile, 'proxy'>

// proxyText is the proxy of a profile, whole.
export const proxyText = ({ proxy }: Proxied): string => (proxy ? `${proxy.type} · ${proxy.host}` : t.table.direct)

const shortHost = ({ host }: Proxy) => (/^[\d.:]+$/.test(host) ? host : host.split('.')[0])

// proxyName is the proxy as a column shows it: a name without its domain.
export const proxyName = ({ proxy }: Proxied): string =>
  proxy ? `${proxy.type} · ${shortHost(proxy)}` : t.table.direct
