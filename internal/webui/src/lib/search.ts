// What people type into the search: words, "quoted words", and tag:, state: and folder: before one.
import type { Profile } from '../api/types.ts'
import type { End } from './session.ts'

// Search is a search that was read. Everything in it must fit.
export type Search = { words: string[]; tags: string[]; states: string[]; folders: string[] }

type Sought = Pick<Profile, 'state' | 'mode' | 'tags' | 'folder' | 'startFailure'> & { end?: End; text: string }

const lists = { tag: 'tags', state: 'states', folder: 'folders' } as const

// readSearch reads a search. A quote that is still open lasts to the end.
export function readSearch(text: string): Search {
  const found: Search = { words: [], tags: [], states: [], folders: [] }
  for (const [, key = '', quoted, bare] of text.matchAll(/(?:(tag|state|folder):)?(?:"([^"]*)"?|([^\s"]+))/gi)) {
    const word = (quoted ?? bare ?? '').toLowerCase()
    const list = lists[key.toLowerCase() as keyof typeof lists] as keyof Search | undefined
    if (word || list) found[list ?? 'words'].push(word)
  }
  return found
}

// inState are the states that a search and a filter know, by their names.
export const inState: Record<string, (p: Omit<Sought, 'text' | 'tags'>) => boolean> = {
  open: p => p.state !== 'closed',
  agents: p => p.mode === 'automation',
  closed: p => p.state === 'closed',
  crashed: p => p.state === 'closed' && p.end === 'crashed',
  failed: p => p.state === 'closed' && !!p.startFailure,
}

// fits says whether a profile is what a search looks for. A state that nobody knows fits none.
export const fits = (p: Sought, { words, tags, states, folders }: Search): boolean =>
  words.every(word => p.text.includes(word)) &&
  tags.every(tag => p.tags.some(own => own.toLowerCase() === tag)) &&
  folders.every(folder => (p.folder ?? '').toLowerCase() === folder) &&
  states.every(state => inState[state]?.(p) ?? false)
