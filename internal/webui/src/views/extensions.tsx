// The extensions of a profile.
import { useEffect, useRef, useState } from 'preact/hooks'
import * as calls from '../api/calls.ts'
import type { Method } from '../api/client.ts'
import type { Extension, ProfileExtensions } from '../api/types.ts'
import { some } from '../lib/cookies.ts'
import { Btn } from '../parts/button.tsx'
import { Field, FileField, Options } from '../parts/field.tsx'
import { readFile } from '../parts/file.ts'
import { useWork } from '../parts/hooks.ts'
import { Grow } from '../parts/layout.tsx'
import { Ask } from '../parts/modal.tsx'
import { toast, trying } from '../store/messages.ts'
import { t } from '../strings.ts'

// Own is an extension of this profile.
type Own = ProfileExtensions['data'][number]

const mostMB = 64
const shownPermissions = 20

type ItemProps = { e: Own; onSwitch: () => void; onRemove: () => void }

const Item = ({ e, onSwitch, onRemove }: ItemProps) => (
  <li>
    <div class="line">
      <span class="path">
        <strong>{e.name}</strong>{' '}
        <span class="dim">
          {e.version}
          {e.enabled ? '' : t.extensions.disabled}
        </span>
      </span>
      <Grow />
      <Btn acts kind="quiet" aria-label={t.extensions.switchNamed(e.enabled, e.name)} onClick={onSwitch}>
        {t.extensions.switch(e.enabled)}
      </Btn>
      <Btn acts kind="quiet" aria-label={t.parts.removeNamed(e.name)} onClick={onRemove}>
        {t.extensions.remove}
      </Btn>
    </div>
    <p class="hint path">
      {t.extensions.permissions} {some([...e.permissions, ...e.hostPermissions], shownPermissions) || t.extensions.none}
    </p>
    {e.reach.length ? (
      <>
        <p class={`hint${e.risky ? ' warn' : ''}`}>{t.extensions.reach}</p>
        <ul class="hint reach">
          {e.reach.map(r => (
            <li class="path" key={r}>
              {r}
            </li>
          ))}
        </ul>
      </>
    ) : (
      <p class="hint">{t.extensions.noReach}</p>
    )}
  </li>
)

type AddKnownProps = { of: Extension[]; onAdd: (e: Extension) => void }

function AddKnown({ of, onAdd }: AddKnownProps) {
  const [pick, setPick] = useState(0)
  const next = of.find(e => e.id === pick) ?? of[0]
  if (!next) return null
  return (
    <Field label={t.extensions.addKnown}>
      {a => (
        <div class="line">
          <select
            {...a}
            value={next.id}
            onChange={e => {
              setPick(Number(e.currentTarget.value))
            }}
          >
            <Options of={of.map(e => [e.id, `${e.name} ${e.version}`] as const)} now={next.id} />
          </select>
          <Btn
            acts
            onClick={() => {
              onAdd(next)
            }}
          >
            {t.parts.add}
          </Btn>
        </div>
      )}
    </Field>
  )
}

export function Extensions({ id, open }: { id: number; open: boolean }) {
  const { doing, wrong, run } = useWork()
  const [all, setAll] = useState<Own[] | null>(null)
  const [more, setMore] = useState<Extension[]>([])
  const [gone, setGone] = useState<Own | null>(null) // that the person wants to remove
  const top = useRef<HTMLHeadingElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const removed = useRef(false)
  const read = async () => {
    const [mine, others] = await Promise.all([calls.extensionsOf(id), calls.extensions()])
    setAll(mine.data)
    setMore(others.data.filter(e => !mine.data.some(m => m.id === e.id)))
  }
  useEffect(() => void trying(read), [])
  const change = (method: Method, e: Extension, to: { enabled?: boolean } = {}) =>
    trying(async () => {
      await calls.changeExtension(method, id, { extensionIds: [e.id], ...to })
      await read()
    })
  // The question gives the focus back to a button that is gone.
  useEffect(() => {
    if (gone || !removed.current) return
    removed.current = false
    top.current?.focus()
  }, [gone])
  const add = (file: File) =>
    run(t.extensions.adding, async () => {
      const form = new FormData()
      form.append('profileIds', String(id))
      form.append('file', await readFile(file, mostMB), file.name)
      const { data, replaced, profileIds } = await calls.uploadExtension(form)
      toast(
        replaced && replaced !== data.version
          ? t.extensions.replaced(data.name, data.version, replaced, profileIds.length)
          : t.extensions.added(data.name, data.version),
      )
      if (field.current) field.current.value = ''
      await read()
    })
  return (
    <section aria-label={t.extensions.title}>
      <h3 ref={top} tabindex={-1}>
        {t.extensions.title}
      </h3>
      {all?.length === 0 && <p class="hint">{t.extensions.noneYet}</p>}
      {!!all?.length && (
        <ul class="extensions" aria-label={t.extensions.title}>
          {all.map(e => (
            <Item
              key={e.id}
              e={e}
              onSwitch={() => void change('PATCH', e, { enabled: !e.enabled })}
              onRemove={() => {
                setGone(e)
              }}
            />
          ))}
        </ul>
      )}
      {all && (
        <FileField
          label={t.extensions.add}
          hint={t.extensions.addHint(open)}
          wrong={wrong}
          input={field}
          accept=".zip,.crx"
          busy={!!doing}
          onFile={add}
        />
      )}
      <AddKnown of={more} onAdd={e => void change('POST', e)} />
      <p class="hint" role="status">
        {doing}
      </p>
      {gone && (
        <Ask
          title={t.extensions.removeTitle(gone.name)}
          text={t.extensions.removeText}
          go={t.parts.remove}
          danger
          careful
          onClose={() => {
            setGone(null)
          }}
          onGo={async () => {
            removed.current = await change('DELETE', gone)
          }}
        />
      )}
    </section>
  )
}
