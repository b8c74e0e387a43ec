// Dialogs, and the messages above everything.
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { dismiss } from '../store/messages.ts'
import * as state from '../store/state.ts'
import { t } from '../strings.ts'
import { Asks } from './asks.tsx'
import { Btn, Close } from './button.tsx'

type ModalProps = {
  kind: 'drawer' | 'status' | 'ask' | 'ask wide' | 'palette'
  title?: string
  firm?: boolean // a click beside it does not close it: something would be lost
  onClose: () => void
  children: ComponentChildren | ((label: string) => ComponentChildren)
}

// Modal is a dialog of the browser's own: it keeps the focus inside and gives it back. Escape is ours: the browser
// closes a dialog that refuses a few times, whatever its page says.
export function Modal({ kind, title, firm, onClose, children }: ModalProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  const depth = useRef(0)
  useLayoutEffect(() => {
    const dialog = ref.current
    if (dialog && !dialog.open) dialog.showModal()
    state.modals.value = depth.current = state.modals.value + 1
    return () => {
      dialog?.close()
      state.modals.value--
    }
  }, [])
  useEffect(() => {
    ref.current?.querySelector<HTMLElement>('[data-first]')?.focus()
  }, [])
  const escape = (e: KeyboardEvent) => {
    if (e.key !== 'Escape' || e.isComposing) return
    e.preventDefault()
    e.stopPropagation()
    onClose()
  }
  return (
    <dialog
      ref={ref}
      class={kind}
      aria-labelledby={id}
      onCancel={e => {
        e.preventDefault()
        onClose()
      }}
      onKeyDown={escape}
      onMouseDown={e => {
        if (e.target === ref.current && !firm) onClose()
      }}
    >
      {title && (
        <div class="top">
          <h2 id={id}>{title}</h2>
          <Close onClick={onClose} />
        </div>
      )}
      {typeof children === 'function' ? children(id) : children}
      {depth.current === state.modals.value && <Toasts />}
    </dialog>
  )
}

// Toasts are the short messages, and what agents ask for.
export const Toasts = () => (
  <div class="toasts" aria-live="polite">
    <div class="requests" aria-live="assertive">
      <Asks />
    </div>
    {state.toasts.value.map(one => (
      <div key={one.id} class={`toast${one.bad ? ' bad' : ''}`} role={one.bad ? 'alert' : 'status'}>
        <div>
          <strong>{one.text}</strong>
          {one.hint && <div class="dim">{one.hint}</div>}
        </div>
        {one.action && (
          <Btn
            onClick={() => {
              dismiss(one.id)
              one.action?.run()
            }}
          >
            {one.action.name}
          </Btn>
        )}
        <Close
          onClick={() => {
            dismiss(one.id)
          }}
        />
      </div>
    ))}
  </div>
)

type AskProps = {
  title: string
  text?: string
  go: string
  danger?: boolean
  careful?: boolean
  here?: boolean // it is about this window, and needs no app
  onGo: (form: FormData) => unknown
  onClose: () => void
  children?: ComponentChildren
}

// Ask is a small question with a form. What cannot be undone asks carefully: Enter takes nothing away then. A question
// whose work answers false stays.
export function Ask({ title, text, go, danger, careful, here, onGo, onClose, children }: AskProps) {
  const [busy, setBusy] = useState(false)
  const submit = async (e: SubmitEvent) => {
    e.preventDefault()
    e.stopPropagation() // the form that a question stands in is not sent with it
    setBusy(true)
    const ok = await onGo(new FormData(e.currentTarget as HTMLFormElement))
    setBusy(false)
    if (ok !== false) onClose()
  }
  return (
    <Modal kind="ask" title={title} onClose={onClose}>
      <form onSubmit={submit}>
        <div class="body">
          {text && <p>{text}</p>}
          {children}
        </div>
        <div class="foot">
          <Btn kind="quiet" data-first={careful} onClick={onClose}>
            {t.parts.cancel}
          </Btn>
          <button
            class={`btn ${danger ? 'danger' : 'primary'}`}
            disabled={busy || !(here || state.online.value)}
            data-first={!children && !careful}
          >
            {go}
          </button>
        </div>
      </form>
    </Modal>
  )
}
