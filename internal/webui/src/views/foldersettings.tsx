// The colour of a folder, and what its new profiles get.
import { useEffect, useState } from 'preact/hooks'
import type { Folder, FolderInput } from '../api/types.ts'
import { defaultsOf } from '../lib/folder.ts'
import { proxyAddress } from '../lib/proxy.ts'
import { typedText } from '../lib/text.ts'
import { Field, Options } from '../parts/field.tsx'
import { Ask } from '../parts/modal.tsx'
import { changeFolder, readFolder } from '../store/folders.ts'
import { failed, toast } from '../store/messages.ts'
import { t } from '../strings.ts'

const presets = ['open', 'guarded', 'read-only', 'off'] as const
const offered: [string, string][] = [
  ['', t.folders.agentsDefault],
  ...presets.map((p): [string, string] => [p, t.policy.presets[p].name]),
]

async function save(name: string, form: FormData): Promise<boolean> {
  const text = (field: string) => typedText(form, field)
  const defaults = defaultsOf(text)
  if (!defaults) {
    toast(t.edit.proxyWrong, { bad: true })
    return false
  }
  const ok = await changeFolder(name, { color: text('color') as FolderInput['color'], defaults })
  if (ok) toast(t.folders.saved)
  return ok
}

type Props = { name: string; onClose: () => void }

// FolderSettings reads the folder first: what is saved replaces all of its defaults.
export function FolderSettings({ name, onClose }: Props) {
  const [folder, setFolder] = useState<Folder>()
  useEffect(() => {
    readFolder(name).then(
      read => {
        if (read) setFolder(read)
        else onClose()
      },
      (e: unknown) => {
        failed(e)
        onClose()
      },
    )
  }, [])
  return folder ? <Settings name={name} folder={folder} onClose={onClose} /> : null
}

function Settings({ name, folder, onClose }: Props & { folder: Folder }) {
  const d = folder.defaults ?? {}
  const input = (field: string, label: string, value: string | undefined, sample?: string) => (
    <Field label={label}>{a => <input {...a} name={field} defaultValue={value ?? ''} placeholder={sample} />}</Field>
  )
  return (
    <Ask title={t.folders.settingsTitle(name)} go={t.parts.save} onClose={onClose} onGo={form => save(name, form)}>
      <Field label={t.folders.color}>
        {a => (
          <select {...a} name="color" data-first>
            <Options of={t.folders.colors} now={folder.color ?? ''} />
          </select>
        )}
      </Field>
      <h3>{t.folders.defaults}</h3>
      <p class="hint">{t.folders.defaultsHint}</p>
      {input('tags', t.edit.tags, (d.tags ?? []).join(', '), t.samples.tags)}
      <Field label={t.edit.pages} hint={t.edit.pagesHint}>
        {a => <textarea {...a} name="pages" rows={2} defaultValue={(d.startPages ?? []).join('\n')} />}
      </Field>
      {input('proxy', t.edit.proxy, d.proxy && proxyAddress(d.proxy), t.samples.proxy)}
      <div class="pair">
        {input('login', t.edit.proxyLogin, d.proxy?.login)}
        <Field label={t.edit.proxyPassword}>
          {a => (
            <input
              {...a}
              name="password"
              type="password"
              autocomplete="new-password"
              defaultValue={d.proxy?.password ?? ''}
            />
          )}
        </Field>
      </div>
      <div class="pair">
        {input('locale', t.edit.locale, d.locale, t.samples.locale)}
        {input('timezone', t.edit.timezone, d.timezone, t.samples.timezone)}
      </div>
      <Field label={t.folders.agents}>
        {a => (
          <select {...a} name="agents">
            <Options of={offered} now={d.agents ?? ''} />
          </select>
        )}
      </Field>
    </Ask>
  )
}
