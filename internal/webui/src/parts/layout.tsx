// The frame of views, and small pieces that several of them use.
import type { ComponentChildren } from 'preact'
import { type InState, stateKind, stateName } from '../lib/session.ts'
import * as state from '../store/state.ts'
import { t } from '../strings.ts'
import { useTitle } from './hooks.ts'

// Main is a view with its heading, which is also the title of the window.
export function Main({
  title,
  head,
  children,
}: {
  title: string
  head?: ComponentChildren
  children: ComponentChildren
}) {
  useTitle(title)
  return (
    <main id="main">
      <header>
        <h1>{title}</h1>
        {head}
      </header>
      {children}
    </main>
  )
}

// Page is a page of cards, which can be used only while the app is there. The keyboard can scroll it even then.
export const Page = ({ kind = '', children }: { kind?: string; children: ComponentChildren }) => (
  <div class={`page ${kind}`} tabindex={state.online.value ? undefined : 0}>
    <fieldset disabled={!state.online.value}>{children}</fieldset>
  </div>
)

export const Grow = () => <i class="grow" />

// Strip is a line of its own in a view.
export const Strip = ({ children }: { children: ComponentChildren }) => <div class="strip">{children}</div>

export const Card = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section class="card" aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
)

export const Empty = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <div class="empty">
    <i class="mark" aria-hidden="true" />
    <h2>{title}</h2>
    {children}
  </div>
)

type StateProps = { p: InState; children?: ComponentChildren }

// State is the state of a profile: colour, shape and word.
export const State = ({ p, children }: StateProps) => (
  <span class={`state ${stateKind(p)}`}>
    <b />
    {stateName(p)}
    {children}
  </span>
)

// Advice says what an agent in a profile can reach.
export const Advice = ({ short }: { short?: boolean }) => (
  <div class="note" role="note">
    {t.advice.reach} {short ? t.advice.watch : t.advice.choose}
  </div>
)
