// What the browser of an open profile uses, in words.
import type { Usage } from '../api/types.ts'
import { t } from '../strings.ts'

const megabyte = 1e6
const gigabyte = 1e9

// memoryText is a size as people read it.
export const memoryText = (bytes: number): string =>
  bytes < gigabyte ? `${Math.round(bytes / megabyte)} MB` : `${(bytes / gigabyte).toFixed(1)} GB`

// usageText is memory and share of a core.
export const usageText = ({ memory, cpu }: Pick<Usage, 'memory' | 'cpu'>): string =>
  t.usage.text(memoryText(memory), Math.round(cpu))
