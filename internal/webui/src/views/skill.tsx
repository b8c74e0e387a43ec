// The skill for agents in a shell: whether a client has it, and the clicks that install and remove it.
import { useState } from 'preact/hooks'
import * as calls from '../api/calls.ts'
import type { MCPClient, SkillFile } from '../api/types.ts'
import { intact } from '../lib/clients.ts'
import { Btn } from '../parts/button.tsx'
import { Card } from '../parts/layout.tsx'
import { Sure } from '../parts/sure.tsx'
import { failed } from '../store/messages.ts'
import { t } from '../strings.ts'

type SkillProps = { client: MCPClient; skill: SkillFile; onChange: () => Promise<void> }

export function Skill({ client, skill, onChange }: SkillProps) {
  const [busy, setBusy] = useState(false)
  const [kept, setKept] = useState<string[]>([]) // the clients that still use the file
  const [next, setNext] = useState('') // what there is to do after a click
  const force = !intact(skill)
  const doing = async (call: typeof calls.installSkill) => {
    setBusy(true)
    try {
      const { data } = await call(client.name, { force })
      setKept(data.flatMap(d => d.others ?? []))
      setNext(data[0]?.next ?? '')
      await onChange()
    } catch (e) {
      failed(e)
    }
    setBusy(false)
  }
  const install = () => doing(calls.installSkill)
  const there = skill.status !== 'missing'
  return (
    <Card title={t.skill.title}>
      <p class="dim">{t.skill.text(client.title)}</p>
      <div class="line">
        {skill.status !== 'found' && !force && (
          <Btn disabled={busy} onClick={install}>
            {there ? t.skill.update : t.skill.install}
          </Btn>
        )}
        {force && (
          <Sure disabled={busy} title={t.skill.sure} text={t.skill.copy} go={t.connect.replace} onGo={install}>
            {t.connect.replace}
          </Sure>
        )}
        {there && (
          <Sure
            disabled={busy}
            title={t.skill.sure}
            text={t.skill.copy}
            go={t.parts.remove}
            onGo={() => doing(calls.removeSkill)}
          >
            {t.skill.remove}
          </Sure>
        )}
        <span role="status" class="result dim">
          {kept.length ? t.skill.kept(kept.join(', ')) : t.skill.status[skill.status]}{' '}
          <code class="path">{skill.file}</code>
        </span>
      </div>
      {next && (
        <p class="note" role="status">
          {next}
        </p>
      )}
      {skill.error && <p class="error">{skill.error}</p>}
    </Card>
  )
}
