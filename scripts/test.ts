// `npm test`: builds what tests need, then runs every test; `npm test -- FILE…` runs some of them.
//
// A process for each file would start PostgreSQL and load the phone metadata 400 times; one process for all keeps what each test
// leaves in memory until it has none. So each process runs some neighbouring files, and there are as many processes at once as cores.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Outcome } from './test-outcome.ts'

const filesPerProcess = 30
const root = join(import.meta.dirname, '..')
const given = process.argv.slice(2)
const files =
  given.length > 0 ? given : globSync('**/*.test.ts', { cwd: root, exclude: ['**/node_modules', '**/dist'] })

await import('./prepare.ts')
const running = new Set<ChildProcess>()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    for (const child of running) child.kill(signal)
    process.exit(1)
  })
}
const scratch = await mkdtemp(join(tmpdir(), 'ringfence-tests-'))
try {
  report(await outcomes(groupsOf(files.toSorted())))
} finally {
  await rm(scratch, { recursive: true, force: true })
}

function groupsOf(sorted: string[]): string[][] {
  const count = Math.ceil(sorted.length / filesPerProcess)
  const size = Math.ceil(sorted.length / count)
  return Array.from({ length: count }, (_, at) => sorted.slice(at * size, (at + 1) * size))
}

async function outcomes(groups: string[][]): Promise<Outcome[]> {
  const waiting = groups.entries()
  const found: Outcome[] = []
  const worker = async (): Promise<void> => {
    for (const [at, group] of waiting) found.push(await outcomeOf(group, `${at + 1} of ${groups.length}`))
  }
  await Promise.all(Array.from({ length: Math.min(groups.length, availableParallelism(), 4) }, worker))
  return found
}

/** Prints what the tests of these files say, as a whole when they have ended: lines of two processes would mix. */
async function outcomeOf(group: string[], name: string): Promise<Outcome> {
  const written = join(scratch, `${name}.json`)
  const reporters = [
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${join(import.meta.dirname, 'test-outcome.ts')}`,
    `--test-reporter-destination=${written}`,
  ]
  const child = spawn(process.execPath, ['--test', '--test-isolation=none', ...reporters, ...group], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.add(child)
  const [said, [status, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  running.delete(child)
  process.stdout.write(`\nTests ${name}, ${group[0]} to ${group.at(-1)}:\n\n${said}`)
  const outcome: Outcome = JSON.parse(
    (await readFile(written, 'utf8').catch(() => '')) || '{"passed":0,"failed":[],"skipped":[]}',
  )
  if (status === 0 || outcome.failed.length > 0) return outcome
  return { ...outcome, failed: [`the process of ${group[0]} to ${group.at(-1)} ended with ${signal ?? status}`] }
}

/** Each test that failed or was skipped once more, since they are far apart in the output, and how many there were of each. */
function report(all: Outcome[]): void {
  const failed = all.flatMap((outcome) => outcome.failed)
  const skipped = all.flatMap((outcome) => outcome.skipped)
  const passed = all.reduce((sum, outcome) => sum + outcome.passed, 0)
  if (skipped.length > 0) console.log(`\nSkipped on this machine:\n  ${skipped.join('\n  ')}`)
  if (failed.length > 0) console.log(`\nFailed:\n  ${failed.join('\n  ')}`)
  console.log(`\n${passed} passed, ${failed.length} failed, ${skipped.length} skipped`)
  process.exitCode = failed.length > 0 || passed === 0 ? 1 : 0
}
