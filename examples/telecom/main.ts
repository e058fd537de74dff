// Starts stand-ins for an operator and six other upstreams, nsd with an ENUM zone, and the service; prints what each answers, and why it
// was asked.

import { spawn, spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ringfence, type TelecomChecksResult } from '@ringfence/node'
import { startSandbox } from '@ringfence/sandbox'
import { systemClock } from '@ringfence/server/core/clock.ts'
import { configurationText } from './configuration.ts'
import { enumNumbers, importedNumber, portedFile, startZone } from './numbers.ts'
import { startVendors } from './vendors.ts'

const program = fileURLToPath(new URL('../../cli/bin/ringfence.js', import.meta.url))
/** One number for each upstream, and one of an imported file; the SIM of the first was swapped. */
const numbers = [
  '917020140110',
  '917020141726',
  '12025550160',
  '447400123456',
  '4915123456789',
  '33612345678',
  '5511961234567',
  importedNumber,
]
const checks = { portability: {}, simSwap: {}, callForwarding: {}, roaming: {} } as const

const folder = await mkdtemp(path.join(tmpdir(), 'ringfence-telecom-'))
const sandbox = await startSandbox({ clock: systemClock, clients: [{ clientId: 'example', clientSecret: 'example' }] })
const vendors = await startVendors()
const zone = await startZone()
if (zone) numbers.push(...enumNumbers)
else console.log('Without ENUM: nsd is not installed (apt-get install nsd).\n')
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const environment = {
  ...process.env,
  EXAMPLE_SECRET: 'example',
  EXAMPLE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  MASTER_KEY_FILE: path.join(folder, 'master.key'),
}
try {
  const upstreams = { operator: sandbox.url, urls: vendors.urls, nameServer: zone?.server }
  await writeFile(path.join(folder, 'ringfence.yaml'), configurationText(upstreams))
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
  await writeFile(path.join(folder, 'ported.csv'), portedFile)
  ringfence('numbers', 'import', 'ported.csv')
  const service = await serve()
  try {
    await show(new Ringfence({ clientId, clientSecret, baseUrl: service.url }))
    for (const number of [numbers[2]!, numbers.at(-1)!]) {
      console.log(`\n$ ringfence routes explain ${number}\n`)
      console.log(ringfence('routes', 'explain', number, '--server', service.url, '--key', 'analyst.json').trimEnd())
    }
  } finally {
    await service.stop()
  }
} finally {
  await Promise.all([sandbox.close(), vendors.close(), zone?.close()])
  await rm(folder, { recursive: true, force: true })
}

/** Asks each number twice: the second time, answers that may be reused have an age and no cost. */
async function show(client: Ringfence): Promise<void> {
  const rows: string[][] = []
  for (const phoneNumber of [...numbers, numbers[2]!]) {
    const { phoneDetail, checks: results } = await client.telecomChecks({ phoneNumber, checks })
    const { operator = 'not known', isPorted } = phoneDetail as { operator?: string; isPorted?: boolean }
    const { portability } = results
    const source = portability?.success ? portability.source : undefined
    const ported = isPorted === undefined ? 'not known' : isPorted ? 'yes' : 'no'
    for (const [index, [name, result]] of Object.entries(results).entries()) {
      rows.push([
        ...(index === 0 ? [phoneNumber, source ?? '', operator, ported] : ['', '', '', '']),
        name,
        ...cells(result),
      ])
    }
  }
  const head = ['NUMBER', 'SOURCE', 'OPERATOR', 'PORTED', 'CHECK', 'ANSWER', 'FROM', 'AGE', 'COST']
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
