// Profiles from a table with commas, semicolons or tabs between its cells, as spreadsheets write it.
import type { ImportProfile } from '../api/types.ts'
import { readProxy } from './proxy.ts'
import { words } from './text.ts'

// cells reads a table. Quotes hold separators and lines; two of them are one.
export function cells(text: string): string[][] {
  const head = text.split('\n', 1)[0] ?? ''
  const separator = [',', ';', '\t'].reduce((a, b) => (head.split(b).length > head.split(a).length ? b : a))
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let quoted = false
  const end = () => {
    row.push(cell)
    cell = ''
  }
  const endRow = () => {
    end()
    if (row.some(c => c.trim())) rows.push(row)
    row = []
  }
  for (let i = 0; i < text.length; i++) {
    const c = text.charAt(i)
    if (quoted) {
      if (c !== '"') cell += c
      else if (text.charAt(i + 1) === '"') cell += text.charAt(++i)
      else quoted = false
    } else if (c === '"' && !cell) quoted = true
    else if (c === separator) end()
    else if (c === '\n') endRow()
    else if (c !== '\r') cell += c
  }
  endRow()
  return rows
}

// WrongRow is a row that cannot be imported, by its number in the table.
export type WrongRow = { row: number; why: 'name' | 'proxy' }

const names: Record<string, keyof ImportProfile> = {
  name: 'name',
  tags: 'tags',
  notes: 'notes',
  folder: 'folder',
  status: 'status',
  proxy: 'proxy',
  pages: 'startPages',
  'start pages': 'startPages',
  startpages: 'startPages',
  language: 'locale',
  locale: 'locale',
  timezone: 'timezone',
  'time zone': 'timezone',
}

// readProfiles reads the profiles of a table whose first row names its columns. It names the columns that it does not
// know.
export function readProfiles(text: string): { profiles: ImportProfile[]; wrong: WrongRow[]; unknown: string[] } {
  const [head = [], ...rows] = cells(text.replace(/^\uFEFF/, ''))
  const keys = head.map(name => names[name.trim().toLowerCase()])
  const profiles: ImportProfile[] = []
  const wrong: WrongRow[] = []
  rows.forEach((row, i) => {
    const p: ImportProfile = { name: '' }
    let bad: WrongRow['why'] | undefined
    keys.forEach((key, at) => {
      const value = (row[at] ?? '').trim()
      if (!key || !value) return
      if (key === 'tags') p.tags = words(value.replaceAll(';', ','))
      else if (key === 'startPages') p.startPages = value.split(/[\s,]+/).filter(Boolean)
      else if (key === 'status') p.status = { name: value }
      else if (key === 'proxy') {
        const proxy = readProxy(value)
        if (proxy) p.proxy = proxy
        else bad = 'proxy'
      } else if (key !== 'args') p[key] = value
    })
    if (!p.name) bad = 'name'
    if (bad) wrong.push({ row: i + 2, why: bad })
    else profiles.push(p)
  })
  return { profiles, wrong, unknown: head.filter((name, i) => !keys[i] && name.trim()).map(name => name.trim()) }
}
