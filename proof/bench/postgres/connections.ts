// How many servers, with all their connections in use, does a PostgreSQL accept?

import { openDatabase } from '../../../server/src/core/storage/open-database.ts'
import { defaultPools } from '../../../server/src/core/storage/postgres/pools.ts'
import { startPostgres } from '../../../server/src/testing/postgres-server.ts'
import { answer, type Row } from '../harness/harness.ts'
import { withResources } from '../harness/processes.ts'

/** Opens the store of one server after the other, and uses each of their connections at once, until PostgreSQL refuses one. */
export function serversOf({ connections, programs }: { connections: number; programs: string }): Promise<Row[]> {
  return withResources(async (keep) => {
    const { url } = keep(await startPostgres({ durable: true, programs, connections }))
    const stores: Awaited<ReturnType<typeof openDatabase>>[] = []
    const inUse = () => {
      const of = (store: (typeof stores)[number]) => [
        ...Array.from({ length: defaultPools.read }, () => store.query('select pg_sleep(1)')),
        ...Array.from({ length: defaultPools.write }, () => store.batch([{ sql: 'select pg_sleep(1)', params: [] }])),
      ]
      return Promise.all(stores.flatMap(of))
    }
    for (;;) {
      try {
        stores.push(keep(await openDatabase(url())))
        await inUse()
      } catch {
        const whole = stores.length - 1
        return [answer(`servers that use all their connections, max_connections = ${connections}`, 'servers', [whole])]
      }
    }
  })
}
