// The browser that the person has open: what it means to share it, what it waits for, and its tabs.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import * as calls from '../api/calls.ts'
import { told } from '../api/client.ts'
import type { AdoptInput, External } from '../api/types.ts'
import { nameFor, phaseOf, sourceOf } from '../lib/adopt.ts'
import { type Source, sourcesOf } from '../lib/logins.ts'
import { stateText } from '../lib/session.ts'
import { Btn, CopyButton, withApp } from '../parts/button.tsx'
import { Field, focused, Options } from '../parts/field.tsx'
import { Grow } from '../parts/layout.tsx'
import { Modal } from '../parts/modal.tsx'
import { show } from '../store/app.ts'
import { toast } from '../store/messages.ts'
import { adopt, stop } from '../store/profiles.ts'
import type { Row } from '../store/state.ts'
import * as state from '../store/state.ts'
import { t } from '../strings.ts'
import { SharedTabs } from './sharedtabs.tsx'

// useSharing asks for a browser. Whoever gives up may have pressed Allow before the app hears of it.
function useSharing(fixed: number) {
  const [id, setID] = useState(fixed)
  const [asking, setAsking] = useState(false)
  const [wrong, setWrong] = useState('')
  const left = useRef(false)
  const begin = async (from?: AdoptInput) => {
    if (asking) return
    setAsking(true)
    setWrong('')
    try {
      const profile = from ? await adopt(from) : id
      if (left.current) return
      setID(profile)
      await calls.shareBrowser(profile)
      if (left.current) await stop(profile)
    } catch (e) {
      if (!left.current) setWrong(told(e))
    }
    setAsking(false)
  }
  const cancel = () => {
    left.current = true
    if (!id) return // the browser was not asked yet, and will not be
    void stop(id)
    toast(t.adopt.cancelled, { hint: t.adopt.cancelledHint })
  }
  return { id, asking, wrong, begin, cancel }
}

const close = () => {
  show(null)
}

export function Adopt() {
  const fixed = useRef(state.adopting.value).current
  const { id, asking, wrong, begin, cancel } = useSharing(fixed)
  const shared = useRef(false)
  const p = state.profiles.value.get(id)
  const phase = phaseOf(p, { asking: asking && id > 0, failed: id > 0 && !!wrong, shared: shared.current })
  shared.current ||= phase === 'tabs'
  const leave = () => {
    if (phase === 'waiting' || (phase === 'begin' && asking)) cancel()
    close()
  }
  return (
    <Modal kind="ask wide" title={t.adopt.title} onClose={leave} firm={phase === 'waiting'}>
      {phase === 'begin' && (
        <Begin p={fixed ? p : undefined} busy={asking} wrong={wrong} onGo={begin} onClose={leave} />
      )}
      {phase === 'waiting' && <Waiting p={p} onCancel={leave} />}
      {phase === 'tabs' && <Tabs id={id} />}
      {phase === 'failed' && <Failed text={wrong} onAgain={() => begin()} />}
      {phase === 'ended' && <Ended text={(p && stateText(p)) ?? t.adopt.closed} />}
    </Modal>
  )
}

// Said is the first thing that a step of the dialog says. It has the focus, so that no key presses what comes there.
const Said = ({ children, role = 'status' }: { children: ComponentChildren; role?: 'status' | 'alert' }) => (
  <p class={role === 'alert' ? 'error all' : ''} role={role} tabindex={-1} ref={focused} data-first>
    {children}
  </p>
)

// useSources are the browsers of this computer. A browser that is chosen already has its name without them, too.
function useSources(needed: boolean) {
  const [sources, setSources] = useState<Source[] | null>(null)
  const [wrong, setWrong] = useState('')
  useEffect(() => {
    calls.loginSources(!needed).then(
      ({ data }) => {
        setSources(sourcesOf(data))
      },
      (e: unknown) => {
        if (needed) setWrong(told(e))
      },
    )
  }, [])
  return { sources, wrong }
}

const Consent = () => (
  <>
    <p tabindex={-1} data-first>
      {t.adopt.before}
    </p>
    <ol class="numbered">
      <li>
        {t.adopt.typePage[0]}{' '}
        <span class="whole">
          <code>{t.adopt.page}</code>
          <CopyButton text={t.adopt.page} label={t.adopt.copy} small />
        </span>{' '}
        {t.adopt.typePage[1]}
      </li>
      <li>{t.logins.steps['wait-allow']}</li>
    </ol>
    <p>{t.adopt.after}</p>
  </>
)

const Limits = () => (
  <div class="note" role="note">
    {t.adopt.limits}
    <ul class="reach">
      {t.adopt.limit.map(limit => (
        <li key={limit}>{limit}</li>
      ))}
    </ul>
  </div>
)

const folderOf = ({ dataDir, dir }: External) => `${dataDir}/${dir}`
const nameOf = ({ browser, profile, open }: Source) => t.logins.sourceName(browser, profile, open)

type BeginProps = {
  p?: Row
  busy: boolean
  wrong: string
  onGo: (from?: AdoptInput) => unknown
  onClose: () => void
}

// Begin says what it means to share a browser, and asks for the browser unless a profile has one.
function Begin({ p, busy, wrong, onGo, onClose }: BeginProps) {
  const { sources, wrong: unread } = useSources(!p)
  const [at, setAt] = useState(0)
  const [folder, setFolder] = useState('')
  const [typed, setTyped] = useState<string>()
  const from = sources?.[at]?.from ?? { dataDir: folder.trim() }
  const name = typed ?? nameFor(state.profiles.value.values(), from)
  const ready = !!p || (!!from.dataDir && !!name.trim())
  const go = (e: SubmitEvent) => {
    e.preventDefault()
    e.stopPropagation()
    if (ready && !busy) onGo(p ? undefined : { name: name.trim(), ...from })
  }
  return (
    <form onSubmit={go}>
      <div class="body">
        <Consent />
        {p ? (
          <Chosen p={p} sources={sources ?? []} />
        ) : (
          <div class="pair browser">
            <Browsers sources={sources} at={at} folder={folder} onAt={setAt} onFolder={setFolder} />
            <Field label={t.adopt.name}>
              {a => (
                <input
                  {...a}
                  value={name}
                  maxlength={200}
                  dir="auto"
                  onInput={e => {
                    setTyped(e.currentTarget.value)
                  }}
                />
              )}
            </Field>
          </div>
        )}
        <Limits />
      </div>
      <div class="foot">
        {(wrong || unread) && (
          <p class="error" role="alert">
            {wrong || unread}
          </p>
        )}
        <Btn kind="quiet" onClick={onClose}>
          {t.parts.cancel}
        </Btn>
        <button class="btn primary" {...withApp({ disabled: !ready })}>
          {t.adopt.go}
        </button>
      </div>
    </form>
  )
}

// Chosen is the browser of a profile.
function Chosen({ p, sources }: { p: Row; sources: Source[] }) {
  const { external } = p
  if (!external) return null
  const source = sourceOf(sources, external)
  return (
    <dl>
      <dt>{t.logins.source}</dt>
      <dd class="path">{source ? nameOf(source) : folderOf(external)}</dd>
      <dt>{t.journal.profile}</dt>
      <dd class="path">{p.name}</dd>
    </dl>
  )
}

// OwnBrowser says which browser a profile stands for.
export function OwnBrowser({ external }: { external: External }) {
  const { sources } = useSources(false)
  const source = sourceOf(sources ?? [], external)
  return (
    <dl>
      <dt>{t.logins.folder}</dt>
      <dd class="path">{folderOf(external)}</dd>
      {source && (
        <>
          <dt>{t.logins.source}</dt>
          <dd class="path">{`${source.browser} · ${source.profile}`}</dd>
        </>
      )}
    </dl>
  )
}

type BrowsersProps = {
  sources: Source[] | null
  at: number
  folder: string
  onAt: (at: number) => void
  onFolder: (folder: string) => void
}

// Browsers asks for a browser, or for the folder of one that Cove does not find.
function Browsers({ sources, at, folder, onAt, onFolder }: BrowsersProps) {
  if (!sources)
    return (
      <p class="hint" role="status">
        {t.logins.looking}
      </p>
    )
  const names = sources.map((source, i) => [i, nameOf(source)] as const)
  return (
    <>
      {names.length > 0 && (
        <Field label={t.logins.source}>
          {a => (
            <select
              {...a}
              onChange={e => {
                onAt(Number(e.currentTarget.value))
              }}
            >
              <Options of={[...names, [names.length, t.logins.otherFolder] as const]} now={at} />
            </select>
          )}
        </Field>
      )}
      {!names.length && <p>{t.logins.noneFound}</p>}
      {at >= names.length && (
        <Field label={t.logins.folder} hint={t.logins.folderHint}>
          {a => (
            <input
              {...a}
              value={folder}
              onInput={e => {
                onFolder(e.currentTarget.value)
              }}
            />
          )}
        </Field>
      )}
    </>
  )
}

// Waiting says what the person has to do next.
function Waiting({ p, onCancel }: { p?: Row; onCancel: () => void }) {
  const text = (p && stateText(p)) ?? t.adopt.connecting
  return (
    <>
      <div class="body">
        <Said>{text}</Said>
        {p?.step === 'switch-off' && (
          <>
            <div class="command">
              <pre>{t.adopt.page}</pre>
              <CopyButton text={t.adopt.page} label={t.adopt.copy} />
            </div>
            <p class="hint">{t.adopt.noLink}</p>
          </>
        )}
        <progress aria-label={t.adopt.connecting} />
      </div>
      <div class="foot">
        <Btn onClick={onCancel}>{t.parts.cancel}</Btn>
      </div>
    </>
  )
}

const Tabs = ({ id }: { id: number }) => (
  <>
    <div class="body">
      <Said>{t.adopt.choose}</Said>
      <SharedTabs id={id} shown />
    </div>
    <div class="foot">
      <Btn
        acts
        kind="quiet"
        title={t.adopt.letGoText}
        onClick={() => {
          void stop(id)
          close()
        }}
      >
        {t.adopt.letGo}
      </Btn>
      <Grow />
      <Btn kind="primary" onClick={close}>
        {t.adopt.done}
      </Btn>
    </div>
  </>
)

const Failed = ({ text, onAgain }: { text: string; onAgain: () => void }) => (
  <>
    <div class="body">
      <Said role="alert">{text}</Said>
    </div>
    <div class="foot">
      <Btn kind="quiet" onClick={close}>
        {t.parts.close}
      </Btn>
      <Btn acts kind="primary" onClick={onAgain}>
        {t.adopt.again}
      </Btn>
    </div>
  </>
)

const Ended = ({ text }: { text: string }) => (
  <>
    <div class="body">
      <Said>{text}</Said>
    </div>
    <div class="foot">
      <Btn onClick={close}>{t.parts.close}</Btn>
    </div>
  </>
)
