// `npm test`: builds what tests need, then runs every test; `npm test telecom` runs those of a folder, `npm test FILE…` some files.
//
// A process for each file would start PostgreSQL and load the phone metadata 400 times; one process for all keeps what each test
// leaves in memory until it has none. So each process runs some neighbouring files, and there are as many processes at once as cores.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { TestResult } from './test-events.ts'
import { testProgress } from './test-progress.ts'

const filesPerProcess = 30
const root = join(import.meta.dirname, '..')
const all = globSync('**/*.test.ts', { cwd: root, exclude: ['**/node_modules', '**/dist'] })
const files = filesOf(process.argv.slice(2)).toSorted()
if (files.length === 0) {
  console.error('No test file has that name or lies in a folder of that name.')
  process.exit(1)
}

await import('./prepare.ts')
const running = new Set<ChildProcess>()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    for (const child of running) child.kill(signal)
    process.exit(1)
  })
}
const progress = testProgress(files.length)
await runGroups(groupsOf(files))
process.exitCode = progress.end() ? 0 : 1

/** The files that arguments name: `server/src/telecom`, `telecom` (any folder of that name) or a file. */
function filesOf(named: readonly string[]): string[] {
  if (named.length === 0) return all
  const isNamed = (file: string) => named.some((name) => `/${file}/`.includes(`/${name.replace(/^\.?\/|\/$/g, '')}/`))
  return all.filter(isNamed)
}

function groupsOf(sorted: string[]): string[][] {
  const count = Math.ceil(sorted.length / filesPerProcess)
  const size = Math.ceil(sorted.length / count)
  return Array.from({ length: count }, (_, at) => sorted.slice(at * size, (at + 1) * size))
}

async function runGroups(groups: string[][]): Promise<void> {
  const waiting = groups.values()
  const worker = async (): Promise<void> => {
    for (const group of waiting) await runGroup(group)
  }
  await Promise.all(Array.from({ length: Math.min(groups.length, availableParallelism(), 4) }, worker))
}

async function runGroup(group: string[]): Promise<void> {
  const reporter = [
    `--test-reporter=${join(import.meta.dirname, 'test-events.ts')}`,
    '--test-reporter-destination=stdout',
  ]
  const child = spawn(process.execPath, ['--test', '--test-isolation=none', ...reporter, ...group], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  })
  running.add(child)
  const follow = progress.process(group)
  const lines = createInterface({ input: child.stdio[3] as Readable })
  lines.on('line', (line) => follow.took(JSON.parse(line) as TestResult))
  const [[status, signal]] = await Promise.all([once(child, 'exit'), once(lines, 'close')])
  running.delete(child)
  follow.ended(signal ?? status)
}
