// The tabs of a person's own browser: which of them agents see.
import { useEffect, useRef, useState } from 'preact/hooks'
import * as calls from '../api/calls.ts'
import { type Failure, failureOf, told } from '../api/client.ts'
import type { SharedTab, SharedTabs as Answer } from '../api/types.ts'
import { fittingTabs, merged, nameOf, seen, whereOf } from '../lib/adopt.ts'
import { stateText } from '../lib/session.ts'
import { Btn, withApp } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { useEvery, useSeen } from '../parts/hooks.ts'
import { adopt } from '../store/app.ts'
import { failed } from '../store/messages.ts'
import type { Row } from '../store/state.ts'
import * as state from '../store/state.ts'
import { t } from '../strings.ts'

const lookEvery = 2000 // milliseconds
const manyTabs = 8 // that need a search

// useTabs follows the tabs while they are shown: the app does not tell when they change.
function useTabs(id: number, shown: boolean) {
  const [tabs, setTabs] = useState<SharedTab[] | null>(null)
  const [wrong, setWrong] = useState<Failure | null>(null)
  const [wanted, setWanted] = useState<ReadonlyMap<string, boolean>>(new Map()) // changes on their way
  const [kept, setKept] = useState(false)
  const changes = useRef(0) // that are on their way, or were
  const busy = useRef(false)
  const on = useSeen() && shown
  const take = ({ data }: Answer) => {
    setTabs(old => merged(old ?? [], data))
    setWrong(null)
  }
  const look = async () => {
    if (busy.current || wanted.size) return
    busy.current = true
    const before = changes.current
    try {
      const answer = await calls.sharedTabs(id)
      if (before === changes.current) take(answer)
    } catch (e) {
      setWrong(failureOf(e))
    }
    busy.current = false
  }
  useEffect(() => {
    if (on) void look()
  }, [id, on])
  useEvery(lookEvery, () => {
    if (on && state.online.value) void look()
  })
  const choose = async (tab: SharedTab, share: boolean) => {
    changes.current++
    setKept(false)
    setWanted(now => new Map(now).set(tab.id, share))
    try {
      const answer = await calls.shareTabs(id, share ? { share: [tab.id] } : { unshare: [tab.id] })
      take(answer)
      setKept(!share && answer.data.some(now => now.id === tab.id && seen(now)))
    } catch (e) {
      failed(e)
    }
    setWanted(now => new Map([...now].filter(([one]) => one !== tab.id)))
  }
  return { tabs, wrong, wanted, kept, choose }
}

// SharedTabs is the list, with a box for each tab.
export function SharedTabs({ id, shown }: { id: number; shown: boolean }) {
  const { tabs, wrong, wanted, kept, choose } = useTabs(id, shown)
  const [text, setText] = useState('')
  if (!tabs)
    return wrong ? (
      <p class="error all" role="alert">
        {told(wrong)}
      </p>
    ) : (
      <p class="dim" role="status">
        {t.parts.reading}
      </p>
    )
  if (!tabs.length) return <p class="dim">{t.adopt.none}</p>
  const found = fittingTabs(tabs, text)
  return (
    <>
      {(tabs.length > manyTabs || text) && (
        <Field label={t.adopt.find}>
          {a => (
            <input
              {...a}
              type="search"
              value={text}
              onInput={e => {
                setText(e.currentTarget.value)
              }}
              onKeyDown={e => {
                if (e.key === 'Enter') e.preventDefault() // it would save the profile
              }}
            />
          )}
        </Field>
      )}
      <div class="sites" role="group" aria-label={t.adopt.tabs}>
        {found.map(tab => (
          <label class="check" key={tab.id} title={tab.url}>
            <input
              type="checkbox"
              checked={wanted.get(tab.id) ?? seen(tab)}
              {...withApp({})}
              onChange={e => {
                void choose(tab, e.currentTarget.checked)
              }}
            />
            <span class="named">
              <span class="tab-title">{nameOf(tab) || t.live.newTab}</span>
              <small class="dim">{[tab.agents && t.adopt.byAgents, whereOf(tab)].filter(Boolean).join(' · ')}</small>
            </span>
          </label>
        ))}
        {!found.length && <p class="dim">{t.adopt.noneFits}</p>}
      </div>
      <p class="hint" role="status">
        {kept ? t.adopt.kept : ''}
      </p>
    </>
  )
}

// NotShared says what a browser waits for, or why it is not shared, and leads to the dialog.
export const NotShared = ({ p }: { p: Row }) => (
  <>
    <p>
      {stateText(p) ?? t.adopt.closed} {p.state === 'closed' && p.end !== 'refused' && t.adopt.closedText}
    </p>
    <p>
      <Btn
        acts
        onClick={() => {
          adopt(p.id)
        }}
      >
        {t.adopt.open}
      </Btn>
    </p>
  </>
)

// Shared is what the window of a profile shows of its browser's tabs.
export const Shared = ({ p, shown }: { p: Row; shown: boolean }) => (
  <section aria-label={t.edit.tabs.shared}>
    {p.state === 'open' ? (
      <>
        <p>{t.adopt.choose}</p>
        <SharedTabs id={p.id} shown={shown} />
      </>
    ) : (
      <NotShared p={p} />
    )}
  </section>
)
