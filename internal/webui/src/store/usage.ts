// How much memory and processor time open profiles use, while a view shows it.
import * as calls from '../api/calls.ts'
import * as state from './state.ts'

let busy = false

// readUsage reads what every open profile uses, one reading at a time. Without an answer the last one stays.
export async function readUsage(): Promise<void> {
  if (busy || !state.online.value) return
  busy = true
  try {
    const { data } = await calls.usage()
    state.usage.value = new Map(data.map(u => [u.profile, u]))
  } catch {
    // the banner tells that the app is away
  } finally {
    busy = false
  }
}
