// What is left of an import that is killed, or that finds the disk full? What was imported before, and a command that can be repeated.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { until } from '@ringfence/server/testing/until.ts'
import { whyNoTinyDisk } from '../../proof/promises/testbed/failing-disk-tools.ts'
import {
  assertFailed,
  type CommandLine,
  commandLine,
  portedNumbers,
  program,
  withModule,
  withMounts,
} from './testing.ts'

const noMounts = await whyNoTinyDisk()

const NUMBER = '31612345678'
const first = portedNumbers([`${NUMBER},204-04,2024-03-01,port`])
const mapping = `source: nl
callingCode: '31'
columns: { number: number, operator: operator, action: action }
actions: { port: [port], return: [return] }
`
const rows = Array.from({ length: 250_000 }, (_, i) => `${31_610_000_000 + 7 * i},204-08,2024-03-01,port`)
const manyRows = portedNumbers(rows)
const increment = (at: number, lines: string[]) =>
  portedNumbers(lines)
    .replace(/# as-of: .*\n/, `# as-of: ${time(at)}\n`)
    .replace('# contents: full\n', `# contents: increment\n# follows: ${time(at - 1)}\n`)
    .replace(/# complete: .*\n/, '')
/** The first file is of hour 0. */
const time = (hour: number) =>
  new Date(Date.parse('2024-03-02T00:00:00Z') + hour * 3_600_000).toISOString().replace('.000Z', 'Z')

/** Each way of importing many rows, by what is written meanwhile. */
const imports: Record<string, string[]> = {
  'in our format': ['import', 'many.csv'],
  'compressed with gzip': ['import', 'many.csv.gz'],
  'as an increment': ['increment', 'many-changes.csv'],
  'by a mapping': ['import', 'foreign.csv', '--mapping', 'nl.yaml', '--as-of', '2024-03-03'],
}

/** A data folder with one ported number, and the files to import. */
async function withOneNumber({ folder, run }: CommandLine): Promise<void> {
  const files = {
    'many.csv': manyRows,
    'many.csv.gz': gzipSync(manyRows, { level: 1 }),
    'first.csv': first,
    'many-changes.csv': increment(1, rows),
    'foreign.csv': `number,operator,action\n${rows.map((row) => row.replace(',2024-03-01', '')).join('\n')}\n`,
    'nl.yaml': mapping,
  }
  await Promise.all(Object.entries(files).map(([name, content]) => writeFile(join(folder, name), content)))
  await mkdir(join(folder, 'ringfence-data'))
  assert.equal((await run(['numbers', 'import', 'first.csv'])).code, 0)
}

const lookUp = async ({ run }: CommandLine, digits: string) =>
  JSON.parse((await run(['numbers', 'lookup', digits, '--json'])).stdout).sources[0]?.operator

/** Kills its own process when that has opened a file of this name to write it: from outside, a kill could come too late. */
const killedAt = (written: RegExp) => `
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'
const opened = (path, flags) => {
  if (/w/.test(flags) && ${written}.test(basename(String(path)))) process.kill(process.pid, 'SIGKILL')
}
const { openSync, promises } = fs
const { open } = promises
fs.openSync = (path, flags, ...more) => {
  const fd = openSync(path, flags, ...more)
  opened(path, flags)
  return fd
}
promises.open = async (path, flags, ...more) => {
  const handle = await open(path, flags, ...more)
  opened(path, flags)
  return handle
}
syncBuiltinESMExports()
`

for (const [how, args] of Object.entries(imports)) {
  test(`an import ${how} that is killed changes nothing, and runs again`, async (t) => {
    const command = await commandLine(t)
    await withOneNumber(command)
    const { folder, run } = command
    const manifest = () => readFile(join(folder, 'ringfence-data', 'numbers', 'manifest.json'), 'utf8')
    const before = await manifest()
    for (const written of [/^2\..*scratch$/, /^2\..*blocks$/]) {
      const killed = await run(['numbers', ...args], { env: withModule(killedAt(written)) })
      assert.equal(killed.code, null, 'it was still running')
      assert.equal(await manifest(), before)
    }
    assert.equal(await lookUp(command, NUMBER), '204-04')
    const again = await run(['numbers', ...args])
    assert.equal(again.code, 0, again.stderr)
    assert.match(again.stdout, /^Imported 250,000 rows of nl /)
    assert.equal(await lookUp(command, '31610000007'), '204-08')
    const left = (await readdir(join(folder, 'ringfence-data', 'numbers'))).filter((name) => /scratch|added/.test(name))
    assert.deepEqual(left, [])
  })
}

test('a series of increments that is killed goes on by the same command, and a running server sees each', async (t) => {
  const command = await commandLine(t)
  const { folder, run, serve } = command
  await writeFile(join(folder, 'first.csv'), first)
  const names = Array.from({ length: 6 }, (_, i) => `changes-${i + 1}.csv`)
  for (const [i, name] of names.entries()) {
    const operator = `204-1${i}`
    const lines = [`${NUMBER},${operator},,port`, `3161234568${i},${operator},,port`]
    await writeFile(join(folder, name), increment(i + 1, lines))
  }
  const { url } = await serve(['--sandbox'])
  await run(['numbers', 'import', 'first.csv'])
  const credentials = JSON.parse(await readFile(join(folder, 'ringfence-data', 'sandbox-credentials.json'), 'utf8'))
  const operatorOf = async (phoneNumber: string) => {
    const headers = { ...credentials, 'content-type': 'application/json' }
    const body = JSON.stringify({ phoneNumber })
    const response = await fetch(`${url}/v1/telecom/portability`, { method: 'POST', headers, body })
    return ((await response.json()) as { phoneDetail: { operator?: string } }).phoneDetail.operator
  }

  const env = { PATH: process.env.PATH, HOME: folder }
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const child = spawn(process.execPath, [program, 'numbers', 'increment', ...names], {
    cwd: folder,
    env,
    stdio: [...stdio],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
    if (said.split('Imported').length > 2) child.kill('SIGKILL')
  })
  await once(child, 'close')
  const done = said.split('Imported').length - 1
  assert.ok(done >= 2)
  // A kill may come after an import has taken effect and before it was reported.
  const again = await run(['numbers', 'increment', ...names])
  assert.equal(again.code, 0, again.stderr)
  const skipped = again.stdout.split('was imported before: skipped.').length - 1
  assert.ok(skipped === done || skipped === done + 1, again.stdout)
  assert.equal(again.stdout.split('Imported 2 rows of nl').length - 1, names.length - skipped)
  assert.equal(
    await until(
      () => operatorOf(NUMBER),
      (operator) => operator === '204_15',
    ),
    '204_15',
  )
  for (const i of names.keys()) assert.equal(await operatorOf(`3161234568${i}`), `204_1${i}`)

  const third = await run(['numbers', 'increment', ...names, '--json'])
  assert.deepEqual(
    third.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
    names.map((file) => ({ file, alreadyImported: true })),
  )
  await writeFile(join(folder, 'changes-6.csv'), increment(6, [`${NUMBER},204-19,,port`]))
  assertFailed(
    await run(['numbers', 'increment', ...names]).then((finished) => ({ ...finished, stdout: '' })),
    /changes-6\.csv, line 4, column 10: found "2024-03-02T06:00:00Z", expected as-of: a time after 2024-03-02T06:00:00Z, the as-of of/,
  )
})

test('an import on a full disk says so, leaves nothing, and continues when there is room', {
  skip: noMounts ?? false,
}, async (t) => {
  const command = await commandLine(t)
  await withOneNumber(command)
  const { folder } = command
  await mkdir(join(folder, 'small'))
  const printed = await withMounts(
    folder,
    `mount -t tmpfs -o size=3m small small
    ringfence numbers import first.csv --data small
    ${Object.values(imports)
      .map((args) => `ringfence numbers ${args.join(' ')} --data small; ls small/numbers | grep -cE "^2" || true`)
      .join('\n')}
    ringfence numbers lookup 31610000007 --data small
    mount -o remount,size=200m small
    ${Object.values(imports)
      .map((args) => `ringfence numbers ${args.join(' ')} --data small`)
      .join('\n')}`,
  )
  assert.equal(printed.shift(), 'code 0')
  for (const how of Object.keys(imports)) {
    const [refused, code, left] = printed.splice(0, 3)
    assert.match(refused!, /^ringfence: ENOSPC: .*; make room on that disk, and try again$/, how)
    assert.deepEqual([code, left], ['code 1', '0'], how)
  }
  assert.deepEqual(printed, Array(5).fill('code 0'))
})
