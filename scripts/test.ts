// `npm test`: builds what tests need, then runs every test; `npm test telecom` runs those of a folder, `npm test FILE…` some files.
//
// A process for each file would load the service 400 times; one process for all keeps what each test leaves in memory until it has
// none. So each process runs some neighbouring files. One process more than there are cores runs at once, since tests also wait.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { startPostgres } from '../server/src/testing/postgres-server.ts'
import type { TestResult } from './test-events.ts'
import { testProgress } from './test-progress.ts'

/** Their tests start browsers, commands and servers: they take longest, and so they begin at once and in small groups. */
const slowFolders = ['cli', 'console', 'proof', 'browser', 'scripts']
const filesPerProcess = { slow: 6, other: 20 }
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
const slow = groupsOf(files.filter(isSlow), filesPerProcess.slow)
const other = groupsOf(
  files.filter((file) => !isSlow(file)),
  filesPerProcess.other,
)
// The processes share one PostgreSQL and what Node has compiled; with one process, its tests start a PostgreSQL when they need it.
const environment: NodeJS.ProcessEnv = {
  ...process.env,
  NODE_COMPILE_CACHE: join(root, 'cli', 'dist', 'compile-cache'),
}
if (slow.length + other.length > 1) environment.RINGFENCE_TEST_POSTGRES = (await startPostgres()).folder
await runGroups()
process.exitCode = progress.end() ? 0 : 1

/** The files that arguments name: `server/src/telecom`, `telecom` (any folder of that name) or a file. */
function filesOf(named: readonly string[]): string[] {
  if (named.length === 0) return all
  const isNamed = (file: string) => named.some((name) => `/${file}/`.includes(`/${name.replace(/^\.?\/|\/$/g, '')}/`))
  return all.filter(isNamed)
}

function isSlow(file: string): boolean {
  return slowFolders.some((folder) => file.startsWith(`${folder}/`))
}

function groupsOf(sorted: readonly string[], atMost: number): string[][] {
  if (sorted.length === 0) return []
  const count = Math.ceil(sorted.length / atMost)
  const size = Math.ceil(sorted.length / count)
  return Array.from({ length: count }, (_, at) => sorted.slice(at * size, (at + 1) * size))
}

/** Every second process begins with the others, so that not all cores have a browser at the same time. */
async function runGroups(): Promise<void> {
  const worker = async (_: unknown, place: number): Promise<void> => {
    const [first, then] = place % 2 === 0 ? [slow, other] : [other, slow]
    for (let group = first.shift() ?? then.shift(); group; group = first.shift() ?? then.shift()) await runGroup(group)
  }
  const together = Math.min(slow.length + other.length, availableParallelism() + 1, 5)
  await Promise.all(Array.from({ length: together }, worker))
}

async function runGroup(group: string[]): Promise<void> {
  const reporter = [
    `--test-reporter=${join(import.meta.dirname, 'test-events.ts')}`,
    '--test-reporter-destination=stdout',
  ]
  const child = spawn(process.execPath, ['--test', '--test-isolation=none', ...reporter, ...group], {
    cwd: root,
    env: environment,
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
