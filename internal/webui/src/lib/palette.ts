// What the palette offers for what is typed.

// Entry is something that the palette offers.
export type Entry = { group: string; name: string; about?: string }

const most = 7 // of a group

// offered are the entries whose name has every word that is typed, those that begin with it first. With a > before it
// only the group of that name is searched.
export function offered<T extends Entry>(all: readonly T[], typed: string, commands: string): T[] {
  const only = typed.startsWith('>')
  const sought = typed.replace(/^>/, '').toLowerCase().split(/\s+/).filter(Boolean)
  const fit = all.filter(e => {
    const text = `${e.name} ${e.about ?? ''}`.toLowerCase()
    return (!only || e.group === commands) && sought.every(word => text.includes(word))
  })
  const first = sought[0] ?? ''
  const begins = (e: T) => Number(!e.name.toLowerCase().startsWith(first))
  const counts = new Map<string, number>()
  return fit
    .map((e, i) => ({ e, i }))
    .sort((a, b) => begins(a.e) - begins(b.e) || a.i - b.i)
    .map(({ e }) => e)
    .filter(e => {
      const n = (counts.get(e.group) ?? 0) + 1
      counts.set(e.group, n)
      return n <= most
    })
}

// grouped are entries by their group, groups in the order of the list.
export function grouped<T extends Entry>(entries: readonly T[], groups: readonly string[]): [string, T[]][] {
  return groups
    .map((group): [string, T[]] => [group, entries.filter(e => e.group === group)])
    .filter(([, all]) => all.length > 0)
}
