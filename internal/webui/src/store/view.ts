// The view of the list in the address.
import { batch, effect } from '@preact/signals-core'
import { readView, writeView } from '../lib/view.ts'
import { readRoute } from './route.ts'
import * as state from './state.ts'

const queryOf = (hash: string) => hash.slice(hash.indexOf('?') + 1 || hash.length)

// applyView shows the list as an address says. An address that says nothing leaves it.
export function applyView(hash: string): void {
  const query = queryOf(hash)
  if (!query || state.route.value.view !== 'profiles') return
  const { search, filter, sort } = readView(query)
  batch(() => {
    state.search.value = search
    state.filter.value = filter
    state.sort.value = sort
  })
}

// follow goes where an address leads, and shows the list as it says. Both are one step: between them the list would
// write its view before this one into the address.
export function follow(hash: string): void {
  batch(() => {
    readRoute(hash)
    applyView(hash)
  })
}

// addressWith is an address with the view of the list.
export function addressWith(hash: string, query: string): string {
  const place = hash.split('?', 1)[0] ?? ''
  return query ? `${place || '#/'}?${query}` : place
}

// keepView writes the view into the address of the list whenever it changes. It adds nothing to the history.
export function keepView(): void {
  effect(() => {
    const query = writeView({ search: state.search.value, filter: state.filter.value, sort: state.sort.value })
    const { view, name } = state.route.value
    if (state.page.value !== 'app' || view !== 'profiles' || name === 'profile' || name === 'new') return
    const next = addressWith(location.hash, query)
    if (next !== location.hash) history.replaceState(null, '', next || location.pathname)
  })
}
