// How does a new or renamed file survive a power failure?

import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Flushes the names in a folder to disk. Flushing a file flushes its content only. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
