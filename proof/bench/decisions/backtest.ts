// How long does a backtest of a million stored decisions take, with lists and velocities, and how much memory? The command itself.

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Decision, readSamples } from '@ringfence/contract'
import { systemClock } from '../../../server/src/core/clock.ts'
import { readConfig } from '../../../server/src/core/config/config.ts'
import { openKeyring } from '../../../server/src/core/crypto/open-keyring.ts'
import { tenantKeyring } from '../../../server/src/core/crypto/tenant-keyring.ts'
import { JsonText } from '../../../server/src/core/json/json-text.ts'
import { openDatabase } from '../../../server/src/core/storage/open-database.ts'
import { newUuidAt } from '../../../server/src/core/storage/uuid.ts'
import { sealDecision } from '../../../server/src/decisions/record/record.ts'
import { decisionInsert } from '../../../server/src/decisions/store/decisions.ts'
import { openCompression } from '../../../server/src/device/store/compression/compression.ts'
import { inputOf } from '../../../server/src/rules/cases.ts'
import type { RuleInput } from '../../../server/src/rules/language/vocabulary.ts'
import { Lists } from '../../../server/src/rules/lists/lists.ts'
import { type Bench, row, type Table } from '../harness/harness.ts'
import { type Keep, withResources } from '../harness/processes.ts'
import { eventsOf } from '../token-data.ts'

const decisions = Number(process.env.DECISIONS ?? 1_000_000)
const users = decisions / 5
const cards = 20_000
const days = 30
const dayMs = 86_400_000

/** DECISIONS=100000 is quick. */
export const backtestBench: Bench = { name: 'backtest', onlyByName: true, run: () => withResources(measured) }

const rules = `velocity:
  cards: { distinct: params.card, per: device, within: 24h }
  spent: { sum: params.amount, per: user, within: 7d }
  attempts: { count: decisions, per: ip, within: 5m }
  network: { count: decisions, per: ipPrefix, within: 1h, when: 'action == "PAYMENT"' }
  devices: { distinct: deviceId, per: user, within: 30d }
rules:
  - { id: stolen, name: Stolen card, when: 'inList("stolen-cards", params.card)', action: BLOCK, score: 90 }
  - { id: cards, name: Many cards, when: velocity.cards > 3, action: BLOCK, score: 80 }
  - { id: spent, name: Much money, when: velocity.spent > 5000 or velocity.attempts > 20, action: CHALLENGE, score: 40 }
  - { id: network, name: Busy network, when: velocity.network > 100 and newDevice, action: REVIEW, score: 30 }
  - { id: devices, name: Many devices, when: velocity.devices > 4, action: WARN, score: 20 }
  - { id: country, name: Country, when: 'ipDetails.country in ("KP", "IR", "SY")', action: WARN, score: 10 }
  - { id: vpn, name: VPN and a large amount, when: vpn and params.amount > 900, action: CHALLENGE, score: 50 }
  - { id: swap, name: SIM swap, when: telecom.simSwap.swapped and sessionRiskScore > 60, action: BLOCK, score: 70 }
`

async function measured(_keep: Keep, folder: string): Promise<Table[]> {
  await fill(folder)
  const file = join(folder, 'rules.yaml')
  await writeFile(file, rules)
  const runs = [await runCommand(folder, file), await runCommand(folder, file), await runCommand(folder, file)]
  const values = (figure: 'seconds' | 'cpuSeconds' | 'mib') => runs.map((each) => each[figure])
  return [
    {
      title: `Backtest of ${decisions.toLocaleString('en')} stored decisions`,
      notes: [
        `\`ringfence rules backtest --decisions\` on the embedded store: eight rules, a list of ${cards.toLocaleString('en')} entries, five velocities, ${users.toLocaleString('en')} users in ${days} days.`,
      ],
      rows: [
        row('whole command', 's', values('seconds'), { atMost: (20 * decisions) / 1e6 }),
        row('CPU of all threads', 's', values('cpuSeconds')),
        row('memory at most', 'MiB', values('mib'), { atMost: 512 }),
      ],
    },
  ]
}

/** Starts the command, and watches the CPU and memory of its process; the file of the store is mapped, and does not count. */
function runCommand(folder: string, file: string): Promise<{ seconds: number; cpuSeconds: number; mib: number }> {
  const main = new URL('../../../cli/bin/ringfence.js', import.meta.url).pathname
  const began = performance.now()
  const child = spawn(
    process.execPath,
    [main, 'rules', 'backtest', '--decisions', '--data', folder, '--rules', file, '--json'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let [text, memory, cpuSeconds] = ['', 0, 0]
  child.stdout.on('data', (chunk) => (text += chunk))
  const watch = setInterval(() => {
    try {
      const kib = /RssAnon:\s*(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]
      memory = Math.max(memory, Number(kib ?? 0))
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')
      cpuSeconds = (Number(fields[11]) + Number(fields[12])) / 100
    } catch {
      // It has just ended.
    }
  }, 50)
  return new Promise((resolve, reject) => {
    child.on('close', (code) => {
      clearInterval(watch)
      const found = code === 0 ? JSON.parse(text).all.reports : 0
      if (found !== decisions) reject(new Error(`the command ended with ${code}: ${found} of ${decisions} decisions`))
      else resolve({ seconds: (performance.now() - began) / 1000, cpuSeconds, mib: memory / 1024 })
    })
  })
}

async function fill(folder: string): Promise<void> {
  const { settings } = readConfig({ options: { dataFolder: folder } })
  const database = await openDatabase(folder)
  try {
    const tenants = tenantKeyring(database, await openKeyring(database, settings), systemClock)
    const { id: tenantId } = await tenants.createTenant('bench')
    const keys = await tenants.keysOf(tenantId)
    const first = systemClock.now() - days * dayMs
    const stored = new Lists({
      database,
      tenantKeyring: tenants,
      clock: { now: () => first },
      events: eventsOf(database, tenants),
    })
    await stored.create(tenantId, { name: 'stolen-cards', kind: 'text', purpose: 'block' }, 'bench')
    for (let i = 0; i < cards; i += 500) {
      const entries = Array.from({ length: 500 }, (_, card) => ({ value: `card ${50 * (i + card)}` }))
      await stored.add(tenantId, 'stolen-cards', entries, 'bench')
    }
    const compression = openCompression()
    const answer = new JsonText<Decision>(JSON.stringify(readSamples().Decision!.ordinary))
    for (let done = 0; done < decisions; done += 500) {
      const statements = Array.from({ length: 500 }, (_, index) => {
        const decidedAt = first + Math.floor(((done + index) / decisions) * days * dayMs)
        const decisionId = newUuidAt(decidedAt)
        const record = { answer, input: newInput(), basis: {} }
        const sealed = sealDecision(record, { tenantId, decisionId }, [], keys, compression)
        const sent = { idempotencyHash: null, bodyHash: keys.hash('body').subarray(0, 16) }
        const subjects = { userHash: null, numberHash: null, emailHash: null, deviceHash: null, mailboxHash: null }
        const row = { tenantId, decisionId, decidedAt, dfrId: null, isReviewed: false, subjects, sealed }
        return decisionInsert({ ...row, ...sent })
      })
      await database.batch(statements)
    }
  } finally {
    await database.close()
  }
}

/** Some users are busy, most are not. Each has one device, and now and then another card. */
function newInput(): RuleInput {
  const random = Math.random()
  const user = Math.floor(random * random * users)
  const amount = Math.floor(Math.random() * 1_000_00) / 100
  return inputOf({
    action: Math.random() < 0.5 ? 'PAYMENT' : 'LOGIN',
    userId: `user ${user}`,
    phoneNumber: `9170${10_000_000 + user}`,
    deviceId: `0190c7a2-0000-7000-8000-${String(user + (Math.random() < 0.1 ? 1 : 0)).padStart(12, '0')}`,
    installationId: `0190c7a2-0000-7000-9000-${String(user).padStart(12, '0')}`,
    platform: 'WEB',
    ip: `198.${user % 50}.${user % 97}.${user % 250}`,
    newDevice: Math.random() < 0.1,
    vpn: Math.random() < 0.1,
    proxy: false,
    hooking: false,
    sessionRiskScore: Math.floor(Math.random() * 100),
    deviceRiskScore: 14,
    'ipDetails.country': 'IN',
    'ipDetails.city': 'Mumbai',
    'ipDetails.isp': 'EXAMPLE TELECOM',
    'ipDetails.asn': 'AS64500',
    'ipDetails.fraudScore': 8,
    'signals.bot': 'notDetected',
    'signals.anomalyScore': 0.1,
    'telecom.simSwap.swapped': Math.random() < 0.02,
    'telecom.country': 'IN',
    'velocity.accountsPerDevice24h': 1,
    'params.card': `card ${user * 3 + (Math.random() < 0.1 ? 1 : 0)}`,
    'params.amount': amount,
    'params.currency': 'INR',
  })
}
