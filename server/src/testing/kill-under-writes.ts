// What is left of acknowledged writes when the process that wrote them is killed at a random moment?

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Database } from '../storage/database.ts'
import { openDatabase } from '../storage/open-database.ts'
import { createKept } from './kill-under-writes-child.ts'

const writer = fileURLToPath(new URL('./kill-under-writes-child.ts', import.meta.url))
/** Every other round is killed so long after its first answer at the most; the others while starting, opening, migrating. */
const longestWritingMs = 100
const longestStartMs = 200

export interface KillReport {
  readonly rounds: number
  readonly acknowledged: number
  /** Acknowledged and not there any more. Must be empty. */
  readonly lost: string[]
  /** Transactions of which one row is there and the other is not. Must be empty. */
  readonly halves: string[]
  /** Why the database could not be opened after a kill. Must be empty. */
  readonly failedOpens: string[]
  readonly slowestOpenMs: number
}

/**
 * Kills a writing process by SIGKILL `rounds` times on one database, which grows with each, and looks after every kill.
 * @param place of a database that nobody else uses
 * @param onRound told after every round, for a progress bar
 */
export async function killUnderWrites(place: string, rounds: number, onRound?: () => void): Promise<KillReport> {
  const report = { rounds, acknowledged: 0, lost: [], halves: [], failedOpens: [], slowestOpenMs: 0 } as {
    -readonly [key in keyof KillReport]: KillReport[key]
  }
  for (let round = 0; round < rounds; round++) {
    const acknowledged = await acknowledgedUntilKilled(place, round)
    const began = performance.now()
    try {
      const database = await openDatabase(place)
      report.slowestOpenMs = Math.max(report.slowestOpenMs, performance.now() - began)
      const kept = await keptRows(database, round)
      await database.close()
      report.acknowledged += acknowledged.length
      report.lost.push(...acknowledged.filter((id) => !kept.has(id)))
      report.halves.push(...[...kept].filter((id) => !kept.has(otherHalf(id))))
    } catch (error) {
      report.failedOpens.push((error as Error).message)
    }
    onRound?.()
  }
  return report
}

/** The keys that the writer was told to be durable before it was killed. */
async function acknowledgedUntilKilled(place: string, round: number): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-kill-'))
  const list = join(folder, 'acknowledged')
  const child = spawn(process.execPath, [writer, place, String(round), list], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const isWriting = round % 2 === 0
  if (isWriting) await Promise.race([once(child.stdout, 'data'), ended])
  await Promise.race([after(Math.random() * (isWriting ? longestWritingMs : longestStartMs)), ended])
  child.kill('SIGKILL')
  const [exitCode] = await ended
  const lines = existsSync(list) ? await readFile(list, 'utf8') : ''
  await rm(folder, { recursive: true })
  if (exitCode !== null) throw new Error(`The writer ended by itself with ${exitCode}`)
  return lines.split('\n').slice(0, -1) // what follows the last line end was cut off
}

async function keptRows(database: Database, round: number): Promise<Set<string>> {
  await database.query(createKept)
  const rows = await database.query<{ id: string }>('select id from kept where round = $1', [round])
  return new Set(rows.map(({ id }) => id))
}

/** Rows of a transaction come in twos; a row that was written alone is its own other half. */
function otherHalf(id: string): string {
  return id.endsWith('/1') ? id.replace('/1', '/2') : id.replace('/2', '/1')
}
