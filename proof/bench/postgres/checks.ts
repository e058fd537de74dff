// What does a check cost the server when its store is PostgreSQL, beside the embedded one?

import path from 'node:path'
import { startPostgres } from '../../../server/src/testing/postgres-server.ts'
import { askAll, busy, checksOf, startOperator, startRingfence } from '../harness/checks.ts'
import { type Bench, inTurns, perCentOf, row } from '../harness/harness.ts'
import { withResources } from '../harness/processes.ts'
import { measure, type Server, startLoad } from '../harness/servers.ts'

const numbers = 30_000

export const postgres: Bench = {
  name: 'postgres',
  run: () =>
    withResources(async (keep, folder) => {
      const load = keep(await startLoad())
      const operator = keep(await startOperator())
      const { url } = keep(await startPostgres({ durable: true }))
      const start = async (name: string, settings: { databaseUrl?: string }) => {
        const dataFolder = path.join(folder, name)
        return keep(await startRingfence(operator, numbers, { dataFolder, simSwapReuseSeconds: 86_400, ...settings }))
      }
      const embedded = await start('embedded', {})
      const remote = await start('postgres', { databaseUrl: url() })
      for (const server of [embedded, remote]) await askAll(load, server, numbers)
      const underLoad = (server: Server) => measure(load, server, { ...checksOf(server, numbers), ...busy })
      const rates = await inTurns({ embedded: () => underLoad(embedded), postgres: () => underLoad(remote) })
      const unit = 'requests per CPU-second'
      return [
        {
          title: 'SIM swap check, answer reused: PostgreSQL beside the embedded store',
          rows: [
            row('embedded store', unit, rates.embedded.perCpuSecond),
            row('PostgreSQL', unit, rates.postgres.perCpuSecond),
            row(
              'PostgreSQL, of the embedded rate',
              '%',
              perCentOf(rates.postgres.perCpuSecond, rates.embedded.perCpuSecond),
              {
                atLeast: 60,
              },
            ),
          ],
          notes: ['By a Unix socket.'],
        },
      ]
    }),
}
