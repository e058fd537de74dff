// Does the time of an answer reveal a secret? Whether a client exists, and what the telecom gate found about a number.

import type { Credentials, IssuedCredentials } from '../../server/src/clients/credentials.ts'
import { makeApiKey } from '../../server/src/core/crypto/api-key.ts'
import { Refusal } from '../../server/src/core/errors.ts'
import type { Database, SqlValue } from '../../server/src/core/storage/database.ts'
import { postgresDatabases, sqliteDatabases, type TestDatabases } from '../../server/src/testing/databases.ts'
import { startTestService } from '../../server/src/testing/test-service.ts'
import { median } from '../quantiles.ts'
import type { PromiseProgram, RunOptions } from './promise.ts'
import { startTimes } from './testbed/start-times.ts'

/** Share of the median; two samples of the same question differ by less in a full run. */
const sameWithin = 0.03

export const timing: PromiseProgram = {
  name: 'timing',
  promise:
    'no secret can be guessed: an unknown client costs the same time as a wrong secret, and a start the same whatever the telecom gate found',
  async run(run) {
    const figures: Record<string, string> = {}
    for (const databases of [sqliteDatabases, postgresDatabases]) {
      const { engine } = databases
      const { medianUs, steps } = await refusals(databases, run)
      // A short run compares the database queries, not the times: other tests use the machine.
      const [first, ...others] = Object.entries(steps)
      for (const [client, taken] of others) {
        run.unless(taken === first![1], () => `${engine}: ${client} takes ${taken}, ${first![0]} ${first![1]}`)
      }
      const compare = (what: string, medians: readonly number[]) => {
        const spread = Math.max(...medians) / Math.min(...medians) - 1
        if (run.full) run.unless(spread <= sameWithin, () => `${engine}: ${what} differ by ${spread * 100} %`)
        figures[`largest difference of ${what} (${engine})`] = `${(spread * 100).toFixed(1)} %`
      }
      for (const [client, us] of Object.entries(medianUs))
        figures[`median of ${client}, µs (${engine})`] = us.toFixed(2)
      compare('refusals', Object.values(medianUs))
      const starts = await startTimes(databases, run)
      for (const { name, ms } of starts) figures[`median start of ${name}, ms (${engine})`] = median(ms).toFixed(2)
      compare(
        'starts',
        starts.map(({ ms }) => median(ms)),
      )
    }
    return { figures }
  },
}

async function refusals({ open }: TestDatabases, run: RunOptions) {
  const recorded = recording(await open(run))
  const { parts: needs, tenantId } = await startTestService(run, recorded.database)
  const { clients: credentials } = needs
  const one = await credentials.createClient(tenantId, 'one live secret')
  const two = await credentials.createClient(tenantId, 'two valid secrets')
  await credentials.rotate(two.clientId)
  const gone = await credentials.createClient(tenantId, 'revoked')
  await credentials.revoke(gone.clientId)
  const clients: readonly (readonly [client: string, clientId: () => string])[] = [
    ['an unknown client', () => makeApiKey('rfc')],
    ['a wrong secret', () => one.clientId],
    ['a wrong secret of two', () => two.clientId],
    ['a revoked client', () => gone.clientId],
  ]

  const steps: Record<string, string> = {}
  for (const [client, clientId] of clients) {
    recorded.steps.length = 0
    await refusalUs(credentials, { clientId: clientId(), clientSecret: makeApiKey('rfs') })
    steps[client] = recorded.steps.join('; ')
  }

  const samples = clients.map(([client, clientId]) => ({ client, clientId, us: [] as number[] }))
  for (let round = 0; round < (run.full ? 100_000 : 200); round++) {
    // Everything is created before, and measured in every order, so that no sample pays for another one's garbage.
    const turn = samples.map((sample) => ({
      sample,
      pair: { clientId: sample.clientId(), clientSecret: makeApiKey('rfs') },
    }))
    for (let index = 0; index < turn.length; index++) {
      const { sample, pair } = turn[(index + round) % turn.length]!
      sample.us.push(await refusalUs(credentials, pair))
    }
  }
  const medianUs = Object.fromEntries(samples.map(({ client, us }) => [client, median(us)]))
  return { steps, medianUs }
}

async function refusalUs(credentials: Credentials, { clientId, clientSecret }: IssuedCredentials): Promise<number> {
  const startedAt = performance.now()
  const refusal = await credentials.verify(clientId, clientSecret).catch((error: unknown) => error)
  const us = (performance.now() - startedAt) * 1000
  if (!(refusal instanceof Refusal)) throw new Error('it was not refused')
  return us
}

/** The database, and a record of its queries and their row counts. */
function recording(database: Database): { database: Database; steps: string[] } {
  const steps: string[] = []
  const query = async <R>(sql: string, params?: readonly SqlValue[]): Promise<R[]> => {
    const rows = await database.query<R>(sql, params)
    steps.push(`${rows.length} rows of ${sql.replace(/\s+/g, ' ')}`)
    if (steps.length > 1000) steps.length = 0
    return rows
  }
  return {
    steps,
    database: {
      engine: database.engine,
      query,
      batch: (statements) => database.batch(statements),
      batchSoon: (statements) => database.batchSoon(statements),
      transaction: (work, timeoutMs) => database.transaction(work, timeoutMs),
      within: (until, work) => database.within(until, work),
      pools: () => database.pools(),
      ping: () => database.ping(),
      close: () => database.close(),
    },
  }
}
