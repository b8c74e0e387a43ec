// A view of the list in the address: what is searched, filtered and sorted. A link or a bookmark brings it back.
import type { Filter } from '../store/state.ts'
import { inState } from './search.ts'

// View is how the list is shown.
export type View = { search: string; filter: Filter; sort: { by: Column; down: boolean } }

// columns are the columns of the table. Rows can be ordered by each.
export const columns = ['name', 'id', 'tags', 'folder', 'status', 'notes', 'proxy', 'state', 'opened'] as const
export type Column = (typeof columns)[number]

export const isColumn = (key: string): key is Column => columns.some(c => c === key)

// writeView is the part of an address behind the question mark; '' for the usual view.
export function writeView({ search, filter, sort }: View): string {
  const q = new URLSearchParams()
  if (search) q.set('q', search)
  if (filter.state) q.set('state', filter.state)
  if (filter.proxy) q.set('proxy', filter.proxy)
  for (const tag of filter.tags) q.append('tag', tag)
  if (sort.by !== 'id' || sort.down) q.set('sort', (sort.down ? '-' : '') + sort.by)
  return q.toString()
}

// placeOf is the address of a list with its view, behind the #. Without anything that makes it a view it is ''.
export function placeOf(list: { folder?: string; trash: boolean }, view: View): string {
  const query = writeView(view)
  if (!query) return ''
  const place = list.trash ? 'trash' : list.folder === undefined ? '' : `folder/${encodeURIComponent(list.folder)}`
  return `/${place}?${query}`
}

// readView reads what writeView wrote. What it does not know it leaves out.
export function readView(query: string): View {
  const q = new URLSearchParams(query)
  const state = q.get('state') ?? ''
  const proxy = q.get('proxy')
  const sort = q.get('sort') ?? 'id'
  const by = sort.replace(/^-/, '')
  return {
    search: q.get('q') ?? '',
    filter: {
      state: state in inState ? (state as Filter['state']) : '',
      proxy: proxy === 'direct' || proxy === 'proxy' ? proxy : '',
      tags: q.getAll('tag'),
    },
    sort: { by: isColumn(by) ? by : 'id', down: sort.startsWith('-') },
  }
}
