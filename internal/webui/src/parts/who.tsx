// Who works in a profile.
import type { ComponentChildren } from 'preact'
import type { AccessAgent } from '../api/types.ts'
import * as state from '../store/state.ts'
import { t } from '../strings.ts'

const about = (a: AccessAgent) => (a.kind === 'mcp' ? a.version : t.who.throughPort(a.pid))

// Who lists who works in a profile, programs on its port too. Its children stand for nobody.
export function Who({ id, children }: { id: number; children: ComponentChildren }) {
  const all = state.access.value.get(id)?.agents ?? []
  return (
    <ul class="who">
      {all.map(a => (
        <li>
          <b class={`dot ${a.kind === 'mcp' ? 'auto' : ''}`} />
          {a.name || t.who.program}
          <span class="dim"> {about(a)}</span>
        </li>
      ))}
      {!all.length && children}
    </ul>
  )
}
