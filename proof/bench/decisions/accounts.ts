// What does it cost a decision to know its account, and to learn from it? CPU of one process on the embedded store.

import { accountKnowledge } from '../../../server/src/accounts/account-knowledge.ts'
import { type Knowledge, learned } from '../../../server/src/accounts/knowledge.ts'
import type { ShownSession } from '../../../server/src/accounts/session.ts'
import { sealKnowledge } from '../../../server/src/accounts/stored-knowledge.ts'
import type { TenantKeys } from '../../../server/src/core/crypto/keyring.ts'
import { findKnowledge, knowledgeStatement } from '../../../server/src/device/store/account-knowledge.ts'
import { accountHashOf } from '../../../server/src/events/subject-hashes.ts'
import { type DeviceBench, openDeviceBench } from '../device-visits.ts'
import { answer, type Bench, cpuSeconds, inTurns, row, type Table } from '../harness/harness.ts'
import { type Keep, withResources } from '../harness/processes.ts'

const accounts = 20_000
const sessions = 60
const atOnce = 100
const hourMs = 3_600_000

export const accountsBench: Bench = { name: 'accounts', run: () => withResources(measured) }

const devices = ['0a0a0a0a0a0a0a0a', '0b0b0b0b0b0b0b0b']
const networks = ['17488', '9583', '55836']

const sessionOf = (session: number): Omit<ShownSession, 'at'> => ({
  source: devices[session % devices.length]!,
  device: devices[session % devices.length]!,
  country: 'IN',
  network: networks[session % networks.length]!,
  operator: 'JIO',
  number: '0c0c0c0c0c0c0c0c',
  place: { latitude: 19.1, longitude: 72.9, radiusKm: 28 },
})

async function measured(keep: Keep, folder: string): Promise<Table[]> {
  const bench = keep(await openDeviceBench(folder))
  const keys = await bench.needs.tenantKeyring.keysOf(bench.tenantId)
  const bytes = await fill(bench, keys)
  // Each lesson changes its account, so that the next one reads what it has learned.
  const { read, repeated, taught, alone } = await inTurns({
    alone: () => rate((userId) => findKnowledge(bench.database, accountHashOf(userId, keys))),
    read: () => rate((userId) => decide(bench, userId, 'none')),
    repeated: () => rate((userId) => decide(bench, userId, 'repeated')),
    taught: () => {
      bench.clock.time += hourMs
      return rate((userId) => decide(bench, userId, 'next'))
    },
  })
  const unit = 'per CPU-second'
  return [
    {
      title: `Knowledge of an account: ${accounts.toLocaleString('en')} accounts of ${sessions} sessions`,
      rows: [
        row('its row, read alone', unit, alone.perCpuSecond),
        row('read with accounts of the number, and compared', unit, read.perCpuSecond, { atLeast: 10_000 }),
        row('… of a session that teaches nothing', unit, repeated.perCpuSecond),
        answer('… and learned, each in a durable batch', unit, taught.perCpuSecond),
        answer('size of a row, sealed', 'bytes', [bytes]),
      ],
      notes: [`${atOnce} at once. The goal leaves a decision 85 % of its time at 1,500 decisions a CPU-second.`],
    },
  ]
}

async function decide(
  { needs, tenantId, clock }: DeviceBench,
  userId: string,
  teaches: 'none' | 'repeated' | 'next',
): Promise<unknown> {
  const account = await accountKnowledge({ tenantId, userId, phoneNumber: '917020141726' }, needs)
  const at = teaches === 'repeated' ? clock.time - hourMs * 24 : clock.time
  const shown = { ...sessionOf(0), at }
  const input = account.inputOf(shown)
  if (teaches !== 'none') {
    const lesson = account.lessonOf(shown)
    if (lesson.length > 0) await needs.database.batch(lesson)
  }
  return input
}

/** Works through the accounts for half a CPU-second after a short warm-up. */
async function rate(work: (userId: string) => Promise<unknown>): Promise<{ perCpuSecond: number }> {
  let next = Math.floor(Math.random() * accounts)
  const during = async (seconds: number) => {
    const start = cpuSeconds()
    for (let done = 0; ; done += atOnce) {
      await Promise.all(Array.from({ length: atOnce }, () => work(`user-${next++ % accounts}`)))
      const used = cpuSeconds() - start
      if (used >= seconds) return (done + atOnce) / used
    }
  }
  await during(0.1)
  return { perCpuSecond: await during(0.5) }
}

/** @returns the bytes of a row */
async function fill({ database, tenantId, clock }: DeviceBench, keys: TenantKeys): Promise<number> {
  const start = clock.time - sessions * 9 * hourMs
  let knowledge: Knowledge = []
  for (let session = 0; session < sessions; session++) {
    knowledge = learned(knowledge, { ...sessionOf(session), at: start + session * 9 * hourMs }, 0)
  }
  const rowOf = (userId: string) => {
    const accountHash = accountHashOf(userId, keys)
    const sealed = sealKnowledge(knowledge, { tenantId, accountHash }, keys)
    return { accountHash, lastAt: clock.time, version: 1, sealed }
  }
  for (let from = 0; from < accounts; from += 1000) {
    const rows = Array.from({ length: 1000 }, (_, index) => rowOf(`user-${from + index}`))
    await Promise.all(rows.map((row) => database.batch([knowledgeStatement(row)])))
  }
  return rowOf('user-0').sealed.length
}
