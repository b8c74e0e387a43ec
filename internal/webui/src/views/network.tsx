// The network of a profile's window: how its browser reaches sites, and what it tells them.
import { useEffect, useState } from 'preact/hooks'
import * as calls from '../api/calls.ts'
import type { ProxyCheck, StoredProxy } from '../api/types.ts'
import { type Form, proxyOf } from '../lib/profile.ts'
import { proxyAddress, proxyLabel, sameProxy } from '../lib/proxy.ts'
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
    calls.proxies(1).then(a => {
      setSaved(a.data.filter(p => p.savedByUser))
    }, failed)
  }, [])
  return saved
}

// Check tries the proxy as it stands in the form.
function Check({ f, saved }: { f: Form; saved?: StoredProxy }) {
  const [found, setFound] = useState<{ of: string; check: ProxyCheck }>()
  const { doing, wrong, run } = useWork()
  const proxy = proxyOf(f)
  const now = JSON.stringify(proxy)
  const check = async () => {
    if (proxy) setFound({ of: now, check: await calls.checkProxy(proxy) })
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
      <span role="status">
        {wrong ? <span class="bad">{wrong}</span> : found?.of === now && <Checked c={found.check} />}
      </span>
    </div>
  )
}

const direct = { proxy: '', login: '', password: '' }

// Proxy chooses between no proxy, a stored one, and one of the profile's own.
function Proxy(props: FieldsProps) {
  const { f, wrong, onPut } = props
  const { text, field } = inputsOf(props)
  const all = useSaved()
  const [typing, setTyping] = useState(false)
  const proxy = proxyOf(f)
  const saved = typing || !proxy ? undefined : all.find(p => sameProxy(p, proxy))
  const now = saved ? String(saved.id) : typing || f.proxy ? 'custom' : 'direct'
  const pick = (value: string) => {
    setTyping(value === 'custom')
    const p = all.find(one => String(one.id) === value)
    if (p) onPut({ proxy: proxyAddress(p), login: p.login, password: p.password })
    else if (value === 'direct') onPut(direct)
  }
  const choices: [string, string][] = [
    ['direct', t.bulk.direct],
    ['custom', t.bulk.custom],
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
      {now !== 'direct' && <Check f={f} saved={saved} />}
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
