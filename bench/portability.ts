// How fast, how small, how quickly renewed are imported ported numbers? `node bench/portability.ts [1m|10m|100m]`, beside SQLite.
//
// Each figure comes from a process of its own, started by this file with a task as its second argument. Look-ups are measured
// warm (pages in the cache of the operating system) in five rounds, turn by turn with SQLite; half of them find a row.
// 100m needs 8 GB in the temporary folder (TMPDIR) for a while, and about five minutes.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { systemClock } from '../server/src/clock.ts'
import type { PhoneNumber } from '../server/src/telecom/phone-number.ts'
import { importNumbers } from '../server/src/telecom/portability-sources/import-numbers.ts'
import { numbersFolder, readManifest } from '../server/src/telecom/portability-sources/manifest.ts'
import { openNumberSources } from '../server/src/telecom/portability-sources/number-sources.ts'
import { OperatorTable } from '../server/src/telecom/portability-sources/operator-table.ts'
import { openRowCursor } from '../server/src/telecom/portability-sources/row-cursor.ts'

const SIZES: Record<string, number> = { '1m': 1_000_000, '10m': 10_000_000, '100m': 100_000_000 }
const ROUNDS = 5
const LOOK_UPS = 200_000
const COLD_LOOK_UPS = 2_000
const INCREMENT_ROWS = 100_000
const DAY_MS = 86_400_000
const OPERATORS = Array.from({ length: 40 }, (_, i) => `204-${String(i + 10)}`)

/** A spread of numbers without repetition: the first `rows` are in the file, the next twice as many are not. */
function spread(rows: number): (i: number) => number {
  const step = 61_803_399
  let space = 3 * rows
  while (greatestCommonDivisor(space, step) !== 1) space++
  return (i) => 310_000_000_000 + ((i * step) % space)
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}

function writeNumberFile(
  file: string,
  metadata: string[],
  numberOf: (i: number) => number,
  from: number,
  rows: number,
) {
  const fd = fs.openSync(file, 'w')
  const lines = ['# ringfence: ported-numbers 1', '# source: bench', '# calling-code: 31', ...metadata]
  fs.writeSync(fd, `${lines.join('\n')}\nnumber,operator,ported-on,action\n`)
  const dates = Array.from({ length: 3000 }, (_, i) => new Date((17_000 + i) * DAY_MS).toISOString().slice(0, 10))
  for (let done = 0; done < rows; ) {
    let text = ''
    for (const end = Math.min(done + 20_000, rows); done < end; done++) {
      text += `${numberOf(from + done)},${OPERATORS[done % 40]},${dates[done % 3000]},port\n`
    }
    fs.writeSync(fd, text)
  }
  fs.writeSync(fd, `# rows: ${rows}\n`)
  fs.closeSync(fd)
}

function phoneNumber(digits: number): PhoneNumber {
  return { digits: String(digits), callingCode: '31', country: 'NL', type: 'MOBILE' }
}

/** Half of them in the file, half not, at random. */
function questions(rows: number, count: number): PhoneNumber[] {
  const numberOf = spread(rows)
  return Array.from({ length: count }, (_, i) => {
    return phoneNumber(numberOf(Math.floor(Math.random() * rows) + (i % 2) * rows))
  })
}

const inquiry = { signal: new AbortController().signal, correlator: 'bench' }
const problemIsFatal = (problem: unknown) => {
  throw problem
}
const open = (dataFolder: string) => openNumberSources({ dataFolder, clock: systemClock, onProblem: problemIsFatal })

type Switches = { reloadMs: number[]; longestTurnMs: number[] }

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

const tasks: Record<string, (folder: string, rows: number) => Promise<unknown>> = {
  async import(folder) {
    const summary = await importNumbers({ file: path.join(folder, 'full.csv'), dataFolder: folder, clock: systemClock })
    return { cpuSeconds: cpuSeconds(), bytes: summary.bytes, rssBytes: process.resourceUsage().maxRSS * 1024 }
  },

  /** Rows go in by ascending key, which is the best case for SQLite: in the order of the file it takes far longer. */
  async buildSqlite(folder) {
    const file = path.join(folder, 'numbers.sqlite')
    const database = new DatabaseSync(file)
    database.exec('pragma journal_mode=off; pragma synchronous=off')
    database.exec('create table ported (number integer primary key, operator integer, ported_on integer)')
    const insert = database.prepare('insert into ported values (?, ?, ?)')
    const block = readManifest(folder).dataSets[0]!.base.name
    const rows = await openRowCursor(path.join(numbersFolder(folder), block), new OperatorTable())
    database.exec('begin')
    while (rows.next()) insert.run(rows.number, rows.operator, rows.portedOn)
    database.exec('commit')
    database.close()
    await rows.close()
    return { cpuSeconds: cpuSeconds(), bytes: fs.statSync(file).size }
  },

  /** Look-ups in a process that does nothing else: what it takes of memory. */
  async memory(folder, rows) {
    const idleBytes = process.memoryUsage().rss
    const sources = await open(folder)
    for (let i = 0; i < LOOK_UPS; i += 100) {
      for (const number of questions(rows, 100)) await sources.current()[0]!.lookUp(number, inquiry)
    }
    return { rssBytes: process.memoryUsage().rss, idleBytes }
  },

  async lookUps(folder, rows) {
    const sources = await open(folder)
    const database = new DatabaseSync(path.join(folder, 'numbers.sqlite'), { readOnly: true })
    database.exec('pragma mmap_size=8000000000')
    const select = database.prepare('select operator, ported_on from ported where number = ?')
    const contestants = {
      ringfence: (number: PhoneNumber) => sources.current()[0]!.lookUp(number, inquiry),
      sqlite: async (number: PhoneNumber) => select.get(Number(number.digits)),
    }
    const blocks = Math.ceil(rows / 510)
    const numberOf = spread(rows)
    const inEachBlock = Array.from({ length: 3 * blocks }, (_, i) => phoneNumber(310_000_000_000 + i * 510))
    for (const number of inEachBlock) for (const lookUp of Object.values(contestants)) await lookUp(number)
    const found = await contestants.ringfence(phoneNumber(numberOf(7)))
    const absent = await contestants.ringfence(phoneNumber(numberOf(rows + 7)))
    if (found?.operator !== OPERATORS[7] || absent?.ported !== false) throw new Error('wrong answers')

    const empty = () => ({ perCpuSecond: [] as number[], p50: [] as number[], p99: [] as number[] })
    const results = { ringfence: empty(), sqlite: empty() }
    for (let round = 0; round < ROUNDS; round++) {
      const numbers = questions(rows, LOOK_UPS)
      for (const [name, lookUp] of Object.entries(contestants)) {
        const cpu = cpuSeconds()
        for (const number of numbers) await lookUp(number)
        const perCpuSecond = numbers.length / (cpuSeconds() - cpu)
        const { p50, p99 } = await latencies(numbers, lookUp)
        const result = results[name as keyof typeof results]
        result.perCpuSecond.push(perCpuSecond)
        result.p50.push(p50)
        result.p99.push(p99)
      }
    }
    return results
  },

  /** After the pages of the file have been dropped from the cache, which GNU dd can ask for. */
  async cold(folder, rows) {
    const block = readManifest(folder).dataSets[0]!.base.name
    const sources = await open(folder)
    // What SQLite's build left to be written would be measured too.
    execFileSync('sync')
    execFileSync('dd', [`if=${path.join(numbersFolder(folder), block)}`, 'iflag=nocache', 'count=0', 'status=none'])
    return latencies(questions(rows, COLD_LOOK_UPS), (number) => sources.current()[0]!.lookUp(number, inquiry))
  },

  /** Increments of 100,000 rows, each imported by another process; then: how long from the old data to the new? */
  async switch(folder, rows) {
    const sources = await open(folder)
    const result: Switches = { reloadMs: [], longestTurnMs: [] }
    for (let round = 0; round < ROUNDS; round++) {
      const firstAdded = rows + round * INCREMENT_ROWS
      const { asOf } = readManifest(folder).dataSets[0]!
      const metadata = [`# as-of: ${timeText(asOf + 1000)}`, '# contents: increment', `# follows: ${timeText(asOf)}`]
      writeNumberFile(path.join(folder, 'increment.csv'), metadata, spread(rows), firstAdded, INCREMENT_ROWS)
      await runTask('importIncrement', folder, rows)
      const turns = watchTurns()
      const startedAt = performance.now()
      await sources.reload()
      result.reloadMs.push(performance.now() - startedAt)
      result.longestTurnMs.push(await turns.longestMs())
      const answer = await sources.current()[0]!.lookUp(phoneNumber(spread(rows)(firstAdded)), inquiry)
      if (answer?.operator !== OPERATORS[0]) throw new Error('the increment was not taken up')
    }
    return result
  },

  async importIncrement(folder) {
    await importNumbers({ file: path.join(folder, 'increment.csv'), dataFolder: folder, clock: systemClock })
    return {}
  },
}

/** Watches how long the event loop is held at a time. */
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

/** Microseconds of wall time. */
async function latencies(numbers: PhoneNumber[], lookUp: (number: PhoneNumber) => Promise<unknown>) {
  const times = new Float64Array(numbers.length)
  for (const [i, number] of numbers.entries()) {
    const startedAt = performance.now()
    await lookUp(number)
    times[i] = (performance.now() - startedAt) * 1000
  }
  times.sort()
  return { p50: times[Math.floor(times.length * 0.5)]!, p99: times[Math.floor(times.length * 0.99)]! }
}

function timeText(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z')
}

async function runTask<Result>(task: string, folder: string, rows: number): Promise<Result> {
  const child = spawn(process.execPath, [import.meta.filename, '--task', task, folder, String(rows)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (data) => {
    output += data
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`the task ${task} failed`)
  return JSON.parse(output) as Result
}

async function bench(size: string, rows: number): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ringfence-bench-'))
  try {
    const metadata = ['# as-of: 2026-10-31T02:00:00Z', '# contents: full', '# complete: 31']
    writeNumberFile(path.join(folder, 'full.csv'), metadata, spread(rows), 0, rows)
    type Build = { cpuSeconds: number; bytes: number; rssBytes: number }
    type LookUps = Record<'ringfence' | 'sqlite', { perCpuSecond: number[]; p50: number[]; p99: number[] }>
    const built = await runTask<Build>('import', folder, rows)
    const sqliteBuilt = await runTask<Build>('buildSqlite', folder, rows)
    const memory = await runTask<{ rssBytes: number; idleBytes: number }>('memory', folder, rows)
    const { ringfence, sqlite } = await runTask<LookUps>('lookUps', folder, rows)
    const cold = await runTask<{ p50: number; p99: number }>('cold', folder, rows)
    const switched = await runTask<Switches>('switch', folder, rows)
    console.log(
      `\nPorted numbers: ${size} rows, imported from ${mb(fs.statSync(path.join(folder, 'full.csv')).size)} of CSV`,
    )
    console.table({
      'build, CPU-seconds': { ringfence: built.cpuSeconds.toFixed(1), sqlite: sqliteBuilt.cpuSeconds.toFixed(1) },
      'build, peak RSS': { ringfence: mb(built.rssBytes), sqlite: '' },
      'on disk': { ringfence: mb(built.bytes), sqlite: mb(sqliteBuilt.bytes) },
      'RSS looking up (of it: node and modules)': {
        ringfence: `${mb(memory.rssBytes)} (${mb(memory.idleBytes)})`,
        sqlite: '',
      },
      'look-ups per CPU-second': {
        ringfence: median(ringfence.perCpuSecond, 0),
        sqlite: median(sqlite.perCpuSecond, 0),
      },
      'p50 warm, µs': { ringfence: median(ringfence.p50, 1), sqlite: median(sqlite.p50, 1) },
      'p99 warm, µs': { ringfence: median(ringfence.p99, 1), sqlite: median(sqlite.p99, 1) },
      'p50 · p99 cold, µs': { ringfence: `${cold.p50.toFixed(0)} · ${cold.p99.toFixed(0)}`, sqlite: '' },
      'increment taken up, ms': { ringfence: median(switched.reloadMs, 1), sqlite: '' },
      'event loop held by that, ms': { ringfence: median(switched.longestTurnMs, 1), sqlite: '' },
    })
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}

function mb(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

/** The median, and the smallest and largest value. */
function median(values: number[], digits: number): string {
  const sorted = values.toSorted((a, b) => a - b)
  const [middle, min, max] = [sorted[Math.floor(sorted.length / 2)]!, sorted[0]!, sorted.at(-1)!].map((value) =>
    value.toFixed(digits),
  )
  return `${middle} (${min}…${max})`
}

const [first = '1m', task = '', folder = '', rows = ''] = process.argv.slice(2)
if (first === '--task') {
  console.log(JSON.stringify(await tasks[task]!(folder, Number(rows))))
  process.exit()
}
const size = SIZES[first]
if (size === undefined) {
  console.error('usage: node bench/portability.ts [1m|10m|100m]')
  process.exit(2)
}
await bench(first, size)
