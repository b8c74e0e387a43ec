// The views of the list that people have given a name. The app keeps them.
import { computed } from '@preact/signals-core'
import * as calls from '../api/calls.ts'
import type { View } from '../api/types.ts'
import { placeOf } from '../lib/view.ts'
import { trying } from './messages.ts'
import * as state from './state.ts'

// shownPlace is the address of the list as it is shown; '' where it is shown as usual.
export const shownPlace = computed(() =>
  state.route.value.view === 'profiles'
    ? placeOf(state.route.value, { search: state.search.value, filter: state.filter.value, sort: state.sort.value })
    : '',
)

// shownView is the saved view that is shown.
export const shownView = computed(() =>
  shownPlace.value ? state.views.value.find(v => v.address === shownPlace.value) : undefined,
)

// loadViews reads the views. Those that were read before stay when it fails.
export async function loadViews(): Promise<void> {
  try {
    state.views.value = (await calls.views()).data
  } catch {
    // shown as before
  }
}

const changing = (work: () => Promise<unknown>) =>
  trying(async () => {
    await work()
    await loadViews()
  })

// saveView gives the list as it is shown a name.
export const saveView = (name: string): Promise<boolean> =>
  changing(() => calls.createView({ name, address: shownPlace.value }))
// restoreView brings back a view that was deleted.
export const restoreView = ({ name, address }: View): Promise<boolean> =>
  changing(() => calls.createView({ name, address }))
export const renameView = (id: number, name: string): Promise<boolean> => changing(() => calls.renameView(id, name))
export const dropView = (id: number): Promise<boolean> => changing(() => calls.removeView(id))
