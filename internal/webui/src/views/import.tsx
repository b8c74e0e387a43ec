// Profiles from a CSV file or from pasted rows.
import { useRef, useState } from 'preact/hooks'
import * as calls from '../api/calls.ts'
import { told } from '../api/client.ts'
import { readProfiles } from '../lib/csv.ts'
import { FileField, Field } from '../parts/field.tsx'
import { Ask } from '../parts/modal.tsx'
import { show } from '../store/app.ts'
import { toast } from '../store/messages.ts'
import * as state from '../store/state.ts'
import { t } from '../strings.ts'

const close = () => {
  show(null)
}

const shownWrong = 5

export function Import() {
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState('')
  const file = useRef<HTMLInputElement>(null)
  const read = readProfiles(text)
  const n = read.profiles.length
  const go = async () => {
    const { folder } = state.route.value
    try {
      if (!n) throw new Error(t.csv.nothing)
      await calls.importProfiles({ profiles: read.profiles.map(p => ({ folder, ...p })) })
      toast(t.csv.done(n))
      return true
    } catch (e) {
      setWrong(told(e))
      return false
    }
  }
  return (
    <Ask title={t.csv.title} go={n ? t.csv.go(n) : t.csv.goNone} onClose={close} onGo={go}>
      <FileField
        label={t.csv.file}
        hint={t.csv.fileHint}
        wrong=""
        accept=".csv,.tsv,.txt,text/csv"
        busy={false}
        input={file}
        onFile={chosen => {
          chosen.text().then(setText, (e: unknown) => {
            setWrong(told(e))
          })
        }}
      />
      <Field label={t.csv.rows} error={wrong}>
        {a => (
          <textarea
            {...a}
            rows={6}
            data-first
            placeholder={t.csv.sample}
            value={text}
            onInput={e => {
              setText(e.currentTarget.value)
              setWrong('')
            }}
          />
        )}
      </Field>
      <div class="dim" role="status">
        {text && <p>{t.csv.found(n, read.wrong.length)}</p>}
        {read.wrong.slice(0, shownWrong).map(one => (
          <p key={one.row}>{t.csv.wrong[one.why](one.row)}</p>
        ))}
        {read.unknown.length > 0 && <p>{t.csv.unknown(read.unknown)}</p>}
      </div>
    </Ask>
  )
}
