// The stored proxies: paste many, check, delete.
import { useEffect, useRef, useState } from 'preact/hooks'
import * as calls from '../api/calls.ts'
import { told } from '../api/client.ts'
import type { StoredProxy } from '../api/types.ts'
import { bracketed, proxyAddress } from '../lib/proxy.ts'
import { Btn } from '../parts/button.tsx'
import { Checked } from '../parts/checked.tsx'
import { Field } from '../parts/field.tsx'
import { Card, Empty, Grow, Main, Page } from '../parts/layout.tsx'
import { Sure } from '../parts/sure.tsx'
import { toast, trying } from '../store/messages.ts'
import { t } from '../strings.ts'

type RowProps = { p: StoredProxy; busy: boolean; onCheck: () => void; onRemove: () => Promise<boolean> }

const Row = ({ p, busy, onCheck, onRemove }: RowProps) => (
  <tr>
    <td>
      {p.name && `${p.name} `}
      <code>
        {p.type}://{p.login && `${p.login}@`}
        {bracketed(p.host)}:{p.port}
      </code>
    </td>
    <td>{p.browser_profiles_count}</td>
    <td>
      <Checked c={p.lastCheck} />
    </td>
    <td class="end">
      <Btn kind="quiet" disabled={busy} aria-label={t.proxies.checkOne(p.id)} onClick={onCheck}>
        {t.proxies.check}
      </Btn>
      <Sure
        kind="quiet"
        label={t.proxies.deleteOne(p.id)}
        title={t.proxies.deleteTitle(proxyAddress(p))}
        text={t.proxies.deleteText}
        go={t.proxies.delete}
        onGo={onRemove}
      >
        {t.proxies.delete}
      </Sure>
    </td>
  </tr>
)

function Add({ onAdded }: { onAdded: () => Promise<unknown> }) {
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState('')
  const add = async (e: SubmitEvent) => {
    e.preventDefault()
    try {
      const { created, ids } = await calls.importProxies(text)
      setText('')
      setWrong('')
      toast(t.proxies.added(created, ids.length))
      await onAdded()
    } catch (e) {
      setWrong(told(e))
    }
  }
  return (
    <Card title={t.proxies.add}>
      <form onSubmit={add}>
        <Field label={t.proxies.title} error={wrong} hint={t.proxies.addHint}>
          {a => (
            <textarea
              {...a}
              rows={4}
              spellcheck={false}
              value={text}
              onInput={e => {
                setText(e.currentTarget.value)
              }}
            />
          )}
        </Field>
        <button class="btn" disabled={!text.trim()}>
          {t.parts.add}
        </button>
      </form>
    </Card>
  )
}

export function Proxies() {
  const [list, setList] = useState<StoredProxy[] | null>(null)
  const [progress, setProgress] = useState('')
  const run = useRef<AbortController | null>(null)
  const read = () =>
    trying(async () => {
      setList(await calls.proxies())
    })
  useEffect(() => {
    void read()
    return () => run.current?.abort()
  }, [])
  const check = (ids?: number[]) =>
    trying(async () => {
      const over = new AbortController()
      run.current = over
      setProgress(t.proxies.checking)
      try {
        await calls.checkProxies(ids, over.signal, one => {
          setProgress(t.proxies.progress(one.done, one.total))
          setList(all => (all ?? []).map(p => (p.id === one.id ? { ...p, lastCheck: one.check } : p)))
        })
      } finally {
        run.current = null
        setProgress('')
      }
    })
  const remove = (p: StoredProxy) =>
    trying(async () => {
      await calls.removeProxy(p.id)
      await read()
    })
  const head = (
    <>
      <span class="dim" role="status">
        {progress || (list?.length ? t.proxies.count(list.length) : '')}
      </span>
      <Grow />
      {progress ? (
        <Btn onClick={() => run.current?.abort()}>{t.proxies.stop}</Btn>
      ) : (
        !!list?.length && (
          <Btn acts onClick={() => check()}>
            {t.proxies.checkAll}
          </Btn>
        )
      )}
    </>
  )
  return (
    <Main title={t.proxies.title} head={head}>
      <Page>
        <Add onAdded={read} />
        {list?.length === 0 && (
          <Empty title={t.proxies.none}>
            <p>{t.proxies.noneText}</p>
          </Empty>
        )}
        {!!list?.length && (
          <Card title={t.proxies.stored}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{t.proxies.proxy}</th>
                  <th scope="col">{t.proxies.profiles}</th>
                  <th scope="col">{t.proxies.lastCheck}</th>
                  <th scope="col">
                    <span class="hidden">{t.parts.actions}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {list.map(p => (
                  <Row
                    key={p.id}
                    p={p}
                    busy={!!progress}
                    onCheck={() => void check([p.id])}
                    onRemove={() => remove(p)}
                  />
                ))}
              </tbody>
            </table>
          </Card>
        )}
      </Page>
    </Main>
  )
}
