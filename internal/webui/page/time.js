// Words for moments, numbers and commands.
const minute = 60, hour = 60 * minute, day = 24 * hour, week = 7 * day

export function ago(when, now = Date.now()) {
  if (!when) return 'never'
  const s = Math.max(0, (now - new Date(when)) / 1000)
  if (s < minute) return 'now'
  if (s < hour) return `${Math.floor(s / minute)} min`
  if (s < day) return `${Math.floor(s / hour)} h`
  if (s < 2 * day) return 'yesterday'
  if (s < 2 * week) return `${Math.floor(s / day)} d`
  if (s < 60 * day) return `${Math.floor(s / week)} w`
  return new Date(when).toLocaleDateString(undefined, { year: 'numeric', month: 'short', day: 'numeric' })
}

export function since(when, now = Date.now()) {
  const s = Math.max(0, Math.round((now - new Date(when)) / 1000))
  return s < 2 ? 'now' : s < minute ? `${s} s` : ago(when, now)
}

export const full = when => when ? new Date(when).toLocaleString() : ''
export const count = (n, one, many = one + 's') => `${n.toLocaleString('en')} ${n === 1 ? one : many}`

// line is a command as people paste it into a shell.
const quote = a => /^[\w@%+=:,./~-]+$/.test(a) ? a : `'${a.replaceAll("'", `'\\''`)}'`
export const line = words => words.map(quote).join(' ')
