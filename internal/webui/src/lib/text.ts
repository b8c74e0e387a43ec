// Lists that people type, and texts that they read or paste.

// words reads a list that is typed with commas, each word once.
export const words = (text: string | null | undefined): string[] => [
  ...new Set(
    (text ?? '')
      .split(',')
      .map(w => w.trim())
      .filter(Boolean),
  ),
]

// lines reads a list that is typed with a line for each.
export const lines = (text: string): string[] =>
  text
    .split('\n')
    .map(l => l.trim())
    .filter(Boolean)

// terms are the words that a search looks for.
export const terms = (search: string): string[] => search.toLowerCase().split(/\s+/).filter(Boolean)

const quote = (word: string) => (/^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

// commandLine is a command as people paste it into a shell.
export const commandLine = (all: string[]): string => all.map(quote).join(' ')

// upperFirst begins a sentence.
export const upperFirst = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

// apart is what an agent wants to do, without the address of the page: that stands below.
export const apart = (what: string, page: string | undefined): string => what.replace(` on ${page}`, '')

// typedText is what a field of a form holds.
export function typedText(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}
