// What waits for the person, above the views that do not show it themselves.
import { waiting } from '../store/requests.ts'
import { addressOf } from '../store/route.ts'
import * as state from '../store/state.ts'
import { t } from '../strings.ts'
import { RequestCard } from './request.tsx'

// shown is how many cards leave enough of what is behind them: in a low window a dialog or a page that the person works
// in needs all of it.
function shown(): number {
  if (innerHeight > 500) return innerWidth > 800 ? 3 : 1
  return state.modals.value || state.route.value.view === 'live' ? 0 : 1
}

// Asks are the requests that expire next, and how many more there are. Where a view shows them, no card covers it.
export function Asks() {
  const { view, arg } = state.route.value
  if (!state.modals.value && (view === 'requests' || view === 'activity')) return null
  const here = view === 'live' && !state.modals.value ? Number(arg) : 0
  const all = waiting.value.filter(r => r.profile !== here)
  const cards = shown()
  return (
    <>
      {all.slice(0, cards).map(r => (
        <div key={r.id} class="toast">
          <RequestCard r={r} brief />
        </div>
      ))}
      {all.length > cards && (
        <div class="toast">
          <a href={addressOf('requests')}>{cards ? t.requests.more(all.length - cards) : t.nav.requests(all.length)}</a>
        </div>
      )}
    </>
  )
}
