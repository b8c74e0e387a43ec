// The window of one profile: everything that it is, with its id in the top-right corner.
import type { ComponentChild } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import * as calls from '../api/calls.ts'
import { failureOf, told } from '../api/client.ts'
import type { Browser } from '../api/types.ts'
import { sentPolicy, typed } from '../lib/policy.ts'
import { blank, changes, check, type Form, formOf, inputOf, sent, withProxy, type Wrong } from '../lib/profile.ts'
import { typedText } from '../lib/text.ts'
import { full } from '../lib/time.ts'
import { Btn, Close, CopyButton, withApp } from '../parts/button.tsx'
import { Field, type Labelled } from '../parts/field.tsx'
import { useDialogTitle } from '../parts/hooks.ts'
import { Advice, Grow, State } from '../parts/layout.tsx'
import { Ask, Modal } from '../parts/modal.tsx'
import { mayAutomate } from '../store/access.ts'
import { failed, toast, trying } from '../store/messages.ts'
import { clone, create, patch, remove, restore, start, stop } from '../store/profiles.ts'
import { addressOf, go, listPlace } from '../store/route.ts'
import { moveTo } from '../store/rows.ts'
import type { Row } from '../store/state.ts'
import * as state from '../store/state.ts'
import { t } from '../strings.ts'
import { Cookies } from './cookies.tsx'
import { Extensions } from './extensions.tsx'
import { Policy, Secrets } from './policy.tsx'

const unmade: Row = { ...blank, id: 0, state: 'closed', running: false, text: '' }

export function Edit({ id }: { id: number }) {
  const last = useRef<Row>(undefined)
  const now = id ? state.profiles.value.get(id) : unmade
  const p = (last.current = now ?? last.current) // somebody may delete it while it is being edited
  if (p) return <Editor id={id} p={p} gone={!now && state.loaded.value} />
  if (!state.loaded.value) return null
  return (
    <Modal kind="drawer" title={t.edit.noProfile(id)} onClose={listPlace}>
      <div class="body">
        <p>{t.edit.noProfileText}</p>
      </div>
    </Modal>
  )
}

// Text is a kind of input that shows a field of the form.
type Attributes = Record<string, string | number | boolean | undefined>

type FieldsProps = { f: Form; wrong: Wrong; onChange: (name: keyof Form, value: string) => void }

// inputsOf are the inputs of a form: one line, or several.
function inputsOf({ f, wrong, onChange }: FieldsProps) {
  type Name = Exclude<keyof Form, 'policy'>
  const text =
    (name: Name, more: Attributes = {}) =>
    (a: Labelled): ComponentChild => (
      <input
        {...a}
        value={f[name]}
        onInput={e => {
          onChange(name, e.currentTarget.value)
        }}
        {...more}
      />
    )
  const area =
    (name: Name, rows: number, more: Attributes = {}) =>
    (a: Labelled): ComponentChild => (
      <textarea
        {...a}
        rows={rows}
        value={f[name]}
        onInput={e => {
          onChange(name, e.currentTarget.value)
        }}
        {...more}
      />
    )
  const field = (name: Name, label: string, more?: Attributes) => (
    <Field label={label} error={wrong[name]}>
      {text(name, more)}
    </Field>
  )
  return { text, area, field }
}

function General(props: FieldsProps) {
  const { f, wrong } = props
  const { text, area, field } = inputsOf(props)
  return (
    <>
      {field('name', t.edit.name, { 'data-first': true, required: true, maxlength: 200, dir: 'auto' })}
      <div class="pair">
        {field('folder', t.edit.folder, { list: 'all-folders', dir: 'auto' })}
        {field('tags', t.edit.tags, { placeholder: t.samples.tags })}
      </div>
      <Field label={t.edit.proxy} error={wrong.proxy} hint={f.proxy ? '' : t.edit.proxyHint}>
        {text('proxy', { placeholder: t.samples.proxy })}
      </Field>
      {f.proxy && (
        <div class="pair">
          {field('login', t.edit.proxyLogin)}
          {field('password', t.edit.proxyPassword, { type: 'password', autocomplete: 'new-password' })}
        </div>
      )}
      <div class="pair">
        {field('locale', t.edit.locale, { placeholder: t.samples.locale })}
        {field('timezone', t.edit.timezone, { placeholder: t.samples.timezone })}
      </div>
      <Field label={t.edit.pages} error={wrong.pages} hint={t.edit.pagesHint}>
        {area('pages', 2, { placeholder: t.samples.page })}
      </Field>
      <Field label={t.edit.notes} error={wrong.notes}>
        {area('notes', 2, { dir: 'auto' })}
      </Field>
    </>
  )
}

function BrowserField({ f, wrong, onChange }: FieldsProps) {
  const [browsers, setBrowsers] = useState<Browser[]>([])
  useEffect(() => {
    calls.browsers().then(
      a => {
        setBrowsers(a.data)
      },
      () => undefined,
    )
  }, [])
  const paths = [...new Set([...browsers.map(b => b.path), f.browser].filter(Boolean))]
  const nameOf = (path: string) => {
    const b = browsers.find(one => one.path === path)
    return b ? `${b.name} ${b.version.split('.')[0]} (${path})` : path
  }
  return (
    <Field label={t.edit.browser} error={wrong.browser}>
      {a => (
        <select
          {...a}
          value={f.browser}
          onChange={e => {
            onChange('browser', e.currentTarget.value)
          }}
        >
          <option value="" selected={!f.browser}>
            {t.edit.browserFound}
          </option>
          {paths.map(path => (
            <option value={path} selected={path === f.browser} key={path}>
              {nameOf(path)}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

function Advanced(props: FieldsProps) {
  const { wrong } = props
  const { text, area, field } = inputsOf(props)
  return (
    <details>
      <summary>{t.edit.advanced}</summary>
      <div class="pair">
        <Field label={t.edit.width} error={wrong.window}>
          {text('width', { inputmode: 'numeric', placeholder: t.edit.widthHint })}
        </Field>
        {field('height', t.edit.height, { inputmode: 'numeric' })}
      </div>
      <BrowserField {...props} />
      <Field label={t.edit.args} error={wrong.args} hint={t.edit.argsHint}>
        {area('args', 2)}
      </Field>
    </details>
  )
}

// usePort is the debugging port of a profile that is open for agents, 0 without one.
function usePort(p: Row): number {
  const [port, setPort] = useState(0)
  const open = p.mode === 'automation' && p.state === 'open'
  useEffect(() => {
    setPort(0)
    if (!open) return
    calls.active(p.id).then(
      a => {
        setPort(Number(a.automation?.port ?? 0))
      },
      () => undefined,
    )
  }, [open])
  return port
}

type Question = 'leave' | 'delete' | 'clone'

type AskedProps = { what: Question; p: Row; onClose: () => void }

async function discard(p: Row): Promise<boolean> {
  const ok = await remove([p.id])
  if (!ok) return false
  listPlace()
  toast(t.edit.inTrash(p.name), { action: { name: t.many.undo, run: () => void restore([p.id]) } })
  return true
}

const copy = (p: Row, form: FormData) =>
  trying(async () => {
    const made = await clone(p.id, { name: typedText(form, 'name').trim(), data: form.get('data') === 'on' })
    toast(t.edit.made)
    go('profile', made.id)
  })

function Asked({ what, p, onClose }: AskedProps) {
  const open = p.state !== 'closed'
  switch (what) {
    case 'leave':
      return (
        <Ask
          title={t.edit.leaveTitle}
          text={t.edit.leaveText}
          go={t.edit.leaveGo}
          danger
          careful
          here
          onClose={onClose}
          onGo={listPlace}
        />
      )
    case 'delete':
      return (
        <Ask
          title={t.edit.deleteTitle(p.name)}
          text={t.edit.deleteText}
          go={t.many.deleteGo}
          danger
          onClose={onClose}
          onGo={() => discard(p)}
        />
      )
    case 'clone':
      return (
        <Ask title={t.edit.cloneTitle(p.name)} go={t.edit.cloneGo} onClose={onClose} onGo={form => copy(p, form)}>
          <Field label={t.edit.cloneName}>
            {a => <input {...a} name="name" value={t.edit.copyOf(p.name)} data-first />}
          </Field>
          <label class="check">
            <input type="checkbox" name="data" disabled={open} /> {t.edit.cloneData(open)}
          </label>
        </Ask>
      )
  }
}

// point leads to what is wrong, also into what is folded.
function point(): void {
  requestAnimationFrame(() => {
    const at = document.querySelector<HTMLElement>('dialog [aria-invalid=true], dialog .error')
    at?.closest('details')?.setAttribute('open', '')
    at?.scrollIntoView({ block: 'nearest' })
    at?.focus()
  })
}

// useForm holds what was typed, and what is wrong with it.
function useForm(id: number, p: Row) {
  // A new profile is in the folder that is shown.
  const [f, setF] = useState(() => formOf(id ? p : { ...blank, folder: state.route.value.folder }))
  const original = useRef(f)
  const [wrong, setWrong] = useState<Wrong>({})
  const [saving, setSaving] = useState(false)
  useEffect(() => {
    if (!id) return
    calls.policy(id).then(({ data }) => {
      const policy = typed(data)
      original.current = { ...original.current, policy }
      setF(now => ({ ...now, policy }))
    }, failed)
  }, [])
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
  const put = (next: Form) => {
    setF(next)
    if (Object.keys(wrong).length) setWrong(check(next))
  }
  const say = (found: Wrong) => {
    setWrong(found)
    point()
  }
  const send = async () => {
    const policy = f.policy ? sentPolicy(f.policy) : undefined
    if (!id) return create({ ...sent(f), policy })
    if (policy && !same(f.policy, original.current.policy)) await calls.setPolicy(id, policy)
    // What is as it was is not sent: another browser takes the PIN.
    return patch(id, changes(sent(f), sent(original.current)))
  }
  const save = async (e: SubmitEvent) => {
    e.preventDefault()
    const found = check(f)
    say(found)
    if (Object.keys(found).length) return
    setSaving(true)
    try {
      const made = await send()
      original.current = f
      toast(id ? t.parts.saved : t.edit.made)
      if (id) listPlace()
      else {
        moveTo(made.id)
        go('profile', made.id)
      }
    } catch (e) {
      const { code, field } = failureOf(e)
      if (code === 'E_NO_APP')
        failed(e) // the banner says so until the app is back
      else say({ [inputOf(field)]: told(e) })
    }
    setSaving(false)
  }
  return { f, put, wrong, save, saving, dirty: !same(f, original.current) }
}

const Top = ({ id, p, label, onLeave }: { id: number; p: Row; label: string; onLeave: () => void }) => {
  const port = usePort(p)
  return (
    <div class="top">
      <div class="who">
        <h2 id={label}>{id ? p.name : t.profiles.create}</h2>
        {id ? (
          <State p={p}>
            {port ? (
              <>
                {t.edit.port} <code>{port}</code>
              </>
            ) : (
              ''
            )}
          </State>
        ) : (
          <span class="dim">{t.edit.newText}</span>
        )}
      </div>
      {id > 0 && (
        <div class="pid">
          <small>{t.table.id}</small>
          <code id="profile-id">{id}</code>
          <CopyButton text={String(id)} label={t.edit.copyID} small />
        </div>
      )}
      <Close onClick={onLeave} />
    </div>
  )
}

type FootProps = {
  id: number
  p: Row
  gone: boolean
  saving: boolean
  onLeave: () => void
  onAsk: (q: Question) => void
}

function FootActions({ id, p, gone, onLeave, onAsk }: FootProps) {
  const open = p.state !== 'closed'
  const may = mayAutomate()
  if (gone)
    return (
      <Btn kind="quiet" onClick={listPlace}>
        {t.parts.close}
      </Btn>
    )
  if (!id)
    return (
      <>
        <Grow />
        <Btn kind="quiet" onClick={onLeave}>
          {t.parts.cancel}
        </Btn>
      </>
    )
  return (
    <>
      <Btn
        acts
        kind="quiet"
        disabled={open}
        title={open ? t.edit.stopFirst : undefined}
        onClick={() => {
          onAsk('delete')
        }}
      >
        {t.many.delete}
      </Btn>
      <Btn
        acts
        kind="quiet"
        onClick={() => {
          onAsk('clone')
        }}
      >
        {t.edit.clone}
      </Btn>
      <Grow />
      {p.state === 'open' && (
        <Btn acts onClick={() => stop(id)}>
          {t.table.stop}
        </Btn>
      )}
      {p.state === 'closed' && (
        <Btn acts onClick={() => start(id, false)}>
          {t.table.open}
        </Btn>
      )}
      <Btn
        disabled={!may}
        title={may ? undefined : t.plan.noAgents}
        onClick={() => {
          go('connect', id)
        }}
      >
        {t.connect.open}
      </Btn>
    </>
  )
}

const Foot = (props: FootProps) => (
  <div class="foot">
    <FootActions {...props} />
    <button class="btn primary" form="edit-form" {...withApp({ disabled: props.saving || props.gone })}>
      {props.id ? t.parts.save : t.parts.create}
    </button>
  </div>
)

const Dates = ({ p }: { p: Row }) => (
  <p class="dates dim">
    {t.edit.createdAt(full(p.createdAt))}
    {p.openedAt ? t.edit.openedAt(full(p.openedAt)) : ''} · <a href={addressOf('journal', p.id)}>{t.edit.journal}</a>
  </p>
)

function Editor({ id, p, gone }: { id: number; p: Row; gone: boolean }) {
  const { f, put, wrong, save, saving, dirty } = useForm(id, p)
  const [ask, setAsk] = useState<Question | null>(null)
  useDialogTitle(id ? p.name : t.profiles.create)
  const leave = () => {
    if (dirty) setAsk('leave')
    else listPlace()
  }
  const change = (name: keyof Form, value: string) => {
    put(name === 'proxy' ? withProxy(f, value) : { ...f, [name]: value })
  }
  const fields = { f, wrong, onChange: change }
  return (
    <Modal kind="drawer" onClose={leave}>
      {label => (
        <>
          <Top id={id} p={p} label={label} onLeave={leave} />
          <form class="body" id="edit-form" onSubmit={save} novalidate>
            {gone && (
              <p class="note line" role="alert">
                <span>{t.edit.gone}</span>
                <Grow />
                <Btn acts onClick={() => restore([id])}>
                  {t.edit.restore}
                </Btn>
              </p>
            )}
            {wrong.all && (
              <p class="error all" role="alert">
                {wrong.all}
              </p>
            )}
            <General {...fields} />
            <Advanced {...fields} />
            {id > 0 && (
              <>
                <Cookies id={id} />
                <Extensions id={id} open={p.state !== 'closed'} />
              </>
            )}
            <h3>{t.policy.title}</h3>
            <Advice />
            {f.policy && (
              <Policy
                f={f.policy}
                wrong={wrong}
                onChange={policy => {
                  put({ ...f, policy })
                }}
              />
            )}
            {id > 0 && (
              <>
                <Secrets id={id} />
                <Dates p={p} />
              </>
            )}
          </form>
          <Foot id={id} p={p} gone={gone} saving={saving} onLeave={leave} onAsk={setAsk} />
          {ask && (
            <Asked
              what={ask}
              p={p}
              onClose={() => {
                setAsk(null)
              }}
            />
          )}
        </>
      )}
    </Modal>
  )
}
