// Buttons that ask before they take something away.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Btn } from './button.tsx'
import { Ask } from './modal.tsx'

type SureProps = {
  kind?: string
  label?: string // what a screen reader says of the button, where its name alone says too little
  disabled?: boolean
  title: string // the question
  text: string // what is lost
  go: string
  onGo: () => unknown
  children: ComponentChildren
}

// Sure is a button whose work cannot be undone: it asks first.
export function Sure({ kind, label, disabled, title, text, go, onGo, children }: SureProps) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Btn
        acts
        kind={kind}
        aria-label={label}
        disabled={disabled}
        onClick={() => {
          setAsking(true)
        }}
      >
        {children}
      </Btn>
      {asking && (
        <Ask
          title={title}
          text={text}
          go={go}
          danger
          careful
          onGo={onGo}
          onClose={() => {
            setAsking(false)
          }}
        />
      )}
    </>
  )
}
