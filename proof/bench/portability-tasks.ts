// Runs one task on imported numbers in a separate process, and reports what it cost.

import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { systemClock } from '../../server/src/core/clock.ts'
import type { PhoneNumber } from '../../server/src/phone/phone-number.ts'
import { openRowCursor } from '../../server/src/telecom/portability-sources/blocks/row-cursor.ts'
import { importNumbers } from '../../server/src/telecom/portability-sources/import-numbers.ts'
import { numbersFolder, readManifest } from '../../server/src/telecom/portability-sources/manifest.ts'
import { openNumberSources } from '../../server/src/telecom/portability-sources/number-sources.ts'
import { OperatorTable } from '../../server/src/telecom/portability-sources/operator-table.ts'
import { quantile } from '../quantiles.ts'
import { cpuSeconds, inTurns, rounds } from './harness/harness.ts'
import { answerParent, givenOptions, startProcess } from './harness/processes.ts'
import { firstNumber, operatorIds, spread, writeNumberFile } from './number-data.ts'

const lookUps = 200_000
const coldLookUps = 2_000
const incrementRows = 100_000

export interface Built {
  cpuSeconds: number
  bytes: number
  residentBytes: number
}

export interface Latencies {
  p50Micros: number
  p99Micros: number
}

export interface LookUps extends Latencies {
  perCpuSecond: number
}

type ByRound<Figures> = { [Figure in keyof Figures]: number[] }

export interface Tasks {
  build(): Promise<Built>
  buildSqlite(): Promise<Built>
  importIncrement(): Promise<null>
  memory(): Promise<{ residentBytes: number; idleBytes: number }>
  lookUps(): Promise<Record<'ringfence' | 'sqlite', ByRound<LookUps>>>
  cold(): Promise<Latencies>
  increments(): Promise<{ reloadMs: number[]; threadCpuMs: number[]; longestTurnMs: number[] }>
}

interface TaskOptions {
  folder: string
  rows: number
}

export async function runTask<Name extends keyof Tasks>(task: Name, options: TaskOptions) {
  const worker = await startProcess<Name, Awaited<ReturnType<Tasks[Name]>>>('portability-tasks.ts', options)
  try {
    return await worker.ask(task)
  } finally {
    await worker.stop()
  }
}

class NumberTasks implements Tasks {
  readonly #folder: string
  readonly #rows: number
  readonly #numberOf: (index: number) => number

  constructor({ folder, rows }: TaskOptions) {
    this.#folder = folder
    this.#rows = rows
    this.#numberOf = spread(rows)
  }

  async build(): Promise<Built> {
    const { bytes } = await importNumbers(this.#imported('full.csv'))
    return { cpuSeconds: cpuSeconds(), bytes, residentBytes: process.resourceUsage().maxRSS * 1024 }
  }

  /** Rows in ascending key order, the best case for SQLite: in file order it takes far longer. */
  async buildSqlite(): Promise<Built> {
    const database = new DatabaseSync(this.#sqliteFile)
    database.exec('pragma journal_mode=off; pragma synchronous=off')
    database.exec('create table ported (number integer primary key, operator integer, ported_on integer)')
    const insert = database.prepare('insert into ported values (?, ?, ?)')
    const cursor = await openRowCursor(this.#blockFile, new OperatorTable())
    database.exec('begin')
    while (cursor.next()) insert.run(cursor.number, cursor.operator, cursor.portedOn)
    database.exec('commit')
    database.close()
    await cursor.close()
    const residentBytes = process.resourceUsage().maxRSS * 1024
    return { cpuSeconds: cpuSeconds(), bytes: fs.statSync(this.#sqliteFile).size, residentBytes }
  }

  async importIncrement(): Promise<null> {
    await importNumbers(this.#imported('increment.csv'))
    return null
  }

  /** Look-ups in a process that does nothing else, to measure its memory. */
  async memory() {
    const idleBytes = process.memoryUsage.rss()
    const lookUp = await this.#lookUp()
    for (let i = 0; i < lookUps; i += 100) for (const number of this.#questions(100)) await lookUp(number)
    return { residentBytes: process.memoryUsage.rss(), idleBytes }
  }

  async lookUps() {
    const ringfence = await this.#lookUp()
    const database = new DatabaseSync(this.#sqliteFile, { readOnly: true })
    database.exec('pragma mmap_size=8000000000')
    const select = database.prepare('select operator, ported_on from ported where number = ?')
    const sqlite: LookUp = async (number) => select.get(Number(number.digits))
    // Warm: each block of ours and each page of SQLite was read once.
    for (let block = 0; block < 3 * Math.ceil(this.#rows / 510); block++) {
      const number = phoneNumber(firstNumber + block * 510)
      await ringfence(number)
      await sqlite(number)
    }
    const found = await ringfence(phoneNumber(this.#numberOf(7)))
    const absent = await ringfence(phoneNumber(this.#numberOf(this.#rows + 7)))
    if (found?.operator !== operatorIds[7] || absent?.ported !== false) throw new Error('wrong answers')
    return inTurns({
      ringfence: () => measureLookUps(this.#questions(lookUps), ringfence),
      sqlite: () => measureLookUps(this.#questions(lookUps), sqlite),
    })
  }

  /** After the file's pages were dropped from the cache with GNU dd. */
  async cold(): Promise<Latencies> {
    const lookUp = await this.#lookUp()
    // Otherwise the measurement would include writes left from building the SQLite file.
    execFileSync('sync')
    execFileSync('dd', [`if=${this.#blockFile}`, 'iflag=nocache', 'count=0', 'status=none'])
    return latencies(this.#questions(coldLookUps), lookUp)
  }

  /** Increments, each imported by another process: how long does the switch to the new data take? */
  async increments() {
    const [folder, rows, numberOf] = [this.#folder, this.#rows, this.#numberOf]
    // Two of the same: measuring turns keeps the event loop busy, and so must not be part of the other figures.
    const [sources, watched] = [await this.#open(), await this.#open()]
    const result = { reloadMs: [] as number[], threadCpuMs: [] as number[], longestTurnMs: [] as number[] }
    for (let round = 0; round < rounds; round++) {
      const from = rows + round * incrementRows
      const { asOf } = readManifest(folder).dataSets[0]!
      const head = [`# as-of: ${timeText(asOf + 1000)}`, '# contents: increment', `# follows: ${timeText(asOf)}`]
      writeNumberFile({ file: path.join(folder, 'increment.csv'), numberOf, from, rows: incrementRows, head })
      await runTask('importIncrement', { folder, rows })
      const [startedAt, cpuBefore] = [performance.now(), process.threadCpuUsage()]
      await sources.reload()
      result.reloadMs.push(performance.now() - startedAt)
      result.threadCpuMs.push(1000 * cpuSeconds(process.threadCpuUsage(cpuBefore)))
      const turns = watchTurns()
      await watched.reload()
      result.longestTurnMs.push(await turns.longestMs())
      const answer = await sources.current()[0]!.lookUp(phoneNumber(numberOf(from)), inquiry)
      if (answer?.operator !== operatorIds[0]) throw new Error('the increment was not taken up')
    }
    return result
  }

  get #sqliteFile(): string {
    return path.join(this.#folder, 'numbers.sqlite')
  }

  get #blockFile(): string {
    return path.join(numbersFolder(this.#folder), readManifest(this.#folder).dataSets[0]!.base.name)
  }

  #imported(file: string) {
    return { file: path.join(this.#folder, file), dataFolder: this.#folder, clock: systemClock }
  }

  #open() {
    return openNumberSources({
      dataFolder: this.#folder,
      clock: systemClock,
      onProblem(problem) {
        throw problem
      },
    })
  }

  async #lookUp() {
    const sources = await this.#open()
    return (number: PhoneNumber) => sources.current()[0]!.lookUp(number, inquiry)
  }

  /** Random numbers, half of them in the file. */
  #questions(count: number): PhoneNumber[] {
    const index = (i: number) => Math.floor(Math.random() * this.#rows) + (i % 2) * this.#rows
    return Array.from({ length: count }, (_, i) => phoneNumber(this.#numberOf(index(i))))
  }
}

type LookUp = (number: PhoneNumber) => Promise<unknown>

const inquiry = { signal: new AbortController().signal, correlator: 'bench' }

function phoneNumber(digits: number): PhoneNumber {
  return { digits: String(digits), callingCode: '31', country: 'NL', type: 'MOBILE' }
}

async function measureLookUps(numbers: PhoneNumber[], lookUp: LookUp): Promise<LookUps> {
  const before = cpuSeconds()
  for (const number of numbers) await lookUp(number)
  const perCpuSecond = numbers.length / (cpuSeconds() - before)
  return { perCpuSecond, ...(await latencies(numbers, lookUp)) }
}

async function latencies(numbers: PhoneNumber[], lookUp: LookUp): Promise<Latencies> {
  const micros = new Float64Array(numbers.length)
  for (const [i, number] of numbers.entries()) {
    const startedAt = performance.now()
    await lookUp(number)
    micros[i] = (performance.now() - startedAt) * 1000
  }
  return { p50Micros: quantile(micros, 0.5), p99Micros: quantile(micros, 0.99) }
}

/** Measures how long the event loop is blocked at a time. */
function watchTurns() {
  let longestMs = 0
  let isDone = false
  const watching = (async () => {
    for (let turnAt = performance.now(); !isDone; turnAt = performance.now()) {
      await nextTurn()
      longestMs = Math.max(longestMs, performance.now() - turnAt)
    }
  })()
  return {
    async longestMs() {
      isDone = true
      await watching
      return longestMs
    },
  }
}

function timeText(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z')
}

if (import.meta.main) {
  const tasks = new NumberTasks(givenOptions<TaskOptions>())
  answerParent<keyof Tasks>((task) => tasks[task]())
}
