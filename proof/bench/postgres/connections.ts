// How many servers get all the connections that they want of a PostgreSQL?

import { Client } from 'pg'
import { openDatabase } from '../../../server/src/core/storage/open-database.ts'
import { defaultPools } from '../../../server/src/core/storage/postgres/pools.ts'
import { startPostgres } from '../../../server/src/testing/postgres-server.ts'
import { answer, type Row } from '../harness/harness.ts'
import { withResources } from '../harness/processes.ts'

const ofEach = defaultPools.read + defaultPools.write

/**
 * Opens the store of one server after the other, and uses each of their connections at once, until PostgreSQL has fewer than they want.
 * The server that came too late goes on with those that it got.
 */
export function serversOf({ connections, programs }: { connections: number; programs: string }): Promise<Row[]> {
  return withResources(async (keep) => {
    const { url } = keep(await startPostgres({ durable: true, programs, connections }))
    const client = new Client({ connectionString: url() })
    await client.connect()
    keep({ stop: () => client.end() })
    const stores: Awaited<ReturnType<typeof openDatabase>>[] = []
    for (;;) {
      stores.push(keep(await openDatabase(url())))
      await Promise.all(
        stores.flatMap((store) => [
          ...Array.from({ length: defaultPools.read }, () => store.query('select pg_sleep(1)')),
          ...Array.from({ length: defaultPools.write }, () => store.batch([{ sql: 'select pg_sleep(1)', params: [] }])),
        ]),
      )
      const { rows } = await client.query(
        "select count(*) as open from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
      )
      if (Number(rows[0].open) < stores.length * ofEach)
        return [
          answer(`servers that use all their connections, max_connections = ${connections}`, 'servers', [
            stores.length - 1,
          ]),
        ]
    }
  })
}
