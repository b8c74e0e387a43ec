// The bar at the bottom, always there. It opens the status window.
import { planName } from '../lib/session.ts'
import { withApp } from '../parts/button.tsx'
import { Grow } from '../parts/layout.tsx'
import { connected } from '../store/access.ts'
import { show } from '../store/app.ts'
import * as state from '../store/state.ts'
import { t } from '../strings.ts'

const openStatus = () => {
  show('status')
}

const Api = () => (
  <button type="button" id="open-status" aria-haspopup="dialog" onClick={openStatus} title={t.status.title}>
    {state.online.value ? (
      <>
        <b class="ok" />
        {t.bar.api} <code>127.0.0.1:{state.status.value?.api_port ?? location.port}</code>
      </>
    ) : (
      <>
        <b class="down" />
        <span class="down">{t.bar.away}</span> <code>{t.commands.up}</code>
      </>
    )}
  </button>
)

export function Bar() {
  const s = state.status.value
  const browser = state.browser.value
  const agents = connected.value.length
  return (
    <footer>
      <Api />
      {s && (
        <>
          <button type="button" onClick={openStatus}>
            {t.bar.open(s.open.length)}
          </button>
          {agents > 0 && <span class="wide">{t.bar.connected(agents)}</span>}
          {!state.panic.value && (
            <button
              type="button"
              onClick={() => {
                show('panic')
              }}
              {...withApp({ title: t.panic.about })}
            >
              {t.panic.button}
            </button>
          )}
          <Grow />
          <a href="#/settings">
            {s.logged_in ? t.bar.account((s.account ?? '').replace(/@localhost$/, ''), planName(s)) : t.bar.loggedOut}
          </a>
          <span class="wide">{browser ? `${browser.name} ${browser.version.split('.')[0]}` : ''}</span>
          <button type="button" onClick={openStatus}>
            {t.bar.version(s.version)}
          </button>
        </>
      )}
    </footer>
  )
}
