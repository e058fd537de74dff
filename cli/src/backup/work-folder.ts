// Where are the unencrypted files of a running backup or restore? In a folder for this user only, which disappears with the command.

import { mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync, statfsSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { CommandFailed } from '../failure.ts'

/**
 * Runs `work` with an empty folder inside `parent`, which is created, and removed again if it stays empty. A signal removes the folder
 * too, and `unfinished`, a file; after a kill, the next command does.
 */
export async function inWorkFolder<T>(
  parent: string,
  purpose: 'backup' | 'restore',
  work: (folder: string) => Promise<T>,
  unfinished?: string,
): Promise<T> {
  const made = mkdirSync(parent, { recursive: true, mode: 0o700 })
  for (const name of leftOver(parent, purpose)) rmSync(join(parent, name), { recursive: true, force: true })
  const folder = mkdtempSync(join(parent, `${purpose}-${process.pid}-`))
  const remove = () => {
    rmSync(folder, { recursive: true, force: true })
    if (made !== undefined) removeEmpty(parent, made)
  }
  const stop = async (signal: NodeJS.Signals) => {
    const ends = isStopping ? [] : [...unended] // a second signal waits for nothing
    isStopping = true
    await Promise.all(ends.map((end) => end()))
    remove()
    if (unfinished !== undefined) rmSync(unfinished, { force: true })
    process.exit(128 + constants.signals[signal])
  }
  for (const signal of signals) process.on(signal, stop)
  try {
    return await work(folder)
  } finally {
    if (isStopping) await new Promise(() => undefined) // `stop` ends the process
    for (const signal of signals) process.off(signal, stop)
    remove()
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** A signal ends the process. */
let isStopping = false
/** What it ends and waits for before. */
const unended = new Set<() => Promise<unknown>>()

/** Waits for `work`. A signal calls `end` and waits too, so that it never leaves a program, a scratch database or half a restore. */
export async function endedBySignal<T>(work: Promise<T>, end: () => void = () => undefined): Promise<T> {
  const ending = () => {
    end()
    return work.catch(() => undefined)
  }
  unended.add(ending)
  if (isStopping) end()
  try {
    return await work
  } finally {
    unended.delete(ending)
  }
}

/** Removes the folder and those above it up to `first`, as far as they are empty. */
function removeEmpty(folder: string, first: string): void {
  try {
    rmdirSync(folder)
    if (resolve(folder) !== resolve(first)) removeEmpty(dirname(resolve(folder)), first)
  } catch {
    // it has content
  }
}

/** @throws CommandFailed when `folder` has less room than `bytes` */
export function refuseLittleRoom(folder: string, bytes: number, todo: string): void {
  const { bavail, bsize } = statfsSync(folder)
  if (bytes <= bavail * bsize) return
  const [needed, free] = [bytes, bavail * bsize].map((each) => `${Math.ceil(each / 1e6).toLocaleString('en')} MB`)
  throw new CommandFailed(`the backup needs ${needed} in ${folder}, where ${free} are free: ${todo}`)
}

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
