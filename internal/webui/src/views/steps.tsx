// The steps of a journal as a list: sessions, and what was done in each.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { JournalEntry, JournalSession } from '../api/types.ts'
import { begun, clock, folds, type Group, lasted, markOf, moreOf, spanOf } from '../lib/journal.ts'
import { icon } from '../parts/icons.tsx'
import { t } from '../strings.ts'

const Chevron = icon('M6 3.5L10.5 8 6 12.5')
const Pointer = icon('M4 2.5l8.5 5-4 1-1.7 4z')
const Eye = icon('M1.5 8q6.5-8 13 0q-6.5 8-13 0zM8 6.5a1.5 1.5 0 1 0 .1 0')
const Ban = icon('M8 2.5a5.5 5.5 0 1 0 .1 0M4 4l8 8')
const Person = icon('M8 2.5a2.5 2.5 0 1 0 .1 0M3 13.5q1-4 5-4t5 4')
const Dot = icon('M8 6.5a1.5 1.5 0 1 0 .1 0')
const icons = { act: Pointer, read: Eye, person: Person, note: Dot, refused: Ban, error: Ban }

// Mark is what a step is: colour, shape and word.
export function Mark({ e }: { e: JournalEntry }) {
  const mark = markOf(e)
  const Icon = icons[mark]
  return (
    <span class={`mark-of ${mark}`} title={t.journal.marks[mark]}>
      <Icon />
      <span class="hidden">{t.journal.marks[mark]}:</span>
    </span>
  )
}

type RowProps = { e: JournalEntry; on: boolean; onPick: (e: JournalEntry) => void }

function Row({ e, on, onPick }: RowProps) {
  const more = moreOf(e)
  return (
    <li>
      <button
        type="button"
        class="one-step"
        data-seq={e.seq}
        tabindex={on ? 0 : -1}
        aria-current={on ? 'step' : undefined}
        onClick={() => {
          onPick(e)
        }}
      >
        <Mark e={e} />
        <span class="words">
          {e.summary}
          {more && <small class={e.outcome === 'ok' ? 'dim' : 'bad'}>{more}</small>}
        </span>
        <time datetime={e.time}>{clock(e.time)}</time>
      </button>
    </li>
  )
}

type RunProps = { run: JournalEntry[]; current: JournalEntry; onPick: (e: JournalEntry) => void }

// Run is several reads in a row. It unfolds when the film comes to one of them.
function Run({ run, current, onPick }: RunProps) {
  const [open, setOpen] = useState(false)
  const [first] = run
  const unfolded = open || run.includes(current)
  useEffect(() => {
    if (unfolded) setOpen(true)
  }, [unfolded])
  return (
    <li>
      <button
        type="button"
        class="one-step run"
        tabindex={-1}
        aria-expanded={unfolded}
        onClick={() => {
          setOpen(!unfolded)
        }}
      >
        {first && <Mark e={first} />}
        <span class="words">
          {t.journal.reads(run.length)}
          <small class="dim">{[...new Set(run.map(e => e.summary))].join(' · ')}</small>
        </span>
        <Chevron />
      </button>
      {unfolded && (
        <ol>
          {run.map(e => (
            <Row key={e.seq} e={e} on={e === current} onPick={onPick} />
          ))}
        </ol>
      )}
    </li>
  )
}

// about is what stands beside the beginning of a session: who, how much, how long.
function about(group: Group, session: JournalSession | undefined): string {
  const { steps } = group
  const own = steps.filter(e => e.agent.kind !== 'keeper')
  const agent = session?.agent ?? own.at(-1)?.agent
  if (!agent) return t.journal.profile
  const all = Math.max(own.length, session?.steps ?? 0)
  const denied = Math.max(own.filter(e => e.outcome === 'refused').length, session?.refused ?? 0)
  const { from, to } = spanOf(steps)
  const long = session ? Date.parse(session.last) - Date.parse(session.first) : 0
  return [
    agent.name || t.journal.program,
    t.journal.steps(own.length, all),
    denied ? t.journal.denied(denied) : '',
    lasted(Math.max(to - from, long)),
  ]
    .filter(Boolean)
    .join(' · ')
}

type SessionProps = {
  group: Group
  session: JournalSession | undefined
  current: JournalEntry
  open: boolean
  onOpen: (on: boolean) => void
  onPick: (e: JournalEntry) => void
}

function Session({ group, session, current, open, onOpen, onPick }: SessionProps) {
  const [first] = group.steps
  return (
    <section>
      <h2>
        <button
          type="button"
          tabindex={-1}
          aria-expanded={open}
          onClick={() => {
            onOpen(!open)
          }}
        >
          <Chevron />
          <strong>{begun(session?.first ?? first?.time ?? '')}</strong> <span class="dim">{about(group, session)}</span>
        </button>
      </h2>
      {open && (
        <ol>
          {folds(group.steps).map(run => {
            const [e] = run
            if (!e) return null
            return run.length > 1 ? (
              <Run key={e.seq} run={run} current={current} onPick={onPick} />
            ) : (
              <Row key={e.seq} e={e} on={e === current} onPick={onPick} />
            )
          })}
        </ol>
      )}
    </section>
  )
}

type StepsProps = {
  all: Group[]
  sessions: JournalSession[]
  current: JournalEntry
  open: ReadonlySet<string>
  onOpen: (session: string, on: boolean) => void
  onPick: (e: JournalEntry) => void
  children: ComponentChildren
}

// Steps lists the sessions. Up and Down go through what is unfolded; a step that they reach is shown.
export function Steps({ all, sessions, current, open, onOpen, onPick, children }: StepsProps) {
  const list = useRef<HTMLDivElement>(null)
  const shown = all.some(g => open.has(g.session) && g.steps.includes(current))
  useEffect(() => {
    const button = list.current?.querySelector<HTMLElement>('[aria-current]')
    const focused = document.activeElement
    const follows = focused instanceof HTMLElement && !!focused.dataset.seq
    if (follows) button?.focus()
    // In a narrow window the list scrolls with the player, which must stay in sight.
    if (follows || (list.current && getComputedStyle(list.current).overflowY !== 'visible')) {
      button?.scrollIntoView({ block: 'nearest' })
    }
  }, [current.seq, shown])
  const onKeyDown = (e: KeyboardEvent) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[e.key]
    if (!by || !list.current) return
    e.preventDefault()
    const buttons = [...list.current.querySelectorAll('button')]
    const next = buttons[buttons.indexOf(document.activeElement as HTMLButtonElement) + by]
    next?.focus()
    if (next?.dataset.seq) next.click()
  }
  return (
    <div class="reel" ref={list} onKeyDown={onKeyDown} role="region" aria-label={t.journal.list}>
      {all.map(group => (
        <Session
          key={group.session}
          group={group}
          session={sessions.find(s => s.session === group.session)}
          current={current}
          open={open.has(group.session)}
          onOpen={on => {
            onOpen(group.session, on)
          }}
          onPick={onPick}
        />
      ))}
      {children}
    </div>
  )
}
