// What a folder has for its new profiles, as a form has it.
import type { FolderDefaults } from '../api/types.ts'
import { readProxy } from './proxy.ts'
import { lines, words } from './text.ts'

// defaultsOf reads a form by the names of its fields. It returns null where the proxy cannot be read.
export function defaultsOf(text: (field: string) => string): FolderDefaults | null {
  const proxy = text('proxy').trim() ? readProxy(text('proxy')) : undefined
  if (proxy === null) return null
  const agents = text('agents') as NonNullable<FolderDefaults['agents']> | ''
  return {
    tags: words(text('tags')),
    startPages: lines(text('pages')),
    locale: text('locale').trim(),
    timezone: text('timezone').trim(),
    proxy: proxy && { ...proxy, login: text('login') || proxy.login, password: text('password') || proxy.password },
    agents: agents || undefined,
  }
}
