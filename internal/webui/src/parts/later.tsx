// Views whose script is loaded when they are first shown.
import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { t } from '../strings.ts'
import { Btn } from './button.tsx'
import { Empty } from './layout.tsx'

const Page = ({ children }: { children: ComponentChildren }) => <main id="main">{children}</main>

// later is a view that loads its script. A window that is older than the app finds none, and is loaded anew. Around is
// what stands around a word about that.
export function later<P extends object>(load: () => Promise<ComponentType<P>>, Around = Page): ComponentType<P> {
  let View: ComponentType<P> | undefined
  return function Later(props: P) {
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
    if (View) return <View {...props} />
    return (
      <Around>
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
      </Around>
    )
  }
}
