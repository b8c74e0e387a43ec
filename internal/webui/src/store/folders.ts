// Folders: their colours, and what their new profiles get.
import * as calls from '../api/calls.ts'
import { Failure } from '../api/client.ts'
import type { Folder, FolderInput } from '../api/types.ts'
import { trying } from './messages.ts'
import { loadProfiles } from './profiles.ts'
import { t } from '../strings.ts'
import * as state from './state.ts'

const named = (all: readonly Folder[], name: string | undefined) =>
  all.find(f => f.name.toLowerCase() === name?.trim().toLowerCase())

// folderNamed is the folder of a name.
export const folderNamed = (name: string | undefined): Folder | undefined => named(state.folders.value, name)

// loadFolders reads the folders. Those that were read before stay when it fails.
export async function loadFolders(): Promise<void> {
  try {
    state.folders.value = (await calls.folders()).data
  } catch {
    // shown as before
  }
}

// readFolder reads the folder of a name as the app has it now.
export async function readFolder(name: string): Promise<Folder | undefined> {
  const { data } = await calls.folders()
  state.folders.value = data
  return named(data, name)
}

// withFolder does something with the stored folder of a name, and shows what became of it.
const withFolder = (name: string, work: (folder?: Folder) => Promise<unknown>) =>
  trying(async () => {
    await work(await readFolder(name))
    await Promise.all([loadProfiles(), loadFolders()])
  })

export const changeFolder = (name: string, change: FolderInput): Promise<boolean> =>
  withFolder(name, async folder => {
    if (!folder) throw new Failure(404, { code: 'E_NOT_FOUND', text: t.folders.gone(name), hint: t.folders.goneHint })
    await calls.changeFolder(folder.id, change)
  })
export const dropFolder = (name: string): Promise<boolean> =>
  withFolder(name, async folder => {
    if (folder) await calls.removeFolder(folder.id)
  })
