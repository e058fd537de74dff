// Are acknowledged writes still there when the writing process is killed at a random moment?

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Database } from '../core/storage/database.ts'
import { openDatabase } from '../core/storage/open-database.ts'
import { createKept } from './kill-under-writes-child.ts'

const writer = fileURLToPath(new URL('./kill-under-writes-child.ts', import.meta.url))
/** Every other round is killed within this time after its first answer; the others during start, opening and migration. */
const longestWritingMs = 100
const longestStartMs = 200

export interface KillReport {
  readonly rounds: number
  readonly acknowledged: number
  /** Acknowledged keys that are missing. Must be empty. */
  readonly lost: string[]
  /** Transactions with only one of their two rows. Must be empty. */
  readonly halves: string[]
  /** Why the database could not be opened after a kill. Must be empty. */
  readonly failedOpens: string[]
  readonly slowestOpenMs: number
}

/**
 * Kills a writing process with SIGKILL `rounds` times, on one database that grows, and checks the rows after each kill.
 * @param place of a database that nothing else uses
 * @param onRound called after each round, for a progress bar
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

/** The keys that were acknowledged before the kill. */
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
  if (exitCode !== null) throw new Error(`The writer ended before it was killed, with ${exitCode}`)
  return lines.split('\n').slice(0, -1) // the last line may be cut off
}

async function keptRows(database: Database, round: number): Promise<Set<string>> {
  await database.query(createKept)
  const rows = await database.query<{ id: string }>('select id from kept where round = $1', [round])
  return new Set(rows.map(({ id }) => id))
}

/** A transaction writes two rows, each with the key of the other; a single row has its own key. */
function otherHalf(id: string): string {
  return id.endsWith('/1') ? id.replace('/1', '/2') : id.replace('/2', '/1')
}
