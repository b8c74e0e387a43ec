// Files that the person chooses, and files for them.
import { Failure } from '../api/client.ts'
import { t } from '../strings.ts'

const MB = 1 << 20

// readFile reads a file once: what was previewed is what is sent, whatever becomes of the file.
export async function readFile(file: File, mostMB: number): Promise<Blob> {
  if (file.size > mostMB * MB)
    throw new Failure(413, { code: 'E_TOO_LARGE', text: t.file.tooLarge(mostMB), hint: t.file.smaller })
  try {
    return new Blob([await file.arrayBuffer()])
  } catch {
    throw new Failure(0, { code: 'E_NO_FILE', text: t.file.unreadable, hint: t.file.again })
  }
}

// download hands a file to the person.
export function download(file: Blob, name: string): void {
  const a = document.createElement('a')
  a.href = URL.createObjectURL(file)
  a.download = name
  a.click()
  setTimeout(() => {
    URL.revokeObjectURL(a.href)
  }, 60000)
}
