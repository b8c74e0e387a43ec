// The window of one profile: everything that it is, with its id in the top-right corner.
import { useEffect, useRef, useState } from 'preact/hooks'
import * as calls from '../api/calls.ts'
import { failureOf, told } from '../api/client.ts'
import { sentPolicy, typed } from '../lib/policy.ts'
import {
  asNew,
  blank,
  changes,
  check,
  type Form,
  formOf,
  inherited,
  inputOf,
  sent,
  type Wrong,
} from '../lib/profile.ts'
import { saves, type Tab, tabOf, tabsOf, tabWith, wrongTabs } from '../lib/tabs.ts'
import { typedText } from '../lib/text.ts'
import { full } from '../lib/time.ts'
import { Btn, Close, CopyButton, withApp } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { useDialogTitle } from '../parts/hooks.ts'
import { Advice, Grow, State } from '../parts/layout.tsx'
import { Ask, Modal } from '../parts/modal.tsx'
import { Panel, Tabs } from '../parts/tabs.tsx'
import { mayAutomate } from '../store/access.ts'
import { adopt } from '../store/app.ts'
import { folderNamed } from '../store/folders.ts'
import { failed, toast, trying } from '../store/messages.ts'
import { clone, create, patch, remove, restore, start, stop } from '../store/profiles.ts'
import { addressOf, go, listPlace, openTab } from '../store/route.ts'
import { moveTo } from '../store/rows.ts'
import type { Row } from '../store/state.ts'
import * as state from '../store/state.ts'
import { t } from '../strings.ts'
import { stopName } from './actions.ts'
import { OwnBrowser } from './adopt.tsx'
import { Cookies } from './cookies.tsx'
import { Extensions } from './extensions.tsx'
import { Advanced, General } from './fields.tsx'
import { Logins } from './logins.tsx'
import { Network } from './network.tsx'
import { Policy } from './policy.tsx'
import { Secrets } from './secrets.tsx'
import { Shared } from './sharedtabs.tsx'
import { TryPolicy } from './trypolicy.tsx'

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

// point leads to what is wrong, also into another tab and into what is folded.
function point(wrong: Wrong, now: Tab): void {
  const tab = tabWith(wrong, now)
  if (tab !== now) openTab(tab)
  requestAnimationFrame(() => {
    const at = document.querySelector<HTMLElement>(`#panel-${tab} [aria-invalid=true], dialog .error`)
    at?.closest('details')?.setAttribute('open', '')
    at?.scrollIntoView({ block: 'nearest' })
    at?.focus()
  })
}

// useForm holds what was typed, and what is wrong with it.
function useForm(id: number, p: Row, tab: Tab) {
  const { folder } = state.route.value
  const from = useRef(id ? undefined : folderNamed(folder)?.defaults) // what a new profile began with
  const [f, setF] = useState(() => (id ? formOf(p) : inherited(formOf({ ...blank, folder }), undefined, from.current)))
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
  // A new profile takes over the defaults of another folder.
  const change = (name: keyof Form, value: string) => {
    const next = { ...f, [name]: value }
    if (id || name !== 'folder') {
      put(next)
      return
    }
    const before = from.current
    from.current = folderNamed(value)?.defaults
    put(inherited(next, before, from.current))
  }
  const say = (found: Wrong) => {
    setWrong(found)
    point(found, tab)
  }
  const send = async () => {
    if (!id) return create(asNew(f, from.current))
    const policy = f.policy ? sentPolicy(f.policy) : undefined
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
      const saved = await send()
      original.current = f
      toast(id ? t.parts.saved : t.edit.made)
      if (id) listPlace()
      else {
        moveTo(saved.id)
        go('profile', saved.id)
      }
    } catch (e) {
      const { code, field } = failureOf(e)
      if (code === 'E_NO_APP')
        failed(e) // the banner says so until the app is back
      else say({ [inputOf(field)]: told(e) })
    }
    setSaving(false)
  }
  return { f, put, change, wrong, save, saving, dirty: !same(f, original.current) }
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
  saves: boolean
  onLeave: () => void
  onAsk: (q: Question) => void
}

function FootActions({ id, p, gone, onLeave, onAsk }: FootProps) {
  const open = p.state !== 'closed'
  const may = mayAutomate()
  const stopFirst = p.external ? t.adopt.letGoFirst : t.edit.stopFirst
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
        title={open ? stopFirst : undefined}
        onClick={() => {
          onAsk('delete')
        }}
      >
        {t.many.delete}
      </Btn>
      {p.external && open && <span class="line hint">{stopFirst}</span>}
      {!p.external && (
        <Btn
          acts
          kind="quiet"
          onClick={() => {
            onAsk('clone')
          }}
        >
          {t.edit.clone}
        </Btn>
      )}
      <Grow />
      {p.state === 'open' && (
        <Btn acts title={p.external && t.adopt.letGoText} onClick={() => stop(id)}>
          {stopName(p)}
        </Btn>
      )}
      {p.external && p.state !== 'open' && (
        <Btn
          acts
          onClick={() => {
            adopt(id)
          }}
        >
          {t.adopt.open}
        </Btn>
      )}
      {!p.external && p.state === 'closed' && (
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
    {props.saves && (
      <button class="btn primary" form="edit-form" {...withApp({ disabled: props.saving || props.gone })}>
        {props.id ? t.parts.save : t.parts.create}
      </button>
    )}
  </div>
)

const Dates = ({ p }: { p: Row }) => (
  <p class="dates dim">
    {t.edit.createdAt(full(p.createdAt))}
    {p.openedAt ? t.edit.openedAt(full(p.openedAt)) : ''} · <a href={addressOf('journal', p.id)}>{t.edit.journal}</a>
  </p>
)

type SheetProps = { id: number; p: Row; tab: Tab; form: ReturnType<typeof useForm> }

// Sheets are what the tabs show.
function Sheets({ id, p, tab, form: { f, put, change, wrong } }: SheetProps) {
  const inheriting = !id && !!folderNamed(f.folder)?.defaults
  const onPut = (more: Partial<Form>) => {
    put({ ...f, ...more })
  }
  const external = !!p.external
  const fields = { f, wrong, external, onChange: change, onPut }
  return (
    <>
      <Panel tab="general" now={tab}>
        {inheriting && <p class="hint">{t.edit.inherited(f.folder)}</p>}
        <General {...fields} />
        {p.external ? <OwnBrowser external={p.external} /> : <Advanced {...fields} />}
        {id > 0 && <Dates p={p} />}
      </Panel>
      {external ? (
        <Panel tab="shared" now={tab}>
          <Shared p={p} shown={tab === 'shared'} />
        </Panel>
      ) : (
        <Panel tab="network" now={tab}>
          <Network {...fields} />
        </Panel>
      )}
      <Panel tab="agents" now={tab}>
        {!external && <Advice />}
        {f.policy && (
          <>
            <Policy
              f={f.policy}
              wrong={wrong}
              external={external}
              onChange={policy => {
                put({ ...f, policy })
              }}
            />
            <TryPolicy f={f.policy} />
          </>
        )}
      </Panel>
      {id > 0 && (
        <>
          <Panel tab="secrets" now={tab}>
            <Secrets id={id} />
          </Panel>
          {!external && (
            <Panel tab="data" now={tab}>
              <Logins p={p} />
              <Cookies id={id} />
              <Extensions id={id} open={p.state !== 'closed'} />
            </Panel>
          )}
        </>
      )}
    </>
  )
}

function Editor({ id, p, gone }: { id: number; p: Row; gone: boolean }) {
  const tabs = tabsOf(id > 0, !!p.external)
  const tab = tabOf(state.route.value.tab, tabs)
  const form = useForm(id, p, tab)
  const { wrong, save, saving, dirty } = form
  const [ask, setAsk] = useState<Question | null>(null)
  useDialogTitle(id ? p.name : t.profiles.create)
  const leave = () => {
    if (dirty) setAsk('leave')
    else listPlace()
  }
  return (
    <Modal kind="drawer" onClose={leave}>
      {label => (
        <>
          <Top id={id} p={p} label={label} onLeave={leave} />
          <Tabs
            label={t.edit.tabsLabel}
            all={tabs}
            names={t.edit.tabs}
            now={tab}
            wrong={wrongTabs(wrong)}
            onTurn={openTab}
          />
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
            <Sheets id={id} p={p} tab={tab} form={form} />
          </form>
          <Foot id={id} p={p} gone={gone} saving={saving} saves={saves(tab, dirty)} onLeave={leave} onAsk={setAsk} />
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
