// Which rows of a long table are drawn.

export const rowHeight = 44
export const headHeight = 35
const beyond = 6

// View is what is seen of a table: how far it is scrolled, and how high it is.
export type View = { top: number; height: number }

// drawn are the rows in sight, and a few beyond: from first up to, and without, last.
export const drawn = ({ top, height }: View, rows: number): { first: number; last: number } => ({
  first: Math.max(0, Math.floor(top / rowHeight) - beyond),
  last: Math.min(rows, Math.ceil((top + height) / rowHeight) + beyond),
})

// scrollFor is how far to scroll so that a row is seen; null if it is already.
export function scrollFor(row: number, { top, height }: View): number | null {
  const at = row * rowHeight
  if (at < top) return at
  if (at + rowHeight > top + height - headHeight) return at + rowHeight - height + headHeight
  return null
}

// pageRows are the rows that a page key moves by.
export const pageRows = (height: number): number => Math.max(1, Math.floor(height / rowHeight) - 2)
