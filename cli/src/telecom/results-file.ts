// May the results be written to this file? Never over the numbers, and over another file only when the user says so.

import { lstatSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { CommandFailed } from '../failure.ts'
import { stateFileOf } from './batch-state.ts'

/** The results grow here, and take the name of `out` once they are complete. */
export const partOf = (out: string) => `${out}.part`

/** @throws CommandFailed when a file on the way to `out` is the file of numbers, or `out` cannot be written */
export function assertWritable(out: string, numbers: string): void {
  const folder = statSync(dirname(out), { throwIfNoEntry: false })
  if (!folder?.isDirectory()) {
    throw new CommandFailed(`the folder of --out ${out} does not exist: create it, or choose another --out`)
  }
  if (statSync(out, { throwIfNoEntry: false })?.isDirectory()) {
    throw new CommandFailed(`${out} is a folder: add a file name to --out`)
  }
  const read = statSync(numbers)
  for (const written of [out, partOf(out), stateFileOf(out)]) {
    // By inode: a link is another name of the same file.
    const before = statSync(written, { throwIfNoEntry: false })
    if (before?.ino === read.ino && before.dev === read.dev) {
      throw new CommandFailed(`--out ${out} would overwrite ${numbers}, which has the numbers: choose another --out`)
    }
  }
}

/** @throws CommandFailed when `out` has something that this command did not begin */
export function assertNew(out: string): void {
  if (!lstatSync(out, { throwIfNoEntry: false })) return
  throw new CommandFailed(
    `${out} exists, perhaps with the results of another batch: choose another --out, or add --overwrite`,
  )
}
