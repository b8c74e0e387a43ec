// What a check of a proxy has found.
import type { ProxyCheck } from '../api/types.ts'
import { t } from '../strings.ts'

const works = (c: ProxyCheck) => [`${c.latency} ms`, c.ip, c.country, c.city].filter(Boolean).join(', ')

export function Checked({ c }: { c: ProxyCheck | null }) {
  if (!c) return <span class="dim">{t.proxies.notChecked}</span>
  if (!c.success) return <span class="bad">{c.error}</span>
  return (
    <>
      {t.proxies.tested(c.tested)}: {works(c)}
    </>
  )
}
