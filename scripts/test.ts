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
import { pathToFileURL } from 'node:url'
import { startPostgres } from '../server/src/testing/postgres-server.ts'
import type { TestResult } from './test-events.ts'
import { testProgress } from './test-progress.ts'

/** They take a minute or more each. So each has a process, and they begin first: at the end nothing long is left for one core. */
const longest = [
  'proof/promises/promises.test.ts',
  'cli/src/backup/backup.test.ts',
  'cli/src/serve/serve.test.ts',
  'cli/src/backup/backup-postgres.test.ts',
]
/** Their tests start commands and servers. */
const commandFolders = ['cli', 'console', 'proof', 'browser', 'scripts']
/** The fewer, the more even is the end; but the files of a process share browsers, and the code of the service. */
const filesPerProcess = { browsers: 4, commands: 6, other: 20 }
/** Processes beyond one for each core; with two, tests met their limits on a busy machine. */
const waiting = 1
const mostTogether = 6
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
const [longestFiles, shorter] = parted(files, (file) => longest.includes(file))
const [inBrowsers, withoutBrowsers] = parted(shorter, isInBrowsers)
const [withCommands, others] = parted(withoutBrowsers, (file) =>
  commandFolders.some((folder) => file.startsWith(`${folder}/`)),
)
const browsers = groupsOf(inBrowsers, filesPerProcess.browsers)
const commands = [
  ...longestFiles.toSorted((one, two) => longest.indexOf(one) - longest.indexOf(two)).map((file) => [file]),
  ...groupsOf(withCommands, filesPerProcess.commands),
]
const other = groupsOf(others, filesPerProcess.other)
const count = browsers.length + commands.length + other.length
// The processes share one PostgreSQL and what Node has compiled; with one process, its tests start a PostgreSQL when they need it.
const environment: NodeJS.ProcessEnv = {
  ...process.env,
  NODE_COMPILE_CACHE: join(root, 'cli', 'dist', 'compile-cache'),
}
if (count > 1) environment.RINGFENCE_TEST_POSTGRES = (await startPostgres()).folder
await runGroups()
process.exitCode = progress.end() ? 0 : 1

/** The files that arguments name: `server/src/telecom`, `telecom` (any folder of that name) or a file. */
function filesOf(named: readonly string[]): string[] {
  if (named.length === 0) return all
  const isNamed = (file: string) => named.some((name) => `/${file}/`.includes(`/${name.replace(/^\.?\/|\/$/g, '')}/`))
  return all.filter(isNamed)
}

/** Whether it starts Chromium and Firefox. */
function isInBrowsers(file: string): boolean {
  return file.endsWith('.browser.test.ts') || file.startsWith('browser/')
}

function parted(all: readonly string[], isFirst: (file: string) => boolean): [string[], string[]] {
  return [all.filter(isFirst), all.filter((file) => !isFirst(file))]
}

function groupsOf(sorted: readonly string[], atMost: number): string[][] {
  if (sorted.length === 0) return []
  const count = Math.ceil(sorted.length / atMost)
  const size = Math.ceil(sorted.length / count)
  return Array.from({ length: count }, (_, at) => sorted.slice(at * size, (at + 1) * size))
}

/** One process of three begins with browsers, which use several cores; only when nothing else is left, others join it. */
async function runGroups(): Promise<void> {
  const orders = [
    [browsers, commands, other],
    [commands, other, browsers],
    [other, commands, browsers],
  ]
  const worker = async (_: unknown, place: number): Promise<void> => {
    const order = orders[place % orders.length]!
    const next = (): string[] | undefined => order.find((groups) => groups.length > 0)?.shift()
    for (let group = next(); group; group = next()) await runGroup(group)
  }
  const together = Math.min(count, availableParallelism() + waiting, mostTogether)
  await Promise.all(Array.from({ length: together }, worker))
}

async function runGroup(group: string[]): Promise<void> {
  const reporter = [
    `--test-reporter=${join(import.meta.dirname, 'test-events.ts')}`,
    '--test-reporter-destination=stdout',
    '--disable-warning=ExperimentalWarning', // tags of tests
  ]
  const sameSeed = `--import=${pathToFileURL(join(import.meta.dirname, 'same-seed.ts'))}`
  const child = spawn(process.execPath, ['--test', '--test-isolation=none', sameSeed, ...reporter, ...group], {
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
