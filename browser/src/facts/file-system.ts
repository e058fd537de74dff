// Where does the file system that belongs to this origin live? Browsers keep that of a private window in memory, or refuse it.

const calls = 8
const rounds = 4
const name = 'ringfence-probe'

interface SyncFile {
  getSize(): number
  close(): void
}

/**
 * An open file answers at once, from the kernel. Of a private window Chromium asks another process for every answer, which takes
 * a hundred times longer, on whatever disk the profile lies. Only a worker may open files so.
 */
export async function fileSystem(): Promise<{ error?: string; callMicros?: number } | undefined> {
  if (typeof document !== 'undefined' || !navigator.storage?.getDirectory) return undefined
  try {
    const folder = await navigator.storage.getDirectory()
    const handle = await folder.getFileHandle(name, { create: true })
    const file = await (handle as unknown as { createSyncAccessHandle(): Promise<SyncFile> }).createSyncAccessHandle()
    try {
      return { callMicros: callMicros(file) }
    } finally {
      file.close()
      await folder.removeEntry(name)
    }
  } catch (error) {
    return { error: (error as Error).name }
  }
}

/** The quickest of the rounds: whatever else the machine does makes a call longer, never shorter. */
function callMicros(file: SyncFile): number {
  let quickest = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    for (let call = 0; call < calls; call++) file.getSize()
    quickest = Math.min(quickest, performance.now() - start)
  }
  return Math.round((quickest * 1000) / calls)
}
