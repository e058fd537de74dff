// Where are the unencrypted files of a running backup or restore? In a folder for this user only, which disappears with the command.

import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'

/**
 * Runs `work` with an empty folder inside `parent`. A signal removes it too, and `unfinished`, a file; after a kill, the next command
 * does.
 */
export async function inWorkFolder<T>(
  parent: string,
  purpose: 'backup' | 'restore',
  work: (folder: string) => Promise<T>,
  unfinished?: string,
): Promise<T> {
  mkdirSync(parent, { recursive: true, mode: 0o700 })
  for (const name of leftOver(parent, purpose)) rmSync(join(parent, name), { recursive: true, force: true })
  const folder = mkdtempSync(join(parent, `${purpose}-${process.pid}-`))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const stop = (signal: NodeJS.Signals) => {
    remove()
    if (unfinished !== undefined) rmSync(unfinished, { force: true })
    process.exit(128 + constants.signals[signal])
  }
  for (const signal of signals) process.on(signal, stop)
  try {
    return await work(folder)
  } finally {
    for (const signal of signals) process.off(signal, stop)
    remove()
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Folders of commands that were killed. */
export function leftOver(parent: string, purpose: 'backup' | 'restore'): string[] {
  const name = new RegExp(`^${purpose}-(\\d+)-\\w{6}$`)
  return readdirSync(parent).filter((each) => {
    const pid = Number(name.exec(each)?.[1])
    return pid > 0 && (pid === process.pid || !isRunning(pid))
  })
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
