// How long does a search take among a million events? Each kind of query, on both engines; and an export of all of them.

import { randomBytes } from 'node:crypto'
import type { SearchEventsRequest } from '@ringfence/contract'
import { pino } from 'pino'
import { parseAddress } from '../../../server/src/core/address/address.ts'
import { eventIds, lowestIdAt } from '../../../server/src/core/storage/ids/event-id.ts'
import { exportedEvents } from '../../../server/src/decisions/search/export-events.ts'
import { searchEvents } from '../../../server/src/decisions/search/search-events.ts'
import { contextOf } from '../../../server/src/events/sealed-event.ts'
import { eventInsert } from '../../../server/src/events/store/events.ts'
import {
  accountHashOf,
  addressHashOf,
  emailHashOf,
  numberHashOf,
  requestHashOf,
} from '../../../server/src/events/subject-hashes.ts'
import { postgresDatabases, sqliteDatabases, type TestDatabases } from '../../../server/src/testing/databases.ts'
import { startTestService, type TestService } from '../../../server/src/testing/test-service.ts'
import { answer, type Bench, type Row, rounds, row, type Table, worstOf } from '../harness/harness.ts'

const events = Number(process.env.EVENTS ?? 1_000_000)
const users = 50_000
const searches = 400

export const searchBench: Bench = { name: 'search', onlyByName: true, run }

const types = ['sign_in.started', 'otp.delivery', 'sign_in.completed', 'device.report.created', 'decision.created']
const numberOf = (user: number) => String(917_000_000_000 + user)
const addressOf = (user: number) => `203.0.${user % 200}.${user % 250}`

/** Requests by kind, for a user who is drawn at random. The last kind finds nothing on most pages, so each page reads all it may. */
const kinds: Record<string, (user: number) => SearchEventsRequest> = {
  'a user': (user) => ({ userId: `u-${user}` }),
  'a phone number and a type': (user) => ({ phoneNumber: numberOf(user), types: ['decision.*'] }),
  'an IP address': (user) => ({ ipAddress: addressOf(user) }),
  'a type': () => ({ types: ['decision.created'] }),
  'four types': () => ({ types: ['sign_in.*', 'otp.delivery', 'label.created'] }),
  'everything of the tenant': () => ({}),
  'an outcome that hardly occurs': () => ({ outcome: 'refused' }),
}

async function run(): Promise<Table[]> {
  return [await ofEngine(sqliteDatabases, 'SQLite'), await ofEngine(postgresDatabases, 'PostgreSQL')]
}

async function ofEngine(databases: TestDatabases, title: string): Promise<Table> {
  const ends: (() => unknown)[] = []
  const ending = { after: (end: () => unknown) => void ends.unshift(end) }
  try {
    const service = await startTestService(ending, await databases.open(ending), { log: pino({ level: 'silent' }) })
    await fill(service)
    const rows: Row[] = []
    for (const [what, request] of Object.entries(kinds)) {
      const values: number[] = []
      for (let round = 0; round < rounds; round++) values.push(await p99(service, request))
      rows.push(row(`p99 of a page by ${what}`, 'ms', values))
    }
    const exports = answer('export', 'events a second', [await exported(service)])
    return {
      title: `Search among ${events.toLocaleString('en')} events, ${title}`,
      rows: [...worstOf(rows, 50), exports],
    }
  } finally {
    for (const end of ends) await end()
  }
}

async function p99(
  { parts: needs, tenantId }: TestService,
  request: (user: number) => SearchEventsRequest,
): Promise<number> {
  const call = { caller: { tenantId } } as never
  const times: number[] = []
  for (let search = 0; search < searches; search++) {
    const wanted = request(Math.floor(Math.random() * users))
    const start = performance.now()
    await searchEvents(wanted, call, needs)
    times.push(performance.now() - start)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(searches * 0.99)]!
}

async function exported({ parts: needs, tenantId, clock }: TestService): Promise<number> {
  const start = performance.now()
  let count = 0
  for await (const batch of exportedEvents({ tenantId, from: 0, to: clock.now() + 1 }, needs)) count += batch.length
  if (count !== events) throw new Error(`${count} of ${events} events are exported`)
  return count / ((performance.now() - start) / 1000)
}

/** A year's worth of ids within the last days, sealed data of ordinary size. */
async function fill({ parts: needs, tenantId, clock }: TestService): Promise<void> {
  const { database, tenantKeyring } = needs
  const keys = await tenantKeyring.keysOf(tenantId)
  const nextId = eventIds()
  const first = clock.now() - 20 * 86_400_000
  const data = JSON.stringify({ decisionId: 'd', action: 'ALLOW', note: randomBytes(120).toString('hex') })
  for (let done = 0; done < events; done += 500) {
    const statements = Array.from({ length: 500 }, (_, index) => {
      const at = first + Math.floor(((done + index) / events) * 20 * 86_400_000)
      const id = nextId(at)
      const user = Math.floor(Math.random() * users)
      return eventInsert({
        tenantId,
        id,
        type: types[index % types.length]!,
        occurredAt: at,
        outcome: done === 0 && index === 0 ? 'refused' : 'ALLOW',
        userHash: accountHashOf(`u-${user}`, keys),
        numberHash: numberHashOf(numberOf(user), keys),
        deviceHash: null,
        ipHash: addressHashOf(parseAddress(addressOf(user))!, keys),
        emailHash: emailHashOf(`u-${user}@example.com`, keys),
        requestHash: requestHashOf(`r-${done + index}`, keys),
        orderKey: lowestIdAt(user).subarray(0, 8),
        sealed: keys.seal(data, contextOf(id)),
      })
    })
    await database.batch(statements)
  }
  if (database.engine === 'postgres') await database.query('analyze event')
}
