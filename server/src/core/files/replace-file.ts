// How does a data file get new content while others read it?

import { open, rename, rm, utimes } from 'node:fs/promises'

/** Writes the file completely or not at all, and flushes it to disk. `datedMs`: its date, in epoch milliseconds, if it is not now. */
export async function replaceFile(path: string, content: string | Uint8Array, datedMs?: number): Promise<void> {
  const draft = `${path}.${process.pid}`
  try {
    const file = await open(draft, 'w', 0o644)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    if (datedMs !== undefined) await utimes(draft, datedMs / 1000, datedMs / 1000)
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}
