// Does the service know when a failover of PostgreSQL would lose acknowledged writes?

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Client } from 'pg'
import { atEnd } from '../../../testing/at-end.ts'
import { startPostgres } from '../../../testing/postgres-server.ts'
import type { Row } from '../database.ts'
import { replicationOf, replicationWarning } from './replication.ts'

async function clientOf(t: TestContext, connectionString: string, options = {}): Promise<Client> {
  const client = new Client({ connectionString, ...options })
  client.on('error', () => undefined)
  await client.connect()
  atEnd(t, () => client.end())
  return client
}

/** What a standby does: a connection that streams the write-ahead log. */
async function startStandby(t: TestContext, url: string): Promise<void> {
  const standby = await clientOf(t, url, { replication: 'true' })
  standby.query('START_REPLICATION PHYSICAL 0/1000000').catch(() => undefined)
}

test('warns of asynchronous replication, also without the privilege to see the details of a standby', async (t) => {
  const server = await startPostgres({ durable: true })
  atEnd(t, () => server.stop())
  const admin = await clientOf(t, server.url())
  await admin.query('create role plain login')
  const plain = await clientOf(t, server.url().replace('ringfence@', 'plain@'))
  const state = async () => {
    const types = (sql: string) =>
      plain.query(sql).then(({ rows }) => rows.map((row) => ({ ...row, standbys: Number(row.standbys) })))
    return replicationOf({ query: <R = Row>(sql: string) => types(sql) as Promise<R[]> })
  }
  assert.deepEqual(await state(), { standbys: 0, synchronous: false, durable: true })
  assert.equal(replicationWarning(await state()), undefined)

  await startStandby(t, server.url())
  while ((await state())?.standbys !== 1);
  assert.match(replicationWarning(await state()) ?? '', /replicates asynchronously to its standby/)

  await admin.query(`alter system set synchronous_standby_names = '*'`)
  await admin.query('select pg_reload_conf()')
  while (!(await state())?.synchronous);
  assert.equal(replicationWarning(await state()), undefined)

  await plain.query('set synchronous_commit = local')
  assert.match(replicationWarning(await state()) ?? '', /asynchronously/)
  await plain.query('set synchronous_commit = off')
  assert.match(replicationWarning(await state()) ?? '', /before they are on disk/)
})

test('says nothing when a compatible database refuses the statement', async () => {
  const refuses = { query: async () => Promise.reject(new Error('relation "pg_stat_replication" does not exist')) }
  assert.equal(await replicationOf(refuses), undefined)
  assert.equal(replicationWarning(undefined), undefined)
})
