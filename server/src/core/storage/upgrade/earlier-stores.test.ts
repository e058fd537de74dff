// Does a version read and continue what an earlier one wrote? Tokens, clients, reports and devices, over HTTP.
//
// Before the first release, the earlier version is this one, and the later one is made up.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { endpoints, readSamples } from '@ringfence/contract'
import { atEnd } from '../../../testing/at-end.ts'
import { eachDatabase } from '../../../testing/databases.ts'
import type { EarlierStore, StoredValue } from '../../../testing/earlier-stores/earlier-store.ts'
import { type InstallationKey, signedTextOf } from '../../../testing/installation-key.ts'
import { nextVersion, thisVersion } from '../../../testing/made-up-versions.ts'
import { sdkClientOf } from '../../../testing/sdk-client.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import type { Database } from '../database.ts'
import { openDatabase } from '../open-database.ts'
import { openPostgres } from '../postgres/postgres.ts'
import { openSqlite } from '../sqlite/sqlite.ts'
import { type Migration, postgresStatements, sqliteStatements } from './migration.ts'

const folder = new URL('../../../testing/earlier-stores/', import.meta.url)
const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
const record = fileURLToPath(new URL('record.ts', folder))
const root = fileURLToPath(new URL('../../../../..', import.meta.url))

const written = await promisify(execFile)(process.execPath, [record, root], { maxBuffer: 2 ** 26 })
const stores: readonly EarlierStore[] = [
  ...files.map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8'))),
  JSON.parse(written.stdout),
]

/** The database as that version left it: its migrations, its list of them with their checksums, its rows. */
async function write(database: Database, { tables }: EarlierStore, migrations: readonly Migration[]): Promise<void> {
  await database.query('create table schema_migration (name text primary key, checksum text, applied_at bigint)')
  for (const migration of migrations) {
    for (const statement of statementsOf(database, migration)) await database.query(statement)
  }
  for (const [table, rows] of Object.entries(tables)) {
    for (const row of rows) {
      const columns = Object.keys(row)
      const values = columns.map((_, i) => `$${i + 1}`).join(', ')
      await database.query(
        `insert into ${table} (${columns.join(', ')}) values (${values})`,
        columns.map((c) => of(row[c]!)),
      )
    }
  }
}

function statementsOf({ engine }: Database, migration: Migration): string[] {
  if (engine === 'sqlite') return sqliteStatements(migration)
  const { now, later } = postgresStatements(migration)
  return [...now, ...later.map(({ statement }) => statement.replace(' concurrently', ''))]
}

const of = (value: StoredValue) =>
  typeof value === 'object' && value !== null ? Uint8Array.from(Buffer.from(value.hex, 'hex')) : value

function keyOf({ device: { privateKey } }: EarlierStore): InstallationKey | undefined {
  if (!privateKey) return undefined
  const key = createPrivateKey({ key: privateKey, format: 'jwk' })
  const { x = '', y = '' } = createPublicKey(key).export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  return {
    publicKey: point.toString('base64url'),
    proofOf: (body, dsaEncoding = 'ieee-p1363') => ({
      publicKey: point.toString('base64url'),
      signature: sign('sha256', Buffer.from(signedTextOf(body)), { key, dsaEncoding }).toString('base64url'),
    }),
  }
}

/** The next version, an hour after the last write of the earlier one. */
async function upgraded(t: TestContext, place: string, store: EarlierStore) {
  const database = await openDatabase(place, { migrations: nextVersion })
  atEnd(t, () => database.close())
  const service = await startTestService(t, database, { settings: { masterKey: store.masterKey } })
  service.clock.advance({ hours: 1, ms: store.now - service.clock.now() })
  const post = (path: string, body: unknown, client = store.client) => service.post(path, body, { ...client })
  return { service, post }
}

async function visitOf(service: TestService, store: EarlierStore, by: 'key' | 'token' | 'similarity') {
  const { facts, headers, deviceToken } = store.device
  const key = by === 'key' ? keyOf(store) : undefined
  const app = await service.parts.apps.named(store.appId)
  assert.ok(app)
  const client = await sdkClientOf(app, service, { headers, ...(key && { key }) })
  const { requestId } = await client.analyse({ ...facts, ...(by !== 'similarity' && { deviceToken }) })
  const { status, body } = await client.post(endpoints.pushFingerprint.path, client.pushBody(requestId))
  assert.equal(status, 200)
  return body.dfrId as string
}

test('has stores of the schema of the first version, and of each schema that a released version had', () => {
  const isReleased = /^## \[\d/m.test(readFileSync(`${root}/CHANGELOG.md`, 'utf8'))
  assert.equal(files.includes('0001.json'), isReleased)
  assert.equal(stores.at(-1)?.tables.schema_migration?.length, thisVersion.length)
})

eachDatabase(({ engine, place }) => {
  for (const store of stores) {
    const migrations = thisVersion.slice(0, store.tables.schema_migration?.length)

    async function opened(t: TestContext) {
      const where = await place(t)
      const before = engine === 'sqlite' ? await openSqlite(where) : await openPostgres(where)
      await write(before, store, migrations)
      await before.close()
      return upgraded(t, where, store)
    }
    const it = (promise: string) => `${promise}, written by version ${store.version} (${engine})`

    test(it('accepts the clients and tokens, and refuses the revoked ones'), async (t) => {
      const { post } = await opened(t)
      const validated = await post(endpoints.validateToken.path, { token: store.token })
      assert.deepEqual([validated.status, validated.body], [200, store.validated])
      const secureInfo = await post(endpoints.secureInfo.path, { token: store.token })
      assert.deepEqual([secureInfo.status, secureInfo.body], [200, store.secureInfo])
      const revoked = await post(endpoints.validateToken.path, { token: store.revokedToken })
      assert.deepEqual([revoked.status, revoked.body.errorCode], [400, '7114'])
      const refused = await post(endpoints.validateToken.path, { token: store.token }, store.revokedClient)
      assert.equal(refused.status, 401)
      const issued = await post(endpoints.issueToken.path, readSamples().IssueTokenRequest?.ordinary)
      assert.equal((await post(endpoints.validateToken.path, { token: issued.body.token })).status, 200)
    })

    test(it('returns the reports unchanged'), async (t) => {
      const { post } = await opened(t)
      for (const { dfrId, answer } of store.reports) {
        const { status, body } = await post(endpoints.deviceFingerprint.path, { dfrId, deviceType: 'WEB' })
        assert.deepEqual([status, body], [200, answer])
      }
    })

    test(it('recognises the device by key, by token and without both, and knows whose it is'), async (t) => {
      const { service, post } = await opened(t)
      const { deviceId, userId, isKnown, privateKey } = store.device
      for (const by of ['similarity', 'token', 'key'] as const) {
        // A token of an installation with a key is worth nothing without it.
        if (by === 'token' && privateKey) continue
        const dfrId = await visitOf(service, store, by)
        const body = { dfrId, deviceType: 'WEB', userId, userVerified: false, include: ['identification'] }
        const report = await post(endpoints.deviceFingerprint.path, body)
        assert.equal(report.status, 200)
        assert.equal(report.body.deviceId, deviceId, by)
        if (isKnown && by === 'key') assert.equal(report.body.identification.knownForAccount, 'yes')
        service.clock.advance({ hours: 1 })
      }
    })
  }
})
