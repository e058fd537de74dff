// Where does an import put what does not fit in memory? In its own folder, which goes with it; the next import removes what a kill left.

import fs from 'node:fs'
import path from 'node:path'
import { lockFile } from '../../core/files/lock-file.ts'

const prefix = 'customers-import-'
const lockName = 'lock'

export async function withScratchFolder<T>(dataFolder: string, work: (folder: string) => Promise<T>): Promise<T> {
  fs.mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
  removeLeft(dataFolder)
  const folder = fs.mkdtempSync(path.join(dataFolder, prefix))
  const unlock = lockFile(path.join(folder, lockName))
  try {
    return await work(folder)
  } finally {
    unlock?.()
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** The lock of a process ends with it. */
function removeLeft(dataFolder: string): void {
  for (const name of fs.readdirSync(dataFolder)) {
    if (!name.startsWith(prefix)) continue
    const folder = path.join(dataFolder, name)
    if (!fs.existsSync(path.join(folder, lockName))) continue
    const unlock = lockFile(path.join(folder, lockName))
    if (!unlock) continue
    unlock()
    fs.rmSync(folder, { recursive: true, force: true })
  }
}
