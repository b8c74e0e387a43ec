// Who works in a profile.
import type { ComponentChildren } from 'preact'
import * as calls from '../api/calls.ts'
import type { AccessAgent } from '../api/types.ts'
import { trying } from '../store/messages.ts'
import * as state from '../store/state.ts'
import { t } from '../strings.ts'
import { Btn } from './button.tsx'
import * as icons from './icons.tsx'

const about = (a: AccessAgent) => (a.kind === 'mcp' ? a.version : t.who.throughPort(a.pid))

type AgentProps = { id: number; a: AccessAgent }

// Controls pause one agent and let it go on, or disconnect it. It can connect again, so nobody is asked.
function Controls({ id, a }: AgentProps) {
  const { session = '', paused } = a
  const name = a.name || t.who.program
  const button = (label: string, Sign: icons.Icon, work: () => Promise<unknown>) => (
    <Btn acts kind="square" aria-label={label} title={label} onClick={() => trying(work)}>
      <Sign />
    </Btn>
  )
  return (
    <>
      {paused
        ? button(t.who.resume(name), icons.Play, () => calls.pauseAgent(id, session, false))
        : button(t.who.pause(name), icons.Pause, () => calls.pauseAgent(id, session, true))}
      {button(t.who.disconnect(name), icons.Unplug, () => calls.disconnectAgent(id, session))}
    </>
  )
}

const Agent = ({ id, a }: AgentProps) => (
  <li class="line">
    <span class="grow path">
      <b class={`dot ${a.kind === 'mcp' ? 'auto' : ''}`} />
      {a.name || t.who.program}
      <span class="dim"> {about(a)}</span>
      {a.paused && <span class="you"> {t.who.paused}</span>}
    </span>
    {a.session && <Controls id={id} a={a} />}
  </li>
)

// Who lists who works in a profile, programs on its port too. Its children stand for nobody.
export function Who({ id, children }: { id: number; children: ComponentChildren }) {
  const all = state.access.value.get(id)?.agents ?? []
  return (
    <ul class="who">
      {all.map((a, i) => (
        <Agent key={a.session ?? i} id={id} a={a} />
      ))}
      {!all.length && children}
    </ul>
  )
}
