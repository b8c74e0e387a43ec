// The walker, which is installed in the same world before.
import type { Cove } from '../walker/version.ts'

export const cove = (globalThis as unknown as { cove: Cove }).cove
