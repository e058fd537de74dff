// How fast and how small are imported ported numbers, and how fast are they replaced? Compared with SQLite.
//
// Look-ups are measured warm, with the pages in the operating system's cache; half of them find a row. 100 million rows
// need 8 GB in the temporary folder (TMPDIR) for some minutes.

import fs from 'node:fs'
import path from 'node:path'
import { answer, type Bench, row, type Table } from './harness/harness.ts'
import { withResources } from './harness/processes.ts'
import { headOfFullFile, spread, writeNumberFile } from './number-data.ts'
import { runTask } from './portability-tasks.ts'

export const portability: Bench = {
  name: 'portability',
  run: () => ofRows(10_000_000),
}

export const portability100m: Bench = {
  name: 'portability-100m',
  onlyByName: true,
  run: () => ofRows(100_000_000),
}

/** Goals for the largest size. */
const goals = {
  build: { atMost: 60 },
  onDisk: { atMost: 850 },
  resident: { atMost: 90 },
  warm: { atMost: 5 },
  cold: { atMost: 500 },
  increment: { atMost: 5 },
  pause: { atMost: 2 },
}

function ofRows(rows: number): Promise<Table[]> {
  return withResources(async (_keep, folder) => {
    const file = path.join(folder, 'full.csv')
    writeNumberFile({ file, numberOf: spread(rows), from: 0, rows, head: headOfFullFile })
    const options = { folder, rows }
    const built = await runTask('build', options)
    const sqliteBuilt = await runTask('buildSqlite', options)
    fs.rmSync(file)
    const memory = await runTask('memory', options)
    const { ringfence, sqlite } = await runTask('lookUps', options)
    const cold = await runTask('cold', options)
    const increments = await runTask('increments', options)

    const megabytes = (bytes: number) => bytes / 1e6
    const lookUps: Table = {
      title: `Ported numbers: ${rows.toLocaleString('en')} rows`,
      rows: [
        row('build', 'CPU-seconds', [built.cpuSeconds], goals.build),
        row('build, SQLite by ascending number', 'CPU-seconds', [sqliteBuilt.cpuSeconds]),
        row('build, largest memory', 'MB', [megabytes(built.residentBytes)]),
        row('on disk', 'MB', [megabytes(built.bytes)], goals.onDisk),
        row('on disk, SQLite', 'MB', [megabytes(sqliteBuilt.bytes)]),
        row('resident while looking up', 'MB', [megabytes(memory.residentBytes)], goals.resident),
        row('… of that, node and modules', 'MB', [megabytes(memory.idleBytes)]),
        answer('look-ups', 'per CPU-second', ringfence.perCpuSecond),
        answer('look-ups, SQLite', 'per CPU-second', sqlite.perCpuSecond),
        row('look-up, p50', 'µs', ringfence.p50Micros),
        row('look-up, p99', 'µs', ringfence.p99Micros, goals.warm),
        row('look-up, p99, SQLite', 'µs', sqlite.p99Micros),
        row('look-up on a cold cache, p50', 'µs', [cold.p50Micros]),
        row('look-up on a cold cache, p99', 'µs', [cold.p99Micros], goals.cold),
        row('switch to an increment of 100,000 rows', 'ms', increments.reloadMs, goals.increment),
        row('… CPU of the event loop for that', 'ms', increments.threadCpuMs),
        row('event loop blocked at a time by the switch', 'ms', increments.longestTurnMs, goals.pause),
      ],
      ...(rows < 100_000_000 && { notes: ['The goals are those for 100,000,000 rows.'] }),
    }
    return [lookUps]
  })
}
