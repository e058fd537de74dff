// How much do two processes on one data folder do together, compared with one alone?

import path from 'node:path'
import { askAll, busy, checksOf, startOperator, startRingfence } from './harness/checks.ts'
import { type Bench, inTurns, perCentOf, row, type Table } from './harness/harness.ts'
import { startProcess, withResources } from './harness/processes.ts'
import { measure, startLoad } from './harness/servers.ts'
import type { Writing, Written } from './storage-writer.ts'

const numbers = 30_000
const writing: Writing = { atOnce: 200, forMs: 1_000 }

export const twoProcesses: Bench = {
  name: 'two-processes',
  run: async () => [await reads(), await writes()],
}

function reads(): Promise<Table> {
  return withResources(async (keep, folder) => {
    const operator = keep(await startOperator())
    const settings = { dataFolder: path.join(folder, 'shared'), simSwapReuseSeconds: 86_400 }
    const start = async () => {
      const [server, load] = [keep(await startRingfence(operator, numbers, settings)), keep(await startLoad())]
      await askAll(load, server, numbers)
      return () => measure(load, server, { ...checksOf(server, numbers), ...busy })
    }
    const [first, second] = [await start(), await start()]
    const rates = await inTurns({
      one: first,
      two: async () => {
        const [a, b] = await Promise.all([first(), second()])
        return { perCpuSecond: (a.perCpuSecond + b.perCpuSecond) / 2 }
      },
    })
    return {
      title: 'Two processes on one embedded store: SIM swap check, answer reused',
      rows: [
        row('one process', 'requests per CPU-second', rates.one.perCpuSecond),
        row('each of two', 'requests per CPU-second', rates.two.perCpuSecond),
        row('each of two, of one alone', '%', perCentOf(rates.two.perCpuSecond, rates.one.perCpuSecond), {
          atLeast: 90,
        }),
      ],
    }
  })
}

function writes(): Promise<Table> {
  return withResources(async (keep, folder) => {
    const place = path.join(folder, 'shared')
    const start = async () => keep(await startProcess<Writing, Written>('storage-writer.ts', { place }))
    const writers = [await start(), await start()]
    const write = async (count: number) => {
      const written = await Promise.all(writers.slice(0, count).map((writer) => writer.ask(writing)))
      const sum = (figure: keyof Written) => written.reduce((total, one) => total + one[figure], 0)
      return {
        perSecond: (1000 * sum('writes')) / (sum('elapsedMs') / count),
        perCpuSecond: sum('writes') / sum('cpuSeconds'),
      }
    }
    const rates = await inTurns({ one: () => write(1), two: () => write(2) })
    return {
      title: 'Two processes on one embedded store: durable writes',
      rows: [
        row('one process', 'per second', rates.one.perSecond),
        row('both of two', 'per second', rates.two.perSecond),
        row('both of two, of one alone', '%', perCentOf(rates.two.perSecond, rates.one.perSecond), { atLeast: 75 }),
        row('one process', 'per CPU-second', rates.one.perCpuSecond),
        row('both of two', 'per CPU-second', rates.two.perCpuSecond),
      ],
      notes: [`${writing.atOnce} writes at once in each process; the disk confirms every commit.`],
    }
  })
}
