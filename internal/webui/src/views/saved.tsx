// Saved views: a name for the list as it is shown, another one, or none.
import { useState } from 'preact/hooks'
import { typedText } from '../lib/text.ts'
import { withApp } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import * as icons from '../parts/icons.tsx'
import { below, openMenu } from '../parts/menu.tsx'
import { Ask } from '../parts/modal.tsx'
import { show } from '../store/app.ts'
import { toast } from '../store/messages.ts'
import { dropView, renameView, restoreView, saveView, shownView } from '../store/views.ts'
import { t } from '../strings.ts'

type NameProps = { title: string; text?: string; name?: string; onName: (name: string) => unknown; onClose: () => void }

const Name = ({ title, text, name, onName, onClose }: NameProps) => (
  <Ask title={title} text={text} go={t.parts.save} onClose={onClose} onGo={f => onName(typedText(f, 'name').trim())}>
    <Field label={t.views.name}>
      {a => <input {...a} name="name" defaultValue={name} maxlength={200} required data-first />}
    </Field>
  </Ask>
)

// SaveView asks for the name of the list as it is shown.
export const SaveView = () => (
  <Name
    title={t.views.saveTitle}
    text={t.views.saveText}
    onName={saveView}
    onClose={() => {
      show(null)
    }}
  />
)

// ViewMenu is the menu of the view that is shown.
export function ViewMenu() {
  const [renaming, setRenaming] = useState(false)
  const view = shownView.value
  if (!view) return null
  const drop = async () => {
    if (!(await dropView(view.id))) return
    toast(t.views.deleted(view.name), { action: { name: t.many.undo, run: () => void restoreView(view) } })
  }
  const items = [
    {
      name: t.views.rename,
      run: () => {
        setRenaming(true)
      },
    },
    { name: t.views.delete, danger: true, run: drop },
  ]
  return (
    <>
      <button
        type="button"
        class="btn quiet"
        aria-haspopup="menu"
        aria-label={t.views.menu(view.name)}
        onClick={e => {
          openMenu(view.name, items, below(e.currentTarget))
        }}
        {...withApp({})}
      >
        {view.name} <icons.More />
      </button>
      {renaming && (
        <Name
          title={t.views.renameTitle(view.name)}
          name={view.name}
          onName={name => renameView(view.id, name)}
          onClose={() => {
            setRenaming(false)
          }}
        />
      )}
    </>
  )
}
