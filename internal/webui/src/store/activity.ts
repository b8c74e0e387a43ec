// The stream of all profiles that are open for agents, while a view shows them.
import * as calls from '../api/calls.ts'
import { glanceOf, noGlance } from '../lib/activity.ts'
import * as state from './state.ts'

const again = 1000

// watchAll hears what happens in every profile until the signal ends it. A stream that breaks begins anew.
export async function watchAll(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await calls.activity(signal, line => {
        const before = state.glances.value.get(line.profile) ?? noGlance
        state.glances.value = new Map(state.glances.value).set(line.profile, glanceOf(before, line))
      })
    } catch {
      // the banner tells that the app is away
    }
    await new Promise(done => setTimeout(done, again))
  }
}
