// The menu of a folder: another name, its colour and defaults, or none.
import { useState } from 'preact/hooks'
import { typedText } from '../lib/text.ts'
import { withApp } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import * as icons from '../parts/icons.tsx'
import { later } from '../parts/later.tsx'
import { Strip } from '../parts/layout.tsx'
import { below, openMenu } from '../parts/menu.tsx'
import { Ask } from '../parts/modal.tsx'
import { changeFolder, dropFolder } from '../store/folders.ts'
import { go } from '../store/route.ts'
import { t } from '../strings.ts'

const FolderSettings = later(async () => (await import('./foldersettings.tsx')).FolderSettings, Strip)

async function rename(from: string, form: FormData): Promise<boolean> {
  const name = typedText(form, 'name').trim()
  const ok = !!name && (await changeFolder(from, { name }))
  if (ok) go('folder', name)
  return ok
}

async function drop(name: string): Promise<boolean> {
  const ok = await dropFolder(name)
  if (ok) go('')
  return ok
}

type Question = 'rename' | 'settings' | 'delete'

export function FolderMenu({ name }: { name: string }) {
  const [asking, setAsking] = useState<Question | null>(null)
  const ask = (what: Question) => () => {
    setAsking(what)
  }
  const close = () => {
    setAsking(null)
  }
  const items = [
    { name: t.folders.rename, run: ask('rename') },
    { name: t.folders.settings, run: ask('settings') },
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
      {asking === 'settings' && <FolderSettings name={name} onClose={close} />}
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
