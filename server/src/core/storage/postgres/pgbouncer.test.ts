// Does the service work behind PgBouncer, in session mode and in transaction mode?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as after } from 'node:timers/promises'
import { Client } from 'pg'
import { atEnd } from '../../../testing/at-end.ts'
import { pooledDatabase, whyWithoutPgbouncer } from '../../../testing/pgbouncer.ts'
import { settlesWithin } from '../../../testing/settles.ts'
import { StorageUnavailable } from '../database.ts'
import { openDatabase } from '../open-database.ts'

for (const mode of ['session', 'transaction'] as const) {
  test(`migrates, reads, writes and limits time behind PgBouncer in ${mode} mode`, {
    skip: whyWithoutPgbouncer,
  }, async (t) => {
    const { url } = await pooledDatabase(t, mode)
    // Two servers that start at once share the lock for migrations and the server connections.
    const servers = await Promise.all([openDatabase(url), openDatabase(url)])
    for (const server of servers) atEnd(t, () => server.close())
    await servers[0]!.query('create table thing (id text not null primary key, n bigint)')
    const insert = 'insert into thing (id, n) values ($1, $2)'
    const count = 'select count(*) as n from thing where n = $1'
    await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        const database = servers[i % 2]!
        if (i % 3 === 0) await database.batch([{ sql: insert, params: [`${i}`, 7] }])
        else if (i % 3 === 1) await database.transaction((tx) => tx.query(insert, [`${i}`, 7]))
        else await database.query(insert, [`${i}`, 7])
        await database.query(count, [i])
      }),
    )
    assert.deepEqual(await servers[1]!.query(count, [7]), [{ n: 200 }])

    const sleep = 'select cast(pg_sleep(30) as text) as slept'
    const limited = async () => {
      const slow = servers[0]!.within(performance.now() + 200, () => servers[0]!.query(sleep))
      await assert.rejects(slow, StorageUnavailable)
      await assert.rejects(
        servers[0]!.transaction((tx) => tx.query(sleep), 200),
        StorageUnavailable,
      )
    }
    await settlesWithin(3_000, limited())
    assert.deepEqual(await servers[0]!.query(count, [7]), [{ n: 200 }])
    const sleeping = `select count(*) as n from pg_stat_activity where query like '%pg_sleep(30)%' and state = 'active' and pid <> pg_backend_pid()`
    while ((await servers[1]!.query(sleeping))[0]?.n !== 0) await after(20)
    const locks = `select count(*) as n from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`
    assert.deepEqual(await servers[1]!.query(locks), [{ n: 0 }])
  })

  for (const limit of ['statement_timeout', 'lock_timeout']) {
    test(`explains when ${limit} ends the build of an index behind PgBouncer in ${mode} mode; with the URL of PostgreSQL itself it does not`, {
      skip: whyWithoutPgbouncer,
    }, async (t) => {
      const things = { name: '0001-things', sql: 'create table thing (id text not null primary key, n bigint)' }
      const sql = 'create index /* postgres: concurrently */ thing_by_n on thing (n)'
      const migrations = [things, { name: '0002-index', sql }]
      const { url, direct } = await pooledDatabase(t, mode, async (place) => {
        // Without the limit, which may end any statement on a slow machine.
        const database = await openDatabase(place, { migrations: [things] })
        await database.query(`alter database ${new URL(place).pathname.slice(1)} set ${limit} = '1s'`)
        await database.close()
      })
      const blocker = new Client({ connectionString: direct })
      blocker.on('error', () => undefined)
      await blocker.connect()
      atEnd(t, () => blocker.end())
      await blocker.query('begin; insert into thing (id) values (1)')
      await assert.rejects(openDatabase(url, { migrations }), {
        name: 'StorageUnavailable',
        message: /index thing_by_n could not be built within the time limits .* with the URL of PostgreSQL itself/,
      })
      const once = openDatabase(direct, { migrations })
      await after(1_500)
      await blocker.query('commit')
      await (await once).close()
      const upgraded = await openDatabase(url, { migrations })
      atEnd(t, () => upgraded.close())
      const valid = "select indisvalid as valid from pg_index where indexrelid = to_regclass('thing_by_n')"
      assert.deepEqual(await upgraded.query(valid), [{ valid: 1 }])
    })
  }
}
