// The menu of a folder: another name, or none.
import { useState } from 'preact/hooks'
import * as calls from '../api/calls.ts'
import { typedText } from '../lib/text.ts'
import { withApp } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import * as icons from '../parts/icons.tsx'
import { below, openMenu } from '../parts/menu.tsx'
import { Ask } from '../parts/modal.tsx'
import { trying } from '../store/messages.ts'
import { loadProfiles } from '../store/profiles.ts'
import { go } from '../store/route.ts'
import { t } from '../strings.ts'

// withFolder does something with the stored folder of a name.
const withFolder = (name: string, work: (id: number) => Promise<unknown>) =>
  trying(async () => {
    const { data } = await calls.folders()
    const folder = data.find(f => f.name.toLowerCase() === name.toLowerCase())
    if (folder) await work(folder.id)
    await loadProfiles()
  })

async function rename(from: string, form: FormData): Promise<boolean> {
  const name = typedText(form, 'name').trim()
  const ok = !!name && (await withFolder(from, id => calls.renameFolder(id, name)))
  if (ok) go('folder', name)
  return ok
}

async function drop(name: string): Promise<boolean> {
  const ok = await withFolder(name, calls.removeFolder)
  if (ok) go('')
  return ok
}

export function FolderMenu({ name }: { name: string }) {
  const [asking, setAsking] = useState<'rename' | 'delete' | null>(null)
  const ask = (what: 'rename' | 'delete') => () => {
    setAsking(what)
  }
  const close = () => {
    setAsking(null)
  }
  const items = [
    { name: t.folders.rename, run: ask('rename') },
    { name: t.folders.delete, danger: true, run: ask('delete') },
  ]
  return (
    <>
      <button
        type="button"
        class="btn quiet square"
        aria-haspopup="menu"
        aria-label={t.profiles.folderMenu(name)}
        onClick={e => {
          openMenu(name, items, below(e.currentTarget))
        }}
        {...withApp({})}
      >
        <icons.More />
      </button>
      {asking === 'rename' && (
        <Ask title={t.folders.renameTitle(name)} go={t.folders.renameGo} onClose={close} onGo={f => rename(name, f)}>
          <Field label={t.folders.name}>
            {a => <input {...a} name="name" defaultValue={name} maxlength={200} required data-first />}
          </Field>
        </Ask>
      )}
      {asking === 'delete' && (
        <Ask
          title={t.folders.deleteTitle(name)}
          text={t.folders.deleteText}
          go={t.folders.deleteGo}
          danger
          onClose={close}
          onGo={() => drop(name)}
        />
      )}
    </>
  )
}
