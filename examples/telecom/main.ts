// Starts stand-ins for an operator and six other upstreams, and the service; prints what each answers about a number, and why it was asked.

import { spawn, spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ringfence, type TelecomChecksResult } from '@ringfence/node'
import { startSandbox } from '@ringfence/sandbox'
import { systemClock } from '@ringfence/server/clock.ts'
import { configurationText } from './configuration.ts'
import { startVendors } from './vendors.ts'

const program = fileURLToPath(new URL('../../cli/bin/ringfence.js', import.meta.url))
/** One number for each upstream; the SIM of the first was swapped. */
const numbers = [
  '917020140110',
  '917020141726',
  '12025550160',
  '447400123456',
  '4915123456789',
  '33612345678',
  '5511961234567',
]
const checks = { portability: {}, simSwap: {}, callForwarding: {}, roaming: {} } as const

const folder = await mkdtemp(path.join(tmpdir(), 'ringfence-telecom-'))
const sandbox = await startSandbox({ clock: systemClock, clients: [{ clientId: 'example', clientSecret: 'example' }] })
const vendors = await startVendors()
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const environment = {
  ...process.env,
  EXAMPLE_SECRET: 'example',
  EXAMPLE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  MASTER_KEY_FILE: path.join(folder, 'master.key'),
}
try {
  await writeFile(path.join(folder, 'ringfence.yaml'), configurationText({ operator: sandbox.url, urls: vendors.urls }))
  const { clientId, clientSecret } = JSON.parse(ringfence('init', '--tenant', 'example', '--json'))
  const analyst = ringfence(
    'clients',
    'create',
    '--tenant',
    'example',
    '--name',
    'console',
    '--scope',
    'admin',
    '--role',
    'analyst',
    '--json',
  )
  await writeFile(path.join(folder, 'analyst.json'), analyst, { mode: 0o600 })
  const service = await serve()
  try {
    await show(new Ringfence({ clientId, clientSecret, baseUrl: service.url }))
    console.log(`\n$ ringfence routes explain ${numbers[2]}\n`)
    console.log(ringfence('routes', 'explain', numbers[2]!, '--server', service.url, '--key', 'analyst.json'))
  } finally {
    await service.stop()
  }
} finally {
  await Promise.all([sandbox.close(), vendors.close()])
  await rm(folder, { recursive: true, force: true })
}

/** Asks each number twice: the second time, answers that may be reused have an age and no cost. */
async function show(client: Ringfence): Promise<void> {
  const rows: string[][] = []
  for (const phoneNumber of [...numbers, numbers[2]!]) {
    const { phoneDetail, checks: results } = await client.telecomChecks({ phoneNumber, checks })
    const { operator = 'not known', isPorted } = phoneDetail as { operator?: string; isPorted?: boolean }
    const ported = isPorted === undefined ? 'not known' : isPorted ? 'yes' : 'no'
    for (const [index, [name, result]] of Object.entries(results).entries()) {
      rows.push([...(index === 0 ? [phoneNumber, operator, ported] : ['', '', '']), name, ...cells(result)])
    }
  }
  const head = ['NUMBER', 'OPERATOR', 'PORTED', 'CHECK', 'ANSWER', 'FROM', 'AGE', 'COST']
  const widths = head.map((title, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? title).length)))
  for (const row of [head, ...rows])
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
}

type Result = NonNullable<TelecomChecksResult['checks'][keyof TelecomChecksResult['checks']]>

function cells(result: Result): string[] {
  if (!result.success) return [result.error.message, '', '', '']
  const {
    success: _,
    ageSeconds,
    source = '',
    cost,
    ...answer
  } = result as Result & {
    success: true
    cost?: { micros: number; currency: string }
  }
  const [said] = Object.entries(answer).map(([field, value]) => `${field} ${value}`)
  return [said ?? '', source, `${ageSeconds} s`, cost ? `${cost.micros / 1_000_000} ${cost.currency}` : 'none']
}

function ringfence(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: folder,
    env: environment,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`ringfence ${args.join(' ')}: ${stderr}`)
  return stdout
}

async function serve() {
  const child = spawn(process.execPath, [program, 'serve', '--port', '0', '--log-format', 'json'], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  let written = ''
  const url = await new Promise<string>((resolve, reject) => {
    const read = (text: string) => {
      written += text
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(written) ?? []
      if (found) resolve(found)
    }
    child.stdout.setEncoding('utf8').on('data', read)
    child.stderr.setEncoding('utf8').on('data', read)
    child.on('exit', () => reject(new Error(`the service did not start:\n${written}`)))
  })
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
