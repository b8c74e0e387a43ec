// A change of many profiles, as its form has it.
import type { BulkChange } from '../api/types.ts'
import { readProxy } from './proxy.ts'

// BulkForm is what people choose. '' leaves what each profile has.
export type BulkForm = {
  proxy: string // direct, custom, or the id of a saved one
  url: string // of a custom one
  status: string // none, new, or the id of one
  newStatus: string
  notes: string // replace
  text: string
}

export const unchanged: BulkForm = { proxy: '', url: '', status: '', newStatus: '', notes: '', text: '' }

// Named is a field of the form that is wrong.
export type Named = 'url' | 'newStatus'

// wrongIn says which field has to be filled in first.
export function wrongIn(f: BulkForm): Named | undefined {
  if (f.proxy === 'custom' && !readProxy(f.url)) return 'url'
  if (f.status === 'new' && !f.newStatus.trim()) return 'newStatus'
  return undefined
}

function proxyOf({ proxy, url }: BulkForm): BulkChange['proxy'] {
  if (proxy === 'direct') return ''
  if (proxy === 'custom') return readProxy(url) ?? undefined
  return proxy ? { id: Number(proxy) } : undefined
}

// changeOf is the change that the app is told. A new status is made before it, and has an id then.
export function changeOf(f: BulkForm, made?: number): BulkChange {
  const status = f.status === 'new' ? made : f.status === 'none' ? 0 : Number(f.status)
  const proxy = proxyOf(f)
  return {
    ...(proxy === undefined ? {} : { proxy }),
    ...(f.status && status !== undefined ? { status } : {}),
    ...(f.notes ? { notes: f.text } : {}),
  }
}
