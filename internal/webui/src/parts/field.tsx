// Inputs with a label.
import type { ComponentChild, RefObject } from 'preact'
import { useId } from 'preact/hooks'

// Labelled is what an input takes over from its field.
export type Labelled = {
  id: string
  autocomplete: 'off'
  'aria-describedby': string | undefined
  'aria-invalid': 'true' | undefined
}

type FieldProps = { label: string; hint?: string; error?: string; children: (a: Labelled) => ComponentChild }

// Field is a labelled input with what is wrong with it beside it.
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId()
  const about = [error && `${id}e`, hint && `${id}h`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        autocomplete: 'off',
        'aria-describedby': about || undefined,
        'aria-invalid': error ? 'true' : undefined,
      })}
      {error && (
        <p class="error" role="alert" id={`${id}e`}>
          {error}
        </p>
      )}
      {hint && (
        <p class="hint" id={`${id}h`}>
          {hint}
        </p>
      )}
    </div>
  )
}

// focused gives an element the focus when it comes.
export const focused = (at: HTMLElement | null): void => at?.focus()

type OptionsProps<T> = { of: readonly (readonly [T, string])[]; now: T }

// Options are what a select offers, as pairs of a value and its name.
export const Options = <T extends string | number>({ of, now }: OptionsProps<T>) => (
  <>
    {of.map(([value, name]) => (
      <option value={value} selected={value === now} key={value}>
        {name}
      </option>
    ))}
  </>
)

type FileProps = {
  label: string
  hint: string
  wrong: string
  accept: string
  busy: boolean
  input: RefObject<HTMLInputElement | null>
  onFile: (file: File) => void
}

// FileField is a field for a file. The same one can be chosen again.
export const FileField = ({ label, hint, wrong, input, accept, busy, onFile }: FileProps) => (
  <Field label={label} hint={hint} error={wrong}>
    {a => (
      <input
        {...a}
        ref={input}
        type="file"
        accept={accept}
        onClick={e => {
          if (busy) e.preventDefault()
          else e.currentTarget.value = ''
        }}
        onChange={e => {
          const file = e.currentTarget.files?.[0]
          if (file) onFile(file)
        }}
      />
    )}
  </Field>
)
