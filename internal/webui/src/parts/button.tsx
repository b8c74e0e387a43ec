// Buttons.
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { toast } from '../store/messages.ts'
import * as state from '../store/state.ts'
import { t } from '../strings.ts'
import * as icons from './icons.tsx'

type Attributes = Omit<ButtonHTMLAttributes, 'class' | 'type' | 'icon'> & Record<`data-${string}`, unknown>

type BtnProps = Attributes & { kind?: string; acts?: boolean; children?: ComponentChildren }

// withApp are the attributes of a button that needs the app: it does nothing while the app is away.
export const withApp = <T extends { disabled?: unknown; title?: unknown }>(more: T) =>
  state.online.value ? more : { ...more, disabled: true, title: t.app.needsApp }

// Btn is a button that does something where it is. One that acts needs the app.
export const Btn = ({ kind = '', acts, children, ...more }: BtnProps) => (
  <button type="button" class={`btn ${kind}`} {...(acts ? withApp(more) : more)}>
    {children}
  </button>
)

type PickProps = Attributes & { on: boolean; about: string; children?: ComponentChildren }

// Pick is one of several choices, with a word about it.
export const Pick = ({ on, about, children, ...more }: PickProps) => (
  <button type="button" class="client" aria-pressed={on} {...more}>
    <span>{children}</span>
    <small>{about}</small>
  </button>
)

// Close is the cross at the corner of what can be closed.
export const Close = ({ onClick }: { onClick: () => void }) => (
  <Btn kind="quiet square" aria-label={t.parts.close} title={t.parts.closeKey} onClick={onClick}>
    <icons.Cross />
  </Btn>
)

const copiedFor = 1500

// CopyButton copies a text and says so.
export function CopyButton({ text, label, small }: { text: string; label: string; small?: boolean }) {
  const [done, setDone] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setDone(true)
      setTimeout(() => {
        setDone(false)
      }, copiedFor)
    } catch {
      toast(t.parts.copyBlocked, { hint: t.parts.copyByHand, bad: true })
    }
  }
  return (
    <>
      <button
        type="button"
        class={small ? 'copy' : 'btn quiet square'}
        aria-label={done ? t.parts.copied : label}
        title={label}
        onClick={copy}
      >
        {done ? <icons.Check /> : <icons.Copy />}
      </button>
      <span class="hidden" role="status">
        {done ? t.parts.copied : ''}
      </span>
    </>
  )
}
