// Which of several processes may change some files now? The one that has their lock.

import fs from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

const SQLITE_BUSY = 5

/**
 * Returns a function that unlocks. Undefined when another process still has the lock after `waitMs`. The lock is one of the operating
 * system, taken through SQLite, and ends with the process, so that a crash leaves no lock. The file stays.
 */
export function lockFile(path: string, waitMs = 0): (() => void) | undefined {
  fs.closeSync(fs.openSync(path, 'a', 0o600))
  const lock = new DatabaseSync(path, { timeout: waitMs })
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error
    return undefined
  }
  return () => lock.close()
}
