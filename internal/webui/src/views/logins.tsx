// Logins from a browser that the person uses outside Cove, into a closed profile.
import { useEffect, useState } from 'preact/hooks'
import * as calls from '../api/calls.ts'
import type { LoginChoice, LoginImport, LoginImportInput, LoginsTaken } from '../api/types.ts'
import { failureOf, told } from '../api/client.ts'
import { fitting, over, type Source, sourcesOf } from '../lib/logins.ts'
import { Btn, withApp } from '../parts/button.tsx'
import { Field, focused, Options } from '../parts/field.tsx'
import { useWork } from '../parts/hooks.ts'
import { Modal } from '../parts/modal.tsx'
import { trying } from '../store/messages.ts'
import type { Row } from '../store/state.ts'
import * as state from '../store/state.ts'
import { t } from '../strings.ts'

export function Logins({ p }: { p: Row }) {
  const [shown, setShown] = useState(false)
  const open = p.state !== 'closed'
  return (
    <section aria-label={t.logins.title}>
      <h3>{t.logins.title}</h3>
      <p class="hint">{t.logins.hint}</p>
      <div class="field line">
        <Btn
          acts
          disabled={open}
          title={open ? t.logins.stopFirst : undefined}
          onClick={() => {
            setShown(true)
          }}
        >
          {t.logins.open}
        </Btn>
        {open && <span class="dim">{t.logins.stopFirst}</span>}
      </div>
      {shown && (
        <ImportLogins
          p={p}
          onClose={() => {
            setShown(false)
          }}
        />
      )}
    </section>
  )
}

const retryAfter = 2000 // milliseconds

const pause = (ms: number) =>
  new Promise<void>(done => {
    setTimeout(done, ms)
  })

// useImport is the import that is under way, if any, and what goes wrong with following it.
function useImport() {
  const [one, setOne] = useState<LoginImport | null>(null)
  const [lost, setLost] = useState('')
  const id = one && !over(one) ? one.id : ''
  useEffect(() => {
    if (!id || !one) return
    let left = false
    let known = one.version
    const look = async () => {
      const { data } = await calls.loginImport(id, known)
      known = data.version
      if (left) return true
      setOne(data)
      setLost('')
      return over(data)
    }
    const follow = async () => {
      for (let ended = false; !ended && !left;) {
        try {
          ended = await look()
        } catch (e) {
          if (left) return
          setLost(told(e))
          if (failureOf(e).status) return // an answer, and not that nobody answers for a moment
          await pause(retryAfter)
        }
      }
    }
    void follow()
    return () => {
      left = true
    }
  }, [id])
  return { one, setOne, lost }
}

function ImportLogins({ p, onClose }: { p: Row; onClose: () => void }) {
  const { one, setOne, lost } = useImport()
  const [sources, setSources] = useState<Source[] | null>(null)
  const { doing, wrong, run } = useWork()
  useEffect(() => {
    void run(t.logins.looking, async () => {
      const running = (await calls.loginImports()).data.find(i => !over(i))
      if (running) setOne(running) // the window was closed or loaded anew meanwhile
      setSources(sourcesOf((await calls.loginSources()).data))
    })
  }, [])
  const close = () => {
    // What is being written is made whole, and an import into another profile goes on.
    if (one && !over(one) && one.profile === p.id && one.step !== 'writing') {
      void trying(() => calls.cancelLogins(one.id))
    }
    onClose()
  }
  const begin = (from: Omit<LoginImportInput, 'profile'>) =>
    run(t.logins.steps.reading, async () => {
      setOne((await calls.importLogins({ profile: p.id, ...from })).data)
    })
  const choose = (id: string, choice: LoginChoice) =>
    run(t.logins.steps.writing, async () => {
      setOne((await calls.chooseLogins(id, choice)).data)
    })
  const again = () => {
    setOne(null)
  }
  return (
    <Modal kind="ask" title={t.logins.dialog(p.name)} onClose={close} firm={!!one && !over(one)}>
      {one && one.profile !== p.id && !over(one) ? (
        <Elsewhere one={one} onCancelled={again} />
      ) : !one ? (
        <Begin sources={sources} doing={doing} wrong={wrong} onClose={close} onGo={begin} />
      ) : one.step === 'choosing' ? (
        <Choose one={one} busy={!!doing} wrong={wrong || lost} onClose={close} onGo={c => choose(one.id, c)} />
      ) : (
        <Progress one={one} lost={lost} onClose={close} onAgain={again} />
      )}
    </Modal>
  )
}

// Elsewhere is an import into another profile: there can be only one.
function Elsewhere({ one, onCancelled }: { one: LoginImport; onCancelled: () => void }) {
  const name = state.profiles.value.get(one.profile)?.name ?? t.jobs.profile(one.profile)
  const cancel = () =>
    trying(async () => {
      await calls.cancelLogins(one.id)
      onCancelled()
    })
  return (
    <>
      <div class="body">
        <p>{t.logins.elsewhere(name)}</p>
      </div>
      <div class="foot">
        <Btn acts data-first onClick={cancel}>
          {t.logins.cancelElsewhere}
        </Btn>
      </div>
    </>
  )
}

type BeginProps = {
  sources: Source[] | null
  doing: string
  wrong: string
  onClose: () => void
  onGo: (from: Omit<LoginImportInput, 'profile'>) => void
}

// Begin says what will happen, and asks for the browser.
function Begin({ sources, doing, wrong, onClose, onGo }: BeginProps) {
  const [at, setAt] = useState(0)
  const [folder, setFolder] = useState('')
  const other = sources !== null && at >= sources.length
  const names = (sources ?? []).map((s, i) => [i, t.logins.sourceName(s.browser, s.profile, s.open)] as const)
  const from = sources?.[at]?.from ?? { dataDir: folder.trim() }
  return (
    <form
      onSubmit={e => {
        e.preventDefault()
        e.stopPropagation()
        if (from.dataDir) onGo(from)
      }}
    >
      <div class="body">
        <p>{t.logins.before}</p>
        <p class="note">{t.logins.agents}</p>
        <p class="dim">{t.logins.without}</p>
        {sources?.length === 0 && <p>{t.logins.noneFound}</p>}
        {names.length > 0 && (
          <Field label={t.logins.source} error={other ? '' : wrong}>
            {a => (
              <select
                {...a}
                ref={focused}
                onChange={e => {
                  setAt(Number(e.currentTarget.value))
                }}
              >
                <Options of={[...names, [names.length, t.logins.otherFolder] as const]} now={at} />
              </select>
            )}
          </Field>
        )}
        {other && (
          <Field label={t.logins.folder} hint={t.logins.folderHint} error={wrong}>
            {a => (
              <input
                {...a}
                value={folder}
                onInput={e => {
                  setFolder(e.currentTarget.value)
                }}
              />
            )}
          </Field>
        )}
        <p class="hint" role="status">
          {doing}
        </p>
        {!sources && wrong && (
          <p class="error" role="alert">
            {wrong}
          </p>
        )}
      </div>
      <Foot go={t.logins.go} ready={!!from.dataDir && !doing} onClose={onClose} />
    </form>
  )
}

const Foot = ({ go, ready, onClose }: { go: string; ready: boolean; onClose: () => void }) => (
  <div class="foot">
    <Btn kind="quiet" onClick={onClose}>
      {t.parts.cancel}
    </Btn>
    <button class="btn primary" {...withApp({ disabled: !ready })}>
      {go}
    </button>
  </div>
)

type ChooseProps = {
  one: LoginImport
  busy: boolean
  wrong: string
  onClose: () => void
  onGo: (choice: LoginChoice) => void
}

// Choose lists the sites. None is chosen yet, and to have all of them takes a word.
function Choose({ one, busy, wrong, onClose, onGo }: ChooseProps) {
  const [text, setText] = useState('')
  const [sites, setSites] = useState<string[]>([])
  const [all, setAll] = useState(!!one.copy)
  const [word, setWord] = useState('')
  const [storage, setStorage] = useState(false)
  const found = fitting(one.sites, text)
  const n = one.sites.length
  const ready = all ? word.trim().toLowerCase() === t.logins.typeWord : sites.length > 0
  const tick = (site: string, on: boolean) => {
    setSites(on ? [...sites, site] : sites.filter(s => s !== site))
  }
  return (
    <form
      onSubmit={e => {
        e.preventDefault()
        e.stopPropagation()
        if (ready && !busy) onGo(all ? { all, storage } : { sites, storage })
      }}
    >
      <div class="body">
        {!n && <p>{t.logins.noSites}</p>}
        {one.copy && <p>{t.logins.whole(n)}</p>}
        {!one.copy && n > 0 && (
          <>
            <Field label={t.logins.find}>
              {a => (
                <input
                  {...a}
                  type="search"
                  ref={focused}
                  value={text}
                  onInput={e => {
                    setText(e.currentTarget.value)
                  }}
                />
              )}
            </Field>
            <div class="sites" role="group" aria-label={t.logins.sites}>
              {found.map(s => (
                <label class="check" key={s.site}>
                  <input
                    type="checkbox"
                    disabled={all}
                    checked={all || sites.includes(s.site)}
                    onChange={e => {
                      tick(s.site, e.currentTarget.checked)
                    }}
                  />
                  <span>{s.site}</span>
                  <span class="dim">{t.logins.site(s.cookies, s.origins > 0)}</span>
                </label>
              ))}
              {!found.length && <p class="dim">{t.logins.noneFits}</p>}
            </div>
            <label class="check">
              <input
                type="checkbox"
                checked={all}
                onChange={e => {
                  setAll(e.currentTarget.checked)
                }}
              />
              {t.logins.every(n)}
            </label>
            <label class="check">
              <input
                type="checkbox"
                checked={storage}
                onChange={e => {
                  setStorage(e.currentTarget.checked)
                }}
              />
              {t.logins.storage}
            </label>
            <p class="hint">{t.logins.replaces}</p>
          </>
        )}
        {all && n > 0 && (
          <Field label={t.logins.typeAll}>
            {a => (
              <input
                {...a}
                value={word}
                onInput={e => {
                  setWord(e.currentTarget.value)
                }}
              />
            )}
          </Field>
        )}
        {wrong && (
          <p class="error" role="alert">
            {wrong}
          </p>
        )}
      </div>
      <Foot go={t.logins.take(all ? n : sites.length)} ready={ready && !busy} onClose={onClose} />
    </form>
  )
}

const Taken = ({ result, copy, opaque }: { result: LoginsTaken; copy: boolean; opaque: number }) => (
  <>
    <p role="status">{t.logins.done(result.cookies, result.entries)}</p>
    {!copy && (
      <p>
        {t.logins.noDatabases} {t.logins.untick}
      </p>
    )}
    {result.refused.length + result.refusedOrigins.length + result.gone.length > 0 && (
      <>
        <p>{t.logins.refused}</p>
        <ul class="failures">
          {result.refused.map(c => (
            <li key={`${c.domain} ${c.path} ${c.name} ${c.partition ?? ''}`}>
              <code>{c.name}</code> <span class="dim">{c.domain + c.path}</span>
            </li>
          ))}
          {result.refusedOrigins.map(o => (
            <li key={o}>{t.logins.refusedStorage(o)}</li>
          ))}
          {result.gone.map(site => (
            <li key={site}>{t.logins.gone(site)}</li>
          ))}
        </ul>
      </>
    )}
    {opaque > 0 && <p class="dim">{t.logins.opaque(opaque)}</p>}
  </>
)

type ProgressProps = { one: LoginImport; lost: string; onClose: () => void; onAgain: () => void }

// Progress says what the import waits for, and how it ended.
function Progress({ one, lost, onClose, onAgain }: ProgressProps) {
  const { step, result, failure } = one
  const wrong = failure ? [failure.text, failure.hint].filter(Boolean).join(' ') : lost
  return (
    <>
      <div class="body">
        {result && <Taken result={result} copy={!!one.copy} opaque={one.opaque ?? 0} />}
        {wrong && (
          <p class="error all" role="alert">
            {wrong}
          </p>
        )}
        {step === 'failed' && !one.copy && one.sites.length > 0 && <p>{t.logins.untick}</p>}
        {step !== 'done' && step !== 'failed' && step !== 'choosing' && !wrong && (
          <>
            <p role="status">{t.logins.steps[step]}</p>
            <progress aria-label={t.logins.steps[step]} />
          </>
        )}
      </div>
      <div class="foot">
        {step === 'failed' && (
          <Btn kind="quiet" onClick={onAgain}>
            {t.logins.again}
          </Btn>
        )}
        <Btn data-first onClick={onClose}>
          {over(one) || step === 'writing' ? t.parts.close : t.parts.cancel}
        </Btn>
      </div>
    </>
  )
}
