// How much an open profile uses.
import { useEffect } from 'preact/hooks'
import { usageText } from '../lib/usage.ts'
import * as state from '../store/state.ts'
import { readUsage } from '../store/usage.ts'
import { t } from '../strings.ts'
import { useEvery } from './hooks.ts'

const seen = () => document.visibilityState === 'visible'
const pause = 5000

// useUsage reads what profiles use while its view is there and the window is to be seen.
export function useUsage(): void {
  useEffect(() => {
    void readUsage()
  }, [])
  useEvery(pause, () => seen() && readUsage())
}

// Usage is what one profile uses; nothing before it is known.
export function Usage({ id }: { id: number }) {
  const used = state.usage.value.get(id)
  return used ? (
    <span class="dim usage" title={t.usage.title(used.processes)}>
      {usageText(used)}
    </span>
  ) : null
}
