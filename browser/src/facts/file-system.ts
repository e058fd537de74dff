// Where is this origin's file system? In a private window it is in memory, or refused.

const calls = 8
const rounds = 4
const name = 'ringfence-probe'

interface SyncFile {
  getSize(): number
  close(): void
}

/**
 * The kernel answers calls on an open file at once. In a private window, Chromium sends each call
 * to another process, which takes a hundred times longer on any disk. Browsers allow synchronous
 * access in workers only.
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

/** The fastest round, because other load on the machine only makes calls slower. */
function callMicros(file: SyncFile): number {
  let quickest = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    for (let call = 0; call < calls; call++) file.getSize()
    quickest = Math.min(quickest, performance.now() - start)
  }
  return Math.round((quickest * 1000) / calls)
}
