// The entry of one client, the click that writes it, and whether it works.
import type { ComponentChild } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import * as calls from '../api/calls.ts'
import { type Failure, failureOf, told } from '../api/client.ts'
import type { MCPChange, MCPCheck, MCPClient, MCPEntry } from '../api/types.ts'
import { commandOf, entryText, other, type Scope } from '../lib/clients.ts'
import { Btn, CopyButton } from '../parts/button.tsx'
import * as icons from '../parts/icons.tsx'
import { Card } from '../parts/layout.tsx'
import { Sure } from '../parts/sure.tsx'
import { mayAutomate } from '../store/access.ts'
import { failed } from '../store/messages.ts'
import type { Row } from '../store/state.ts'
import * as state from '../store/state.ts'
import { t } from '../strings.ts'

type ConnectionProps = {
  p: Row
  client: MCPClient
  wrapper: boolean
  scope: Scope
  folder: string
  onChange: () => Promise<void>
}

// Result is what a click brought: an answer of the client's server, or what went wrong.
type Result = Partial<MCPCheck>

const wrapperFile = 'profile-devtools-mcp.mjs'

const Change = ({ change }: { change: MCPChange }) => (
  <>
    <p class="dim">
      {change.action === 'unchanged' ? t.connect.noChange : t.connect.change}{' '}
      <code class="path">{change.entry.file}</code>
    </p>
    {change.diff && (
      <pre class="diff" tabindex={0} aria-label={t.connect.changeLabel}>
        {change.diff.split('\n').map(line => (
          <span class={line.startsWith('+') ? 'ok' : line.startsWith('-') ? 'bad' : ''}>
            {line}
            {'\n'}
          </span>
        ))}
      </pre>
    )}
  </>
)

type OutcomeProps = { busy: string; result: Result | null; entry?: MCPEntry; same: boolean }

function Outcome({ busy, result, entry, same }: OutcomeProps) {
  if (busy) return <span class="dim">{busy}</span>
  if (result?.error)
    return (
      <span class="bad">
        <icons.Warn /> {result.error}
      </span>
    )
  if (result?.connected)
    return (
      <span class="ok">
        <icons.Check /> {t.connect.works(result.tools ?? 0, Math.max(1, Math.round(result.ms ?? 0)))}
      </span>
    )
  if (!entry) return null
  return (
    <span class="dim">
      <icons.Check /> {same ? t.connect.registered : t.connect.registeredOther} <span class="path">{entry.file}</span>
    </span>
  )
}

type TargetProps = { client: MCPClient; name: string; file?: string; folder: string; command: boolean }

// Target says where the entry goes.
function Target({ client, name, file, folder, command }: TargetProps): ComponentChild {
  if (client === other) return t.connect.otherText
  if (client.installed)
    return (
      <>
        {t.connect.adds} <code>{name}</code>,{' '}
        {file ? (
          <>
            {t.connect.to} <code class="path">{file}</code>
          </>
        ) : (
          t.connect.forFolder(folder)
        )}
        {t.connect.nothingElse}
      </>
    )
  return (
    <>
      {t.connect.absent(client.title)}{' '}
      {command ? (
        t.connect.runThis
      ) : (
        <>
          {t.connect.belongs} <code class="path">{file ?? t.connect.folderFile}</code>
        </>
      )}
      :
    </>
  )
}

const Alert = ({ failure }: { failure: Failure }) => (
  <p class="error all" role="alert">
    {failure.message} <span class="dim">{failure.hint}</span>
  </p>
)

// useConnection holds what is known of the entry, and what can be done with it.
function useConnection({ p, client, wrapper, scope, folder, onChange }: ConnectionProps) {
  const [snippet, setSnippet] = useState('')
  const [unknown, setUnknown] = useState<Failure | null>(null) // why there is no text to paste
  const [refused, setRefused] = useState<Failure | null>(null) // why a click would not work in the project's folder
  const [changes, setChanges] = useState<MCPChange[]>([])
  const [result, setResult] = useState<Result | null>(null)
  const [busy, setBusy] = useState('')
  const [next, setNext] = useState('') // what there is to do after a click
  const [plan, setPlan] = useState<MCPChange | null>(null) // what a click would do in a project's folder
  const everywhere = scope === 'user'
  const bridge = state.status.value?.bridge
  const name = `cove-${p.id}`
  const body = { profile: p.id, wrapper, ...(everywhere ? {} : { scope, folder }) }
  const look = async () => {
    const { data } = await calls.addEntry(client.name, { ...body, dryRun: true })
    setPlan(data[0] ?? null)
    return data
  }
  useEffect(() => {
    let mine = true
    const failing = (set: (e: Failure) => void) => (e: unknown) => {
      if (mine) set(failureOf(e))
    }
    if (client === other) setSnippet(entryText(name, [...(bridge ?? ['cove', 'mcp']), String(p.id)]))
    else
      calls.snippet(client.name, { profile: p.id, wrapper }).then(s => {
        if (mine) setSnippet(s.text)
      }, failing(setUnknown))
    if (!everywhere && folder && client.installed) look().catch(failing(setRefused))
    return () => {
      mine = false
    }
  }, [])

  const doing = async (what: string, work: () => Promise<void>) => {
    setBusy(what)
    try {
      await work()
    } catch (e) {
      failed(e)
      setResult({ error: told(e) })
    }
    setBusy('')
  }
  const check = async () => {
    setResult(await calls.checkEntry(client.name, body))
  }
  const afterwards = async () => {
    setChanges([])
    await onChange()
    if (!everywhere) await look()
  }
  return {
    bridge,
    name,
    everywhere,
    snippet,
    failure: refused ?? unknown,
    refused,
    changes,
    result,
    busy,
    next,
    plan,
    check: () => doing(t.connect.connecting, check),
    connect: () =>
      doing(t.connect.connecting, async () => {
        const done = await calls.addEntry(client.name, body)
        await afterwards()
        setNext(done.data[0]?.next ?? '')
        if (mayAutomate()) await check()
      }),
    remove: () =>
      doing(t.connect.removing, async () => {
        await calls.removeEntry(client.name, { ...body, scope })
        setResult(null)
        setNext('')
        await afterwards()
      }),
    preview: () =>
      doing(t.connect.looking, async () => {
        setChanges((await calls.addEntry(client.name, { ...body, dryRun: true })).data)
      }),
  }
}

export function Connection(props: ConnectionProps) {
  const { p, client, wrapper, scope, folder } = props
  const c = useConnection(props)
  const { bridge, name, everywhere, busy } = c
  const written = client.entries.find(e => e.profile === p.id && e.scope === 'user')
  const planned = c.plan?.action === 'unchanged' ? c.plan.entry : undefined
  const entry = everywhere ? written : planned
  // An entry of the other kind, or of a Cove that was elsewhere, is not the one that a click here would write.
  const runs = (e: MCPEntry) => (wrapper ? e.args.some(a => a.endsWith(wrapperFile)) : e.command === bridge?.[0])
  const same = !!entry && (!everywhere || runs(entry))
  const command = wrapper || !bridge ? undefined : commandOf(client.name, scope)
  const text = command && bridge ? command(name, [...bridge, String(p.id)]) : c.snippet
  const file = everywhere ? client.files[0] : c.plan?.entry.file
  const offered = client !== other && client.installed
  if (c.failure && (c.refused || !command))
    return (
      <Card title={t.connect.step3}>
        <Alert failure={c.failure} />
      </Card>
    )
  return (
    <Card title={t.connect.step3}>
      <p class="dim">
        <Target client={client} name={name} file={file} folder={folder} command={!!command} />
      </p>
      <div class="line">
        {offered && !same && (everywhere || c.plan) && (
          <>
            <Btn kind="primary" disabled={!!busy} onClick={c.connect}>
              {entry ? t.connect.replace : t.connect.go}
            </Btn>
            <Btn disabled={!!busy} onClick={c.preview}>
              {t.connect.show}
            </Btn>
          </>
        )}
        {(client === other || same) && (
          <Btn kind="primary" disabled={!!busy || !mayAutomate()} onClick={c.check}>
            {t.connect.check}
          </Btn>
        )}
        {entry && (
          <Sure
            disabled={!!busy}
            title={t.connect.removeTitle(name)}
            text={t.connect.removeText(client.title)}
            go={t.parts.remove}
            onGo={c.remove}
          >
            {t.parts.remove}
          </Sure>
        )}
        <span role="status" class="result">
          <Outcome busy={busy} result={c.result} entry={entry} same={same} />
        </span>
      </div>
      {c.next && (
        <p class="note" role="status">
          {c.next}
        </p>
      )}
      {c.changes.map(change => (
        <Change change={change} key={change.entry.file} />
      ))}
      {text && offered && <p class="dim">{t.connect.byHand}</p>}
      {text && (
        <div class="command">
          <pre tabindex={0} aria-label={t.connect.paste}>
            <code>{text}</code>
          </pre>
          <CopyButton text={text} label={t.parts.copy} />
        </div>
      )}
    </Card>
  )
}
