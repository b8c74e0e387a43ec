// Everything that is open, at a glance: what waits for the person first.
import { useEffect, useState } from 'preact/hooks'
import { type Doing, byNeed, doingOf } from '../lib/activity.ts'
import { lastTouch, waitingBoxes } from '../lib/touch.ts'
import { since } from '../lib/time.ts'
import { Btn } from '../parts/button.tsx'
import { DoingMark } from '../parts/doing.tsx'
import { useEvery, useSeen } from '../parts/hooks.ts'
import { Empty, Grow, Main, State } from '../parts/layout.tsx'
import { bytes, Picture } from '../parts/picture.tsx'
import { RequestCard } from '../parts/request.tsx'
import { Touch, Waits } from '../parts/touch.tsx'
import { Usage, useUsage } from '../parts/usage.tsx'
import { watchAll } from '../store/activity.ts'
import { past, waiting, waitingIn } from '../store/requests.ts'
import { addressOf, go } from '../store/route.ts'
import type { Row } from '../store/state.ts'
import * as state from '../store/state.ts'
import { t } from '../strings.ts'
import { Actions } from './table.tsx'

// useAll follows every open profile while the view is there and the window is to be seen.
function useAll(): void {
  const seen = useSeen()
  useEffect(() => {
    if (!seen) return
    const over = new AbortController()
    void watchAll(over.signal)
    return () => {
      over.abort()
    }
  }, [seen])
}

function doing(p: Row): Doing {
  return doingOf(state.access.value.get(p.id), waitingIn(p.id), state.glances.value.get(p.id)?.last)
}

// Thumbnail is what a profile shows now.
function Thumbnail({ p }: { p: Row }) {
  const glance = state.glances.value.get(p.id)
  const { picture, dialog, url, last } = glance ?? {}
  const shown = { tab: picture?.tab, url, actions: last ? [last] : [] }
  const controlled = !!picture && state.access.value.get(p.id)?.controlled?.includes(picture.tab)
  return (
    <a class="thumbnail" href={addressOf('live', p.id)} aria-label={t.activity.watch(p.name)}>
      {picture && (
        <Picture
          key={picture.data}
          label={t.activity.picture(p.name)}
          load={() => Promise.resolve(bytes(picture.data))}
        />
      )}
      {picture && glance?.acted && (
        <Touch key={picture.tab} touched={lastTouch(shown.actions, picture.tab)} size={picture} fills />
      )}
      {picture && !controlled && <Waits boxes={waitingBoxes(waitingIn(p.id), shown)} size={picture} fills />}
      {dialog && <span class="note">{dialog}</span>}
    </a>
  )
}

const names = (p: Row) =>
  (state.access.value.get(p.id)?.agents ?? []).map(a => a.name || t.who.program).join(', ') || t.activity.nobody

function Open({ p }: { p: Row }) {
  const last = state.glances.value.get(p.id)?.last
  const now = doing(p)
  const bad = last?.outcome === 'error' || last?.outcome === 'refused'
  return (
    <li class={`card open ${now}`} data-profile={p.id}>
      {p.mode === 'automation' && <Thumbnail p={p} />}
      <div class="line">
        <a class="name" href={addressOf(p.mode === 'automation' ? 'live' : 'profile', p.id)}>
          {p.name}
        </a>
        <Grow />
        {last && <time class="dim">{last.going ? t.time.now : since(last.at)}</time>}
      </div>
      {p.mode === 'automation' && !(p.external && p.state === 'starting') ? (
        <>
          <div class="line">
            <span class="dim path grow">{names(p)}</span>
            <DoingMark now={now} />
          </div>
          <Usage id={p.id} />
          <p class={bad ? 'bad' : ''}>{last?.text ?? ''}</p>
        </>
      ) : (
        <State p={p} />
      )}
      <div class="line">
        {p.mode === 'automation' && (
          <a class="btn quiet" href={addressOf('journal', p.id)}>
            {t.journal.link}
          </a>
        )}
        <Grow />
        <Actions p={p} />
      </div>
    </li>
  )
}

// Waiting are the requests, above everything else.
const Waiting = () => (
  <section aria-label={t.requests.waiting}>
    <h2 class="warn">
      {t.requests.waiting} <span class="dim">{waiting.value.length}</span>
    </h2>
    <ul class="tiles wide">
      {waiting.value.map(r => (
        <li key={r.id} class="card waiting">
          <RequestCard r={r} brief picture />
        </li>
      ))}
    </ul>
  </section>
)

export function Activity() {
  useAll()
  useUsage()
  const [, tick] = useState(0)
  useEvery(1000, () => {
    tick(n => n + 1)
  })
  const open = [...state.profiles.value.values()]
    .filter(p => p.state !== 'closed')
    .sort((a, b) => byNeed(doing(a), doing(b)) || (b.openedAt ?? '').localeCompare(a.openedAt ?? ''))
  const head = (
    <>
      <span class="dim">{open.length ? t.activity.open(open.length) : ''}</span>
      <Grow />
      {(waiting.value.length > 0 || past.value.length > 0) && (
        <a class="btn" href={addressOf('requests')}>
          {t.requests.title}
        </a>
      )}
    </>
  )
  return (
    <Main title={t.activity.title} head={head}>
      {open.length ? (
        <div class="overview">
          {waiting.value.length > 0 && <Waiting />}
          <section aria-label={t.activity.profiles}>
            {waiting.value.length > 0 && <h2>{t.activity.profiles}</h2>}
            <ul class="tiles">
              {open.map(p => (
                <Open key={p.id} p={p} />
              ))}
            </ul>
          </section>
        </div>
      ) : (
        <Empty title={t.activity.nothing}>
          <p>{t.activity.nothingText}</p>
          <p>
            <Btn
              onClick={() => {
                go('')
              }}
            >
              {t.activity.showProfiles}
            </Btn>{' '}
            <Btn
              onClick={() => {
                go('connect')
              }}
            >
              {t.connect.open}
            </Btn>
          </p>
        </Empty>
      )}
    </Main>
  )
}
