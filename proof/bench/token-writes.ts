// What do tokens cost the store? Durable issues per second, and how long a slice of expired ones blocks others.

import { systemClock } from '../../server/src/core/clock.ts'
import type { Database } from '../../server/src/core/storage/database.ts'
import { tokenInsert } from '../../server/src/sign-in/store/tokens.ts'
import { issue } from '../../server/src/sign-in/tokens/issue.ts'
import { makeToken, tokenKey } from '../../server/src/sign-in/tokens/token.ts'
import { dropExpiredTokens } from '../../server/src/sign-in/tokens/token-retention.ts'
import { median } from '../quantiles.ts'
import { answer, cpuSeconds, inTurns, row, type Table } from './harness/harness.ts'
import { eventsOf, type Place, type Store, tokenContent, tokensLastingFor, withStore } from './token-data.ts'

const turnMs = 1000
const underWay = [1, 100, 2_000]
const forgotten = 64_000

type Places = Record<'embedded' | 'postgres', Place>

/** Tokens that this process issues durably, `atOnce` at a time. */
export function issuing(places: Places): Promise<Table> {
  return withStore(places.embedded, (embedded) =>
    withStore(places.postgres, async (postgres) => {
      const turn = (store: Store, atOnce: number) => () => issueFor(store, atOnce)
      const contestants = Object.fromEntries(
        Object.entries({ embedded, PostgreSQL: postgres }).flatMap(([engine, store]) =>
          underWay.map((atOnce) => [`${engine}, ${atOnce.toLocaleString('en')} at once`, turn(store, atOnce)]),
        ),
      )
      const rates = await inTurns(contestants)
      return {
        title: 'Tokens issued durably, answers of 1.8 kB',
        rows: Object.entries(rates).flatMap(([what, { perSecond, perCpuSecond }]) => [
          what === 'embedded, 2,000 at once'
            ? row(what, 'per second', perSecond!, { atLeast: 40_000 })
            : (what.endsWith(' 100 at once') ? answer : row)(what, 'per second', perSecond!),
          row(what, 'per CPU-second', perCpuSecond!),
        ]),
        notes: ['The disk confirms every commit. Without HTTP, sealing included.'],
      }
    }),
  )
}

async function issueFor({ database, tenantId }: Store, atOnce: number): Promise<Record<string, number>> {
  const platform = { database, clock: systemClock, settings: tokensLastingFor(300_000), events: eventsOf(database) }
  const [began, cpu] = [performance.now(), cpuSeconds()]
  let issued = 0
  const keepIssuing = async () => {
    for (; performance.now() - began < turnMs; issued++) await issue({ tenantId, ...tokenContent }, platform)
  }
  await Promise.all(Array.from({ length: atOnce }, keepIssuing))
  return { perSecond: (1000 * issued) / (performance.now() - began), perCpuSecond: issued / (cpuSeconds() - cpu) }
}

/** Deletes yesterday's tokens while the server of this store verifies others: `verify` measures it for one round. */
export function forgetting(place: Place, verify: () => Promise<{ p99Ms: number; perSecond: number }>): Promise<Table> {
  return withStore(place, async ({ database, tenantId }) => {
    const rates = await inTurns({
      quiet: verify,
      forgetting: async () => {
        await insertForgotten(database, tenantId)
        const { timed, slicesMs } = timing(database)
        const [verified] = await Promise.all([verify(), dropExpiredTokens({ database: timed, clock: systemClock })])
        return { ...verified, p50SliceMs: median(slicesMs), longestSliceMs: Math.max(...slicesMs) }
      },
    })
    return {
      title: `${forgotten.toLocaleString('en')} forgotten tokens leave the embedded store`,
      rows: [
        row('a slice, p50', 'ms', rates.forgetting.p50SliceMs),
        row('the longest slice', 'ms', rates.forgetting.longestSliceMs, { atMost: 15 }),
        answer('verification meanwhile, p99', 'ms', rates.forgetting.p99Ms),
        answer('verification otherwise, p99', 'ms', rates.quiet.p99Ms),
        row('verifications meanwhile', 'per second', rates.forgetting.perSecond),
        row('verifications otherwise', 'per second', rates.quiet.perSecond),
      ],
      notes: ['Another process deletes them in slices, each a durable write.'],
    }
  })
}

const twoDaysMs = 2 * 86_400_000

async function insertForgotten(database: Database, tenantId: string): Promise<void> {
  const expiresAt = systemClock.now() - twoDaysMs
  const sealedLogin = new Uint8Array(1_850)
  for (let count = 0; count < forgotten; count += 1_000) {
    const insert = () => {
      const key = tokenKey(makeToken(expiresAt), expiresAt)!
      return database.batch([
        tokenInsert({ ...key, tenantId, expiresAt, singleUse: false, sealedLogin, sealedDevice: null }),
      ])
    }
    await Promise.all(Array.from({ length: 1_000 }, insert))
  }
}

/** The same database, with the time of each statement. */
function timing(database: Database): { timed: Database; slicesMs: number[] } {
  const slicesMs: number[] = []
  const timed = Object.create(database, {
    query: {
      async value(...asked: Parameters<Database['query']>) {
        const began = performance.now()
        const rows = await database.query(...asked)
        slicesMs.push(performance.now() - began)
        return rows
      },
    },
  })
  return { timed, slicesMs }
}
