// The status window: where the app is, who is logged in, which browser, and what is wrong.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import * as calls from '../api/calls.ts'
import { failureOf } from '../api/client.ts'
import type { Browser, Finding, LogLines, Status as StatusData } from '../api/types.ts'
import { planName } from '../lib/session.ts'
import { upperFirst } from '../lib/text.ts'
import { Btn, CopyButton } from '../parts/button.tsx'
import * as icons from '../parts/icons.tsx'
import { Modal } from '../parts/modal.tsx'
import { connected } from '../store/access.ts'
import { readStatus, show } from '../store/app.ts'
import * as state from '../store/state.ts'
import { t } from '../strings.ts'

const Row = ({ name, path, children }: { name: string; path?: boolean; children: ComponentChildren }) => (
  <>
    <dt>{name}</dt>
    <dd class={path ? 'path' : undefined}>{children}</dd>
  </>
)

const One = ({ children }: { children: ComponentChildren }) => <span class="one">{children}</span>

function Agents() {
  const counts = new Map<string, number>()
  for (const a of connected.value) {
    const name = `${a.name || t.who.program} → ${a.profile}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  if (!counts.size) return <>{t.status.none}</>
  return (
    <>
      {[...counts].map(([name, n]) => (
        <One key={name}>
          {name}
          {n > 1 ? ` ×${n}` : ''}
        </One>
      ))}
    </>
  )
}

function Using({ browsers }: { browsers: Browser[] | null }) {
  const used = browsers?.find(b => b.used)
  if (!browsers) return <>…</>
  if (used)
    return (
      <>
        {used.name} {used.version}
        <div class="dim path">{used.path}</div>
      </>
    )
  return (
    <>
      <span class="bad">{t.status.noBrowser}</span> <code>{t.commands.installBrowser}</code>
    </>
  )
}

function Findings({ findings }: { findings: Finding[] | null }) {
  const [all, setAll] = useState(false)
  if (!findings) return <>…</>
  const bad = findings.filter(f => !f.ok)
  const listed = all ? findings : bad
  return (
    <>
      {bad.length ? (
        <span class="warn">{t.status.found(bad.length, findings.length)}</span>
      ) : (
        <span class="ok">
          <icons.Check /> {t.status.passed(findings.length)}
        </span>
      )}
      {listed.length > 0 && (
        <ul class="findings">
          {listed.map(f => (
            <li class={f.ok ? '' : 'warn'} key={f.name}>
              {f.ok ? <icons.Check /> : <icons.Warn />}
              <span>
                <strong>{f.name}</strong> {f.text}
                {f.hint && <span class="dim"> {f.hint}</span>}
              </span>
            </li>
          ))}
        </ul>
      )}
      {findings.length > 0 && (
        <button
          type="button"
          class="link"
          aria-expanded={all}
          onClick={() => {
            setAll(!all)
          }}
        >
          {all ? t.status.showLess : t.status.showAll}
        </button>
      )}
    </>
  )
}

function Log() {
  const [log, setLog] = useState<LogLines | null>(null)
  const [reading, setReading] = useState(false)
  const read = async () => {
    setReading(true)
    try {
      setLog(await calls.logs())
    } catch (e) {
      setLog({ data: [failureOf(e).message], path: '' })
    }
    setReading(false)
  }
  return (
    <details onToggle={e => e.currentTarget.open && void read()}>
      <summary>{t.status.log}</summary>
      {log ? (
        <>
          <p class="dim path">{log.path}</p>
          <pre class="log-tail" tabindex={0} aria-label={t.status.logEnd}>
            {log.data.join('\n')}
          </pre>
          <Btn disabled={reading} onClick={read}>
            {t.status.readAgain}
          </Btn>
        </>
      ) : (
        <p>{t.parts.reading}</p>
      )}
    </details>
  )
}

const Account = ({ s }: { s: StatusData }) =>
  s.logged_in ? (
    <>{t.status.account(s.account ?? '', planName(s), s.automation)}</>
  ) : (
    <>
      {t.status.loggedOut} <a href="#/settings">{t.account.login}</a>
    </>
  )

function Facts({ s, browsers, findings }: { s: StatusData; browsers: Browser[] | null; findings: Finding[] | null }) {
  const address = `http://127.0.0.1:${s.api_port}`
  return (
    <dl>
      <Row name={t.bar.api}>
        <code id="api-address">{address}</code> <CopyButton text={address} label={t.status.copyAddress} small />
      </Row>
      <Row name={t.status.port}>
        <span id="api-port">{s.api_port}</span>
        {s.port_reason && <div class={s.port_taken ? 'warn' : 'dim'}>{upperFirst(s.port_reason)}</div>}
      </Row>
      <Row name={t.account.title}>
        <Account s={s} />
      </Row>
      <Row name={t.status.browser}>
        <Using browsers={browsers} />
      </Row>
      <Row name={t.status.home} path>
        {s.home} <CopyButton text={s.home} label={t.status.copyHome} small />
      </Row>
      <Row name={t.status.open}>
        {s.open.length
          ? s.open.map(o => (
              <One key={o.id}>
                {o.name || t.status.temporary} ({o.id})
              </One>
            ))
          : t.status.none}
      </Row>
      <Row name={t.status.agents}>
        <Agents />
      </Row>
      <Row name={t.status.version}>{t.status.process(s.version, s.pid)}</Row>
      <Row name={t.status.checkup}>
        <Findings findings={findings} />
      </Row>
    </dl>
  )
}

export function Status() {
  const [findings, setFindings] = useState<Finding[] | null>(null)
  const [browsers, setBrowsers] = useState<Browser[] | null>(null)
  const online = state.online.value
  useEffect(() => {
    void readStatus()
    calls.doctor().then(
      a => {
        setFindings(a.data)
      },
      () => undefined,
    )
    calls.browsers().then(
      a => {
        setBrowsers(a.data)
      },
      () => undefined,
    )
  }, [online])
  const s = state.status.value
  return (
    <Modal
      kind="status"
      title={t.status.title}
      onClose={() => {
        show(null)
      }}
    >
      <div class="body">
        {!s || !online ? (
          <p>
            {t.status.away} <code>{t.commands.up}</code>.
          </p>
        ) : (
          <>
            <Facts s={s} browsers={browsers} findings={findings} />
            <Log />
            <p class="links">
              <a href="/docs" target="_blank" rel="noopener">
                {t.status.docs}
              </a>
            </p>
          </>
        )}
      </div>
    </Modal>
  )
}
