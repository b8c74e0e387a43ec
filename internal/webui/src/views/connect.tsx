// Connect an agent: a profile, a client, and the one entry that the client needs.
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import * as calls from '../api/calls.ts'
import type { MCPClient } from '../api/types.ts'
import { about, asked, ordered, other, type Scope } from '../lib/clients.ts'
import { terms } from '../lib/text.ts'
import { Btn, Pick } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import * as icons from '../parts/icons.tsx'
import { Advice, Grow, Main, Page, State } from '../parts/layout.tsx'
import { mayAutomate } from '../store/access.ts'
import { failed } from '../store/messages.ts'
import { addressOf, go } from '../store/route.ts'
import type { Row } from '../store/state.ts'
import * as state from '../store/state.ts'
import { t } from '../strings.ts'
import { Connection } from './connection.tsx'
import { Skill } from './skill.tsx'

const shownProfiles = 8

// firstFound are the first profiles that a search finds: there may be thousands.
function firstFound(all: Iterable<Row>, search: string): Row[] {
  const sought = terms(search)
  const found: Row[] = []
  for (const p of all) {
    if (sought.every(word => p.text.includes(word)) && found.push(p) >= shownProfiles) break
  }
  return found
}

function PickProfile({ id }: { id: number }) {
  const [search, setSearch] = useState('')
  const all = state.profiles.value
  const found = useMemo(() => firstFound(all.values(), search), [search, all])
  return (
    <>
      <Field label={t.connect.find}>
        {a => (
          <input
            {...a}
            type="search"
            value={search}
            placeholder={t.connect.findHint}
            onInput={e => {
              setSearch(e.currentTarget.value)
            }}
          />
        )}
      </Field>
      <div class="picks" role="group" aria-label={t.connect.profile}>
        {found.map(p => (
          <Pick
            key={p.id}
            on={p.id === id}
            about={`${p.id} · ${p.tags.join(', ') || t.connect.noTags}`}
            title={p.name}
            onClick={() => {
              go('connect', p.id)
            }}
          >
            {p.name}
          </Pick>
        ))}
        {!found.length && (
          <p class="dim" role="status">
            {all.size ? (
              t.connect.noneFits
            ) : (
              <>
                {t.connect.noProfile} <a href={addressOf('new')}>{t.profiles.create}</a>
              </>
            )}
          </p>
        )}
      </div>
    </>
  )
}

type ChoiceProps<T> = {
  label: string
  now: T
  of: { value: T; name: string; about: string }[]
  onPick: (value: T) => void
}

const Choice = <T,>({ label, now, of, onPick }: ChoiceProps<T>) => (
  <div class="choice" role="group" aria-label={label}>
    <span class="dim" aria-hidden="true">
      {label}
    </span>
    {of.map(({ value, name, about: title }) => (
      <Btn
        aria-pressed={value === now}
        title={title}
        key={name}
        onClick={() => {
          onPick(value)
        }}
      >
        {name}
      </Btn>
    ))}
  </div>
)

const servers = [
  { value: false, ...t.connect.servers.own },
  { value: true, ...t.connect.servers.devtools },
]

function FolderForm({ folder, onFolder }: { folder: string; onFolder: (folder: string) => void }) {
  const [typed, setTyped] = useState('')
  const path = typed.trim()
  return (
    <form
      class="line folder"
      onSubmit={e => {
        e.preventDefault()
        onFolder(path)
      }}
    >
      <label for="folder">{t.connect.folder}</label>
      <input
        id="folder"
        value={typed}
        placeholder={t.samples.folder}
        autocomplete="off"
        onInput={e => {
          setTyped(e.currentTarget.value)
        }}
      />
      <button class="btn" disabled={!path || path === folder}>
        {t.connect.useFolder}
      </button>
    </form>
  )
}

type ClientsProps = {
  clients: MCPClient[]
  client?: MCPClient
  profile: number
  onPick: (name: string) => void
  children: ComponentChildren
}

function Clients({ clients, client, profile, onPick, children }: ClientsProps) {
  const [all, setAll] = useState(false)
  const shown = clients.filter(c => all || c.installed || c === client || asked.includes(c.name))
  return (
    <section class="card" aria-labelledby="s2">
      <h2 id="s2">{t.connect.step2}</h2>
      <div class="clients" role="group" aria-labelledby="s2">
        {shown.map(c => (
          <Pick
            key={c.name}
            on={c === client}
            about={about(c, profile)}
            data-absent={!c.installed}
            title={c.title}
            onClick={() => {
              onPick(c.name)
            }}
          >
            {c.title.replace(/ \(.*/, '')}
          </Pick>
        ))}
      </div>
      {shown.length < clients.length && (
        <p class="more">
          <Btn
            kind="quiet"
            onClick={() => {
              setAll(true)
            }}
          >
            {t.connect.moreClients(clients.length - shown.length)}
          </Btn>
        </p>
      )}
      {client?.error && <p class="error">{client.error}</p>}
      {children}
    </section>
  )
}

const Chosen = ({ p, id }: { p?: Row; id: number }) => (
  <section class="card" aria-labelledby="s1">
    <div class="line">
      <h2 id="s1">{t.connect.step1}</h2>
      {p && (
        <>
          <span class="dim">
            {p.name}, {p.id}
          </span>
          <State p={p} />
          <Grow />
          {state.profiles.value.size > 1 && (
            <Btn
              kind="quiet"
              onClick={() => {
                go('connect')
              }}
            >
              {t.connect.another}
            </Btn>
          )}
        </>
      )}
    </div>
    {!p && <PickProfile id={id} />}
  </section>
)

// chosen is the profile of the address, or the only one that there is.
function chosen(): number {
  const [first = 0, ...more] = state.profiles.value.keys()
  return Number(state.route.value.arg) || (more.length ? 0 : first)
}

export function Connect() {
  const id = chosen()
  const p = state.profiles.value.get(id)
  const [clients, setClients] = useState<MCPClient[] | null>(null)
  const [name, setName] = useState('')
  const [wrapper, setWrapper] = useState(false)
  const [scope, setScope] = useState<Scope>('user')
  const [folder, setFolder] = useState('')
  const read = async () => {
    try {
      const list = ordered((await calls.clients()).data)
      setClients([...list, other])
      setName(now => now || (list[0] ?? other).name)
    } catch (e) {
      failed(e)
    }
  }
  useEffect(() => {
    void read()
  }, [])
  const client = clients?.find(c => c.name === name)
  const scopes = (client?.scopes ?? []) as Scope[]
  const where = scopes.includes(scope) ? scope : 'user'
  return (
    <Main title={t.connect.title}>
      <Page kind="wide">
        <Chosen p={p} id={id} />
        {p && !mayAutomate() && (
          <div class="strip" role="note">
            <icons.Warn /> {t.plan.freeConnects} <a href="#/settings">{t.plan.change}</a>
          </div>
        )}
        {p && clients && (
          <>
            <Clients clients={clients} client={client} profile={id} onPick={setName}>
              {client && client !== other && (
                <>
                  <div class="choices">
                    <Choice label={t.connect.tools} now={wrapper} onPick={setWrapper} of={servers} />
                    {scopes.length > 1 && (
                      <Choice
                        label={t.connect.where}
                        now={where}
                        onPick={setScope}
                        of={scopes.toReversed().map(value => ({ value, ...t.connect.scopes[value] }))}
                      />
                    )}
                  </div>
                  {where !== 'user' && <FolderForm folder={folder} onFolder={setFolder} />}
                </>
              )}
            </Clients>
            <Advice short />
            {client && (
              <Connection
                key={[id, name, wrapper, where, folder].join()}
                p={p}
                client={client}
                wrapper={wrapper && client !== other}
                scope={where}
                folder={folder}
                onChange={read}
              />
            )}
            {client?.installed && client.skill && (
              <Skill key={name} client={client} skill={client.skill} onChange={read} />
            )}
          </>
        )}
      </Page>
    </Main>
  )
}
