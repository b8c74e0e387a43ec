// A request of an agent, and the person's answer to it.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Answer, Ask as Request } from '../api/types.ts'
import { isOpen, isWorkedOn, shareLeft, siteOf, timeLeft, titleOf } from '../lib/request.ts'
import { typedText } from '../lib/text.ts'
import { answer, see, takeControl } from '../store/requests.ts'
import { addressOf } from '../store/route.ts'
import * as state from '../store/state.ts'
import { t } from '../strings.ts'
import { Btn } from './button.tsx'
import { useEvery } from './hooks.ts'
import { Ask } from './modal.tsx'
import { bytes, Picture } from './picture.tsx'

// Left is how long a request stays open. Its ring is for the eye: the words say the same.
export function Left({ r }: { r: Request }) {
  const [, tick] = useState(0)
  useEvery(1000, () => {
    tick(n => n + 1)
  })
  if (!isOpen(r)) return null
  if (!r.expiresAt) return <span class="left you">{t.requests.working}</span>
  return (
    <span class="left" title={t.requests.leftTitle}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <circle cx="8" cy="8" r="6" />
        <circle class="now" cx="8" cy="8" r="6" pathLength="1" stroke-dasharray={`${shareLeft(r)} 1`} />
      </svg>
      <span class="hidden">{t.requests.left}</span> {timeLeft(r)}
    </span>
  )
}

// profileName is the name of a request's profile.
const profileName = (r: Request) => state.profiles.value.get(r.profile)?.name ?? String(r.profile)

// whoAsks says who asks, where.
export const whoAsks = (r: Request): string =>
  [r.agent.name || t.who.program, profileName(r), siteOf(r.page)].filter(Boolean).join(' · ')

// labelOf names the card of a request.
export const labelOf = (r: Request): string => t.requests.who(r.agent.name || t.who.program, profileName(r))

type AnswersProps = { r: Request; brief?: boolean }

// Answers is what the person can answer. In brief it is what needs no typing.
export function Answers({ r, brief }: AnswersProps) {
  const [busy, setBusy] = useState(false)
  const give = async (how: Answer) => {
    setBusy(true)
    const ok = await answer(r.id, how)
    setBusy(false)
    return ok
  }
  const button = (name: string, kind: string, how: Answer) => (
    <Btn acts kind={kind} disabled={busy} onClick={() => give(how)}>
      {name}
    </Btn>
  )
  if (r.kind === 'approve')
    return (
      <div class="line">
        {button(t.requests.once, 'primary', { allow: true })}
        {button(t.requests.deny, 'deny', { allow: false })}
        {!brief && button(t.requests.session, '', { allow: true, scope: 'session' })}
        {!brief && r.rule && <OnSite r={r} give={give} />}
        {brief && <Details r={r} />}
      </div>
    )
  if (brief)
    return (
      <div class="line">
        {r.kind === 'do' ? (
          <TakeControl r={r} kind="yours" />
        ) : (
          <a class="btn primary" href={addressOf('requests', r.id)}>
            {t.requests.answerKinds[r.kind]}
          </a>
        )}
        {button(t.requests.decline, '', { decline: true })}
        {r.kind === 'do' && <Details r={r} />}
      </div>
    )
  if (r.kind === 'choose')
    return (
      <div class="line" role="group" aria-label={t.requests.options}>
        {(r.options ?? []).map(option => button(option, '', { choose: option }))}
        {button(t.requests.decline, 'quiet', { decline: true })}
      </div>
    )
  return <Typed r={r} give={give} busy={busy} />
}

const Details = ({ r }: { r: Request }) => (
  <a class="btn quiet" href={addressOf('requests', r.id)}>
    {t.requests.details}
  </a>
)

// isWatched says that the live view of a request's profile is before the person.
const isWatched = (r: Request) => state.route.value.view === 'live' && Number(state.route.value.arg) === r.profile

// TakeControl takes control of the tab that a request is about. Who is in control there is led to it.
function TakeControl({ r, kind = '' }: { r: Request; kind?: string }) {
  if (!isWorkedOn(r) && r.tab)
    return (
      <Btn acts kind={kind} onClick={() => takeControl(r)}>
        {t.requests.takeControl}
      </Btn>
    )
  if (isWatched(r)) return null
  return (
    <a class={`btn ${kind}`} href={addressOf('live', r.profile, ...(r.tab ? [r.tab] : []))}>
      {t.requests.watch}
    </a>
  )
}

type Give = (how: Answer) => Promise<boolean>

// OnSite makes a rule of the answer, and shows it before.
function OnSite({ r, give }: { r: Request; give: Give }) {
  const [asks, setAsks] = useState(false)
  return (
    <>
      <Btn
        acts
        onClick={() => {
          setAsks(true)
        }}
      >
        {t.requests.onSite}
      </Btn>
      {asks && (
        <Ask
          title={t.requests.ruleTitle(r.rule ?? '')}
          text={r.ruleWords}
          go={t.requests.addRule}
          careful
          onClose={() => {
            setAsks(false)
          }}
          onGo={() => give({ allow: true, scope: 'site' })}
        >
          <p class="hint">{t.requests.ruleHint}</p>
        </Ask>
      )}
    </>
  )
}

// answerOf is what a form holds as the answer to a request.
function answerOf(r: Request, form: FormData): Answer {
  const typed = typedText(form, 'answer')
  if (r.kind === 'code') return { code: typed }
  return r.kind === 'text' ? { text: typed } : { done: true, note: typed || undefined }
}

// Typed answers what needs words: a code, a text, or a note for the agent.
function Typed({ r, give, busy }: { r: Request; give: Give; busy: boolean }) {
  const [text, setText] = useState('')
  const words = t.requests.typed(r.kind, r.agent.name)
  const submit = async (e: SubmitEvent) => {
    e.preventDefault()
    const form = e.currentTarget as HTMLFormElement
    if (await give(answerOf(r, new FormData(form)))) setText('')
  }
  return (
    <form class="answer" onSubmit={submit}>
      <label>
        {words.label}
        <input
          name="answer"
          class={r.kind === 'code' ? 'code' : ''}
          autocomplete={r.kind === 'code' ? 'one-time-code' : 'off'}
          spellcheck={false}
          required={r.kind !== 'do'}
          value={text}
          onInput={e => {
            setText(e.currentTarget.value)
          }}
        />
      </label>
      {words.hint && <p class="hint">{words.hint}</p>}
      <div class="line">
        <button class={`btn ${r.kind === 'do' ? 'yours' : 'primary'}`} disabled={busy || !state.online.value}>
          {words.go}
        </button>
        {r.kind === 'do' && <TakeControl r={r} />}
        <Btn acts disabled={busy} onClick={() => give({ decline: true, note: r.kind === 'do' ? text : undefined })}>
          {r.kind === 'do' ? t.requests.cannot : t.requests.decline}
        </Btn>
      </div>
    </form>
  )
}

// onLetter answers an approval from the keyboard while its card has the focus. Enter does nothing there.
function onLetter(e: KeyboardEvent, r: Request): void {
  if (e.target !== e.currentTarget || e.ctrlKey || e.metaKey || e.altKey || !state.letters.value) return
  const allow = { a: true, d: false }[e.key.toLowerCase()]
  if (allow === undefined) return
  e.preventDefault()
  e.stopPropagation()
  if (r.kind === 'approve') void answer(r.id, { allow })
  else if (!allow) void answer(r.id, { decline: true })
  else if (r.kind === 'do') void answer(r.id, { done: true })
}

type CardProps = { r: Request; brief?: boolean; picture?: boolean; children?: ComponentChildren }

// RequestCard is a request with its answers.
export function RequestCard({ r, brief, picture, children }: CardProps) {
  useEffect(() => {
    see(r)
  }, [r.id])
  return (
    <section
      class="asks"
      tabindex={-1}
      aria-label={labelOf(r)}
      onKeyDown={e => {
        onLetter(e, r)
      }}
    >
      {picture && r.picture && <RequestPicture r={r} />}
      <div>
        <div class="line top">
          <strong class="grow">{titleOf(r)}</strong>
          <Left r={r} />
        </div>
        <p class="dim path">{whoAsks(r)}</p>
        {children}
        <Answers r={r} brief={brief} />
      </div>
    </section>
  )
}

export const RequestPicture = ({ r }: { r: Request }) => (
  <Picture
    key={r.id}
    label={t.requests.picture}
    load={() => (r.picture ? Promise.resolve(bytes(r.picture)) : Promise.reject(new Error()))}
  />
)
