// What agents may type in a profile and never see.
import { useEffect, useState } from 'preact/hooks'
import * as calls from '../api/calls.ts'
import type { NewSecret, Secret } from '../api/types.ts'
import { Btn } from '../parts/button.tsx'
import { Options } from '../parts/field.tsx'
import { Sure } from '../parts/sure.tsx'
import { trying } from '../store/messages.ts'
import { t } from '../strings.ts'

type Kind = NonNullable<NewSecret['kind']>

const empty = { name: '', site: '', kind: 'password' as Kind, value: '' }

const kinds: [Kind, string][] = [
  ['password', t.secrets.kinds.password],
  ['totp', t.secrets.kinds.totp],
]

// markOf is what agents write in place of a secret.
const markOf = (s: Secret) => `{{${s.kind === 'totp' ? 'totp' : 'secret'}:${s.name}}}`

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
  const input = (name: 'name' | 'site' | 'value', label: string, secret = false) => (
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
                  <code>{markOf(s)}</code>
                </td>
                <td>{t.secrets.kinds[s.kind]}</td>
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
          <select
            aria-label={t.secrets.kind}
            value={f.kind}
            onChange={e => {
              setF({ ...f, kind: e.currentTarget.value as Kind })
            }}
          >
            <Options of={kinds} now={f.kind} />
          </select>
          {input('value', f.kind === 'totp' ? t.secrets.setupKey : t.secrets.value, true)}
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
