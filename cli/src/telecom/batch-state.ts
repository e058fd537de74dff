// Which batch belongs to a file of results that is not complete yet? A small file beside it says so, until the results are there.

import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { CommandFailed } from '../failure.ts'

/** What was sent. */
export interface SentFile {
  readonly url: string
  /** SHA-256 of the numbers. */
  readonly sha256: string
  readonly checks: string
  /** What the checks are for, as JSON. */
  readonly consent?: string
}

export interface BatchState extends SentFile {
  /** The Idempotency-Key: sent again with it, the batch is not made twice. */
  readonly key: string
  readonly batchId?: string
}

export const stateFileOf = (out: string) => `${out}.batch.json`

/** What an earlier run of this command began. @throws CommandFailed when it began something else */
export function readState(out: string, sent: SentFile): BatchState | undefined {
  const file = stateFileOf(out)
  const state = parsed(file)
  if (!state) return undefined
  const changed = (['url', 'sha256', 'checks', 'consent'] as const).filter((name) => state[name] !== sent[name])
  if (changed.length === 0) return state
  const words = {
    url: 'another service',
    sha256: 'another file of numbers',
    checks: 'other checks',
    consent: 'another purpose, legal basis or reference',
  }
  throw new CommandFailed(
    `${file} is of ${changed.map((name) => words[name]).join(' and ')}: choose another --out, or delete it to forget that batch`,
  )
}

/** Written before the batch is sent, so that nothing can be lost in between. */
export function beginState(out: string, sent: SentFile): BatchState {
  const state = { ...sent, key: `check-file-${randomUUID()}` }
  writeState(out, state)
  return state
}

export function writeState(out: string, state: BatchState): void {
  writeFileSync(stateFileOf(out), `${JSON.stringify(state)}\n`, { mode: 0o600 })
}

export const removeState = (out: string): void => rmSync(stateFileOf(out), { force: true })

function parsed(file: string): BatchState | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const state = JSON.parse(text) as BatchState
    if (typeof state.key === 'string') return state
  } catch {
    // as below
  }
  throw new CommandFailed(`${file} cannot be read: delete it to begin again`)
}
