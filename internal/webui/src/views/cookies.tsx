// The cookies of a profile, as files that go in and out.
import { useRef, useState } from 'preact/hooks'
import * as calls from '../api/calls.ts'
import type { CookieChanges } from '../api/types.ts'
import { summary } from '../lib/cookies.ts'
import { Btn } from '../parts/button.tsx'
import { Field, FileField, Options } from '../parts/field.tsx'
import { download, readFile } from '../parts/file.ts'
import { useWork } from '../parts/hooks.ts'
import { toast } from '../store/messages.ts'
import { t } from '../strings.ts'

const rows = 100
const mostMB = 16

// Found is a file that was read, with what it would change.
type Found = CookieChanges & { name: string; body: Blob }

const Changes = ({ found }: { found: Found }) => (
  <>
    {found.domains.length > 0 && (
      <table>
        <thead>
          <tr>
            <th scope="col">{t.data.domain}</th>
            <th scope="col">{t.data.new}</th>
            <th scope="col">{t.data.changed}</th>
            <th scope="col">{t.data.unchanged}</th>
          </tr>
        </thead>
        <tbody>
          {found.domains.slice(0, rows).map(d => (
            <tr key={d.domain}>
              <td class="path">{d.domain}</td>
              <td>{d.added}</td>
              <td>{d.replaced}</td>
              <td>{d.unchanged}</td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
    {found.domains.length > rows && <p class="hint">{t.data.moreDomains(found.domains.length - rows)}</p>}
  </>
)

export function Cookies({ id }: { id: number }) {
  const { doing, wrong, run } = useWork()
  const [found, setFound] = useState<Found | null>(null)
  const [format, setFormat] = useState('dolphin')
  const input = useRef<HTMLInputElement>(null)
  const clear = () => {
    setFound(null)
    if (!input.current) return
    input.current.value = ''
    input.current.focus()
  }
  const preview = (file: File) =>
    run(t.data.comparing, async () => {
      setFound(null)
      const body = await readFile(file, mostMB)
      setFound({ name: file.name, body, ...(await calls.previewCookies(id, body)) })
    })
  const bring = (from: Found) =>
    run(t.data.importing, async () => {
      const { imported } = await calls.importCookies(id, from.body)
      toast(t.data.imported(imported))
      clear()
    })
  const take = () =>
    run(t.data.exporting, async () => {
      const file = await calls.exportCookies(id, format)
      download(file, `cookies-${id}.${format === 'netscape' ? 'txt' : 'json'}`)
      toast(t.data.exported, { hint: t.data.exportedHint })
    })
  return (
    <section aria-label={t.data.cookies}>
      <h3>{t.data.cookies}</h3>
      <FileField
        label={t.data.importLabel}
        hint={t.data.importHint}
        wrong={wrong}
        input={input}
        accept=".json,.txt,.cookies"
        busy={!!doing}
        onFile={preview}
      />
      <p class="hint" role="status">
        {doing || (found && `${found.name}: ${summary(found)}`)}
      </p>
      {found && (
        <>
          <Changes found={found} />
          <div class="field line">
            <Btn
              acts
              kind="primary"
              aria-disabled={!!doing}
              disabled={!found.domains.length && !found.localStorage}
              onClick={() => bring(found)}
            >
              {t.data.import}
            </Btn>
            <Btn
              kind="quiet"
              aria-disabled={!!doing}
              onClick={() => {
                if (!doing) clear()
              }}
            >
              {t.parts.cancel}
            </Btn>
          </div>
        </>
      )}
      <Field label={t.data.exportAs}>
        {a => (
          <div class="line">
            <select
              {...a}
              value={format}
              onChange={e => {
                setFormat(e.currentTarget.value)
              }}
            >
              <Options of={t.data.formats} now={format} />
            </select>
            <Btn acts aria-disabled={!!doing} onClick={take}>
              {t.data.export}
            </Btn>
          </div>
        )}
      </Field>
    </section>
  )
}
