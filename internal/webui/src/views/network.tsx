// The network of a profile's window: how its browser reaches sites, and what it tells them.
import { useEffect, useRef, useState } from 'preact/hooks'
import * as calls from '../api/calls.ts'
import type { ProxyCheck, StoredProxy } from '../api/types.ts'
import { type Form, proxyOf, typedProxy } from '../lib/profile.ts'
import { proxyAddress, proxyLabel, type ReadProxy, sameProxy } from '../lib/proxy.ts'
import { Btn } from '../parts/button.tsx'
import { Checked } from '../parts/checked.tsx'
import { Field, Options } from '../parts/field.tsx'
import { useWork } from '../parts/hooks.ts'
import { failed } from '../store/messages.ts'
import { t } from '../strings.ts'
import { type FieldsProps, inputsOf } from './fields.tsx'

// useSaved are the proxies that the person has stored.
function useSaved(): StoredProxy[] {
  const [saved, setSaved] = useState<StoredProxy[]>([])
  useEffect(() => {
    calls.proxies().then(all => {
      setSaved(all.filter(p => p.savedByUser))
    }, failed)
  }, [])
  return saved
}

// Check tries the proxy as it stands in the form.
function Check({ proxy, saved }: { proxy: ReadProxy | null; saved?: StoredProxy }) {
  const [found, setFound] = useState<ProxyCheck>()
  const { doing, wrong, run } = useWork()
  const check = async () => {
    if (proxy) setFound(await calls.checkProxy(proxy))
  }
  const change = async () => {
    if (!saved) return
    await calls.changeIP(saved.id)
    await check()
  }
  return (
    <div class="field line">
      <Btn acts disabled={!proxy} onClick={() => run('check', check)}>
        {doing === 'check' ? t.proxies.checking : t.proxies.check}
      </Btn>
      {saved?.changeIpUrl && (
        <Btn acts onClick={() => run('change', change)}>
          {doing === 'change' ? t.edit.changingIP : t.edit.changeIP}
        </Btn>
      )}
      <span role="status">{wrong ? <span class="bad">{wrong}</span> : found && <Checked c={found} />}</span>
    </div>
  )
}

type Fields = Pick<Form, 'proxy' | 'login' | 'password'>

const none: Fields = { proxy: '', login: '', password: '' }

const fieldsOf = ({ proxy, login, password }: Form): Fields => ({ proxy, login, password })

// Proxy chooses between no proxy, a stored one, and one of the profile's own.
function Proxy(props: FieldsProps) {
  const { f, wrong, onPut } = props
  const all = useSaved()
  const own = useRef<Fields | undefined>(undefined) // what was typed, for who looks at another choice meanwhile
  const proxy = proxyOf(f)
  const saved = f.custom || !proxy ? undefined : all.find(p => sameProxy(p, proxy))
  const now = saved ? String(saved.id) : f.custom || f.proxy ? 'custom' : 'direct'
  const pick = (value: string) => {
    if (now === 'custom') own.current = fieldsOf(f)
    const p = all.find(one => String(one.id) === value)
    if (value === 'custom') onPut({ ...own.current, custom: true })
    else onPut({ ...(p ? { proxy: proxyAddress(p), login: p.login, password: p.password } : none), custom: false })
  }
  const { text, field } = inputsOf({
    ...props,
    onChange: (name, value) => {
      onPut({ ...typedProxy(f, name, value), custom: true })
    },
  })
  const choices: [string, string][] = [
    ['direct', t.edit.direct],
    ['custom', t.edit.custom],
    ...all.map((p): [string, string] => [String(p.id), proxyLabel(p)]),
  ]
  return (
    <>
      <Field label={t.edit.proxy} error={now === 'custom' ? undefined : wrong.proxy}>
        {a => (
          <select
            {...a}
            value={now}
            onChange={e => {
              pick(e.currentTarget.value)
            }}
          >
            <Options of={choices} now={now} />
          </select>
        )}
      </Field>
      {now === 'custom' && (
        <>
          <Field label={t.bulk.url} error={wrong.proxy} hint={t.edit.proxyHint}>
            {text('proxy', { placeholder: t.samples.proxy })}
          </Field>
          <div class="pair">
            {field('login', t.edit.proxyLogin)}
            {field('password', t.edit.proxyPassword, { type: 'password', autocomplete: 'new-password' })}
          </div>
        </>
      )}
      {now !== 'direct' && <Check key={JSON.stringify(proxy)} proxy={proxy} saved={saved} />}
    </>
  )
}

export function Network(props: FieldsProps) {
  const { field } = inputsOf(props)
  return (
    <>
      <Proxy {...props} />
      <div class="pair">
        {field('locale', t.edit.locale, { placeholder: t.samples.locale })}
        {field('timezone', t.edit.timezone, { placeholder: t.samples.timezone })}
      </div>
    </>
  )
}
