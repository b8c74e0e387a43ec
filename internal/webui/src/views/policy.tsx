// What agents may do in a profile, and what they may type and never see.
import { useEffect, useState } from 'preact/hooks'
import * as calls from '../api/calls.ts'
import type { Policy as PolicyData, Secret } from '../api/types.ts'
import { type Answer, answerTo, type PolicyForm, rights, withAnswer } from '../lib/policy.ts'
import type { Wrong } from '../lib/profile.ts'
import { Btn, Pick } from '../parts/button.tsx'
import { Field, Options } from '../parts/field.tsx'
import { Sure } from '../parts/sure.tsx'
import { trying } from '../store/messages.ts'
import { t } from '../strings.ts'

const presets: PolicyData['preset'][] = ['open', 'guarded', 'read-only', 'off']
const answers: [Answer, string][] = [
  ['yes', t.policy.yes],
  ['ask', t.policy.ask],
  ['no', t.policy.no],
]

type PolicyProps = { f: PolicyForm; wrong: Wrong; onChange: (f: PolicyForm) => void }

function Sites({ f, wrong, onChange }: PolicyProps) {
  const sites = (name: 'allow' | 'block', label: string, hint?: string) => (
    <Field label={label} error={wrong[name]} hint={hint}>
      {a => (
        <textarea
          {...a}
          rows={2}
          value={f[name]}
          placeholder={t.samples.sites}
          onInput={e => {
            onChange({ ...f, [name]: e.currentTarget.value })
          }}
        />
      )}
    </Field>
  )
  return (
    <div class="pair">
      {sites('allow', t.policy.allow, t.policy.allowHint)}
      {sites('block', t.policy.block)}
    </div>
  )
}

function Advanced({ f, wrong, onChange }: PolicyProps) {
  const check = (name: 'oneDriver' | 'noPictures', label: string, inverted: boolean) => (
    <label class="check">
      <input
        type="checkbox"
        checked={!!f[name] !== inverted}
        onChange={e => {
          onChange({ ...f, [name]: e.currentTarget.checked !== inverted })
        }}
      />{' '}
      {label}
    </label>
  )
  return (
    <details>
      <summary>{t.policy.advanced}</summary>
      <div class="rights">
        {rights.map(right => (
          <label key={right}>
            {t.policy.rights[right]}
            <select
              value={answerTo(f, right)}
              onChange={e => {
                onChange(withAnswer(f, right, e.currentTarget.value as Answer))
              }}
            >
              <Options of={answers} now={answerTo(f, right)} />
            </select>
          </label>
        ))}
      </div>
      {check('oneDriver', t.policy.oneDriver, false)}
      {check('noPictures', t.policy.pictures, true)}
      <Field label={t.policy.answerers} error={wrong.answerers} hint={t.policy.answerersHint}>
        {a => (
          <input
            {...a}
            value={f.answerers}
            placeholder={t.samples.client}
            onInput={e => {
              onChange({ ...f, answerers: e.currentTarget.value })
            }}
          />
        )}
      </Field>
    </details>
  )
}

export function Policy(props: PolicyProps) {
  const { f, onChange } = props
  return (
    <>
      <div class="plans two" role="group" aria-label={t.policy.title}>
        {presets.map(preset => (
          <Pick
            on={f.preset === preset}
            about={t.policy.presets[preset].about}
            key={preset}
            onClick={() => {
              if (f.preset !== preset) onChange({ ...f, preset, rights: {} })
            }}
          >
            {t.policy.presets[preset].name}
          </Pick>
        ))}
      </div>
      {f.preset !== 'off' && (
        <>
          <Sites {...props} />
          <Advanced {...props} />
          {answerTo(f, 'script') !== 'no' && <p class="hint">{t.policy.scripts}</p>}
        </>
      )}
    </>
  )
}

const empty = { name: '', site: '', value: '' }

export function Secrets({ id }: { id: number }) {
  const [list, setList] = useState<Secret[] | null>(null)
  const [f, setF] = useState(empty)
  const read = async () => {
    setList((await calls.secrets(id)).data)
  }
  useEffect(() => void trying(read), [])
  const add = () =>
    trying(async () => {
      await calls.addSecret(id, f)
      setF(empty)
      await read()
    })
  const remove = (s: Secret) =>
    trying(async () => {
      await calls.removeSecret(id, s.name)
      await read()
    })
  const input = (name: keyof typeof empty, label: string, secret = false) => (
    <input
      aria-label={label}
      placeholder={label}
      value={f[name]}
      {...(secret ? ({ type: 'password', autocomplete: 'new-password' } as const) : { autocomplete: 'off' })}
      onInput={e => {
        setF({ ...f, [name]: e.currentTarget.value })
      }}
      onKeyDown={e => {
        if (e.key !== 'Enter') return
        e.preventDefault()
        void add()
      }}
    />
  )
  return (
    <>
      <p class="hint">{t.secrets.about}</p>
      {!!list?.length && (
        <table>
          <tbody>
            {list.map(s => (
              <tr key={s.name}>
                <td>
                  <code>{`{{secret:${s.name}}}`}</code>
                </td>
                <td class="path">{s.site}</td>
                <td class="end">
                  <Sure
                    kind="quiet"
                    label={t.parts.removeNamed(s.name)}
                    title={t.secrets.removeTitle(s.name)}
                    text={t.secrets.removeText}
                    go={t.parts.remove}
                    onGo={() => remove(s)}
                  >
                    {t.parts.remove}
                  </Sure>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {list && (
        <div class="field pair">
          {input('name', t.secrets.name)}
          {input('site', t.secrets.site)}
          {input('value', t.secrets.value, true)}
          <div>
            <Btn acts disabled={!f.name || !f.site || !f.value} onClick={add}>
              {t.secrets.add}
            </Btn>
          </div>
        </div>
      )}
    </>
  )
}
