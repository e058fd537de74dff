// What do 20 velocities cost a decision? Read and added on both engines, beside a decision without velocities.

import { randomBytes } from 'node:crypto'
import { keyring } from '../../server/src/core/crypto/keyring.ts'
import type { BatchStatement, Database } from '../../server/src/core/storage/database.ts'
import { openDatabase } from '../../server/src/core/storage/open-database.ts'
import type { RuleInput } from '../../server/src/rules/language/vocabulary.ts'
import { ruleSetOf } from '../../server/src/rules/rule-set.ts'
import { compileVelocities } from '../../server/src/rules/velocities/compile-velocity.ts'
import { velocitiesOfDecision } from '../../server/src/rules/velocities/of-decision.ts'
import { startPostgres } from '../../server/src/testing/postgres-server.ts'
import { answer, type Bench, cpuSeconds, inTurns, type Row, row, type Table } from './harness/harness.ts'
import { type Keep, withResources } from './harness/processes.ts'

export const velocities: Bench = { name: 'velocities', run: () => withResources(measured) }

const keys = ['user', 'phoneNumber', 'device', 'ip', 'ipPrefix'] as const
/** 20: two counts, a sum and distinct values for each of five keys. */
const declared = compileVelocities(
  ruleSetOf({
    velocity: Object.fromEntries(
      keys.flatMap((per) => [
        [`short_${per}`, { count: 'decisions', per, within: '5m' }],
        [`day_${per}`, { count: 'decisions', per, within: '24h' }],
        [`cards_${per}`, { distinct: 'params.card', per, within: '24h' }],
        [`spent_${per}`, { sum: 'params.amount', per, within: '7d' }],
      ]),
    ),
    rules: [],
  }).velocities!,
)

const users = 5_000
const decisionsBefore = 20_000
const decisionsPerTurn = 2_000
const atOnce = 32
const startsAt = Date.parse('2026-03-01T12:00:00Z')

/** Some users are busy, most are not. Each has one phone, and now and then another card. */
function inputOf(random: number): RuleInput & { userId: string; phoneNumber: string } {
  const user = Math.floor(random * random * users)
  return {
    userId: `user ${user}`,
    phoneNumber: `9170${user}`,
    deviceId: `device ${user}`,
    ip: `198.51.${user % 100}.${user % 250}`,
    params: { card: `card ${user} ${Math.floor(Math.random() * 1.1)}`, amount: Math.round(random * 10_000) / 100 },
  }
}

async function measured(keep: Keep, folder: string): Promise<Table[]> {
  const server = keep(await startPostgres({ durable: true }))
  const databases = { SQLite: keep(await openDatabase(folder)), PostgreSQL: keep(await openDatabase(server.url())) }
  const rows: Row[] = []
  for (const [name, database] of Object.entries(databases)) rows.push(...(await rowsOf(name, database)))
  return [
    {
      title: '20 velocities of a decision',
      rows,
      notes: [`${atOnce} decisions at a time; each commit is durable.`],
    },
  ]
}

async function rowsOf(name: string, database: Database): Promise<Row[]> {
  await database.query('create table decided (id bytea not null primary key, sealed bytea not null)')
  const ring = keyring(randomBytes(32))
  const tenant = ring.openTenantKeys('bench', ring.makeTenantKeys('bench'))
  let now = startsAt
  const read = () => velocitiesOfDecision([declared], inputOf(Math.random()), { database, keys: tenant, now })
  const decide = async () => database.batch([decided(), ...(await read()).statements])
  /** A busy day, so that all tenths of the windows are filled. */
  for (let done = 0; done < decisionsBefore; done += 500) {
    now += 40 * 60_000
    await inParallel(500, decide)
  }
  const figures = await inTurns({
    without: () => costOf(() => database.batch([decided()])),
    read: () => costOf(read),
    withVelocities: () => costOf(decide),
  })
  const added = figures.withVelocities.us.map((us, round) => us - figures.without.us[round]!)
  return [
    row(`${name}: decision without velocities, stored`, 'µs of CPU', figures.without.us),
    answer(`${name}: read`, 'µs of CPU', figures.read.us),
    row(`${name}: decision with 20 velocities, stored`, 'µs of CPU', figures.withVelocities.us),
    row(`${name}: read and added`, 'µs of CPU', added, { atMost: 100 }),
  ]
}

const decided = (): BatchStatement => ({
  sql: 'insert into decided (id, sealed) values ($1, $2)',
  params: [randomBytes(16), randomBytes(800)],
})

async function costOf(work: () => Promise<unknown>): Promise<{ us: number }> {
  await inParallel(200, work)
  const start = cpuSeconds()
  await inParallel(decisionsPerTurn, work)
  return { us: (1e6 * (cpuSeconds() - start)) / decisionsPerTurn }
}

async function inParallel(times: number, work: () => Promise<unknown>): Promise<void> {
  let left = times
  const worker = async () => {
    while (left-- > 0) await work()
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
