// The proxy, the status and the notes of many profiles, changed by one job.
import { useEffect, useRef, useState } from 'preact/hooks'
import * as calls from '../api/calls.ts'
import type { ProfileStatus, StoredProxy } from '../api/types.ts'
import { type BulkForm, changeOf, type Named, unchanged, wrongIn } from '../lib/bulk.ts'
import { proxyLabel } from '../lib/proxy.ts'
import { Field, type Labelled, Options } from '../parts/field.tsx'
import { Ask } from '../parts/modal.tsx'
import { change } from '../store/jobs.ts'
import { failed, trying } from '../store/messages.ts'
import { t } from '../strings.ts'

type Choices = [string, string][]

// send makes the new status, if there is one, and starts the job. made has the statuses of attempts before.
async function send(ids: number[], f: BulkForm, made: Map<string, number>): Promise<boolean> {
  const name = f.newStatus.trim()
  const ok = await trying(async () => {
    if (f.status === 'new' && !made.has(name)) made.set(name, (await calls.createStatus(name)).data.id)
  })
  if (!ok) return false
  const what = changeOf(f, made.get(name))
  return Object.keys(what).length ? change(ids, what) : true
}

// useChoices are the proxies and statuses that the app has.
function useChoices(): { proxies: Choices; statuses: Choices } {
  const [proxies, setProxies] = useState<StoredProxy[]>([])
  const [statuses, setStatuses] = useState<ProfileStatus[]>([])
  useEffect(() => {
    calls.proxies().then(setProxies, failed)
    calls.statuses().then(a => {
      setStatuses(a.data)
    }, failed)
  }, [])
  return {
    proxies: [
      ['', t.bulk.leave],
      ['direct', t.edit.direct],
      ['custom', t.bulk.custom],
      ...proxies.map((p): [string, string] => [String(p.id), proxyLabel(p)]),
    ],
    statuses: [
      ['', t.bulk.leave],
      ['none', t.bulk.none],
      ['new', t.bulk.newStatus],
      ...statuses.map((s): [string, string] => [String(s.id), s.name]),
    ],
  }
}

// BulkEdit asks what becomes of the selected profiles.
export function BulkEdit({ ids, onClose }: { ids: number[]; onClose: () => void }) {
  const [f, setF] = useState(unchanged)
  const [wrong, setWrong] = useState<Named>()
  const { proxies, statuses } = useChoices()
  const made = useRef(new Map<string, number>())
  const put = (name: keyof BulkForm, value: string) => {
    setF({ ...f, [name]: value })
    setWrong(undefined)
  }
  const select =
    (name: keyof BulkForm, of: Choices, first = false) =>
    (a: Labelled) => (
      <select
        {...a}
        data-first={first || undefined}
        value={f[name]}
        onChange={e => {
          put(name, e.currentTarget.value)
        }}
      >
        <Options of={of} now={f[name]} />
      </select>
    )
  const input = (name: keyof BulkForm, sample?: string) => (a: Labelled) => (
    <input
      {...a}
      value={f[name]}
      placeholder={sample}
      onInput={e => {
        put(name, e.currentTarget.value)
      }}
    />
  )
  const go = () => {
    const missing = wrongIn(f)
    setWrong(missing)
    return missing ? false : send(ids, f, made.current)
  }
  return (
    <Ask
      title={t.bulk.title(t.many.profiles(ids.length))}
      text={t.bulk.text}
      go={t.parts.save}
      onClose={onClose}
      onGo={go}
    >
      <Field label={t.edit.proxy}>{select('proxy', proxies, true)}</Field>
      {f.proxy === 'custom' && (
        <Field label={t.bulk.url} error={wrong === 'url' ? t.edit.proxyWrong : undefined}>
          {input('url', t.samples.proxy)}
        </Field>
      )}
      <Field label={t.table.status}>{select('status', statuses)}</Field>
      {f.status === 'new' && (
        <Field label={t.bulk.statusName} error={wrong === 'newStatus' ? t.bulk.statusMissing : undefined}>
          {input('newStatus')}
        </Field>
      )}
      <Field label={t.edit.notes}>
        {select('notes', [
          ['', t.bulk.leave],
          ['replace', t.bulk.replace],
        ])}
      </Field>
      {f.notes && (
        <Field label={t.bulk.newNotes}>
          {a => (
            <textarea
              {...a}
              rows={3}
              dir="auto"
              value={f.text}
              onInput={e => {
                put('text', e.currentTarget.value)
              }}
            />
          )}
        </Field>
      )}
    </Ask>
  )
}
