// Views whose script is loaded when they are first shown.
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { t } from '../strings.ts'
import { Btn } from './button.tsx'
import { Empty } from './layout.tsx'

// later is a view that loads its script. A window that is older than the app finds none, and is loaded anew.
export function later(load: () => Promise<ComponentType>): ComponentType {
  let View: ComponentType | undefined
  return function Later() {
    const [state, setState] = useState(View ? 'here' : 'loading')
    useEffect(() => {
      if (View) return
      load().then(
        loaded => {
          View = loaded
          setState('here')
        },
        () => {
          setState('failed')
        },
      )
    }, [])
    if (View) return <View />
    return (
      <main id="main">
        {state === 'failed' ? (
          <Empty title={t.app.noView}>
            <Btn
              onClick={() => {
                location.reload()
              }}
            >
              {t.app.reload}
            </Btn>
          </Empty>
        ) : (
          <p class="hidden" role="status">
            {t.app.loading}
          </p>
        )}
      </main>
    )
  }
}
