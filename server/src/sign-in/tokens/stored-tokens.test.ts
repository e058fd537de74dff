import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { SqlValue } from '../../core/storage/database.ts'
import { openDatabase } from '../../core/storage/open-database.ts'
import { atEnd } from '../../testing/at-end.ts'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { tokenInsert } from '../store/tokens.ts'
import { identity, login, tokenCalls } from './testing.ts'
import { bucketOf } from './token.ts'
import { dropExpiredTokens } from './token-retention.ts'

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(
    it('deletes expired tokens after a day, in small slices that read none twice, and keeps live ones'),
    async (t) => {
      const service = await startTestService(t, await open(t))
      const { parts: needs, clock } = service
      const { issue, validate } = tokenCalls(service)
      const count = async () => (await needs.database.query<{ n: number }>('select count(*) as n from token'))[0]?.n
      const old = { shard: 7, bucket: bucketOf(clock.now()), tenantId: 't', expiresAt: clock.now() }
      const sealed = { singleUse: false, sealedLogin: null, sealedDevice: null }
      const moreThanTwoSlices = Array.from({ length: 1200 }, () => ({ ...old, ...sealed, hash: randomBytes(16) }))
      await Promise.all(moreThanTwoSlices.map((token) => needs.database.batch([tokenInsert(token)])))
      await issue()
      assert.equal(await dropExpiredTokens(needs), 0)
      clock.advance({ hours: 24, seconds: 1200 })
      const live = await issue()
      const slices: { after: readonly SqlValue[]; rows: number }[] = []
      const watched = Object.create(needs.database, {
        query: {
          async value(sql: string, params: readonly SqlValue[]) {
            const rows = await needs.database.query(sql, params)
            if (params[0] === old.shard) slices.push({ after: params.slice(2), rows: rows.length })
            return rows
          },
        },
      })
      assert.equal(await dropExpiredTokens({ database: watched, clock }), 1201)
      assert.ok(slices.length >= 25 && slices.every(({ rows }) => rows <= 50))
      const hashes = slices.slice(1).map(({ after: [, hash] }) => Buffer.from(hash as Uint8Array).toString('hex'))
      assert.deepEqual(hashes, [...new Set(hashes)].toSorted(), 'each slice begins after the one before')
      assert.equal(await count(), 1)
      assert.equal((await validate(live)).status, 200)
    },
  )

  test(it('a copy of the database reveals no token, no user and no identity'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { issue } = tokenCalls(service)
    const token = await issue()
    const rows = await service.parts.database.query(
      'select shard, bucket, hash, tenant_id, expires_at, sealed_login, sealed_device from token',
    )
    assert.equal(rows.length, 1)
    const stored = rows.flatMap((row) =>
      Object.values(row).map((value) =>
        typeof value === 'string' ? Buffer.from(value) : value instanceof Uint8Array ? value : Buffer.alloc(0),
      ),
    )
    assertHoldsNothing(Buffer.concat(stored), token)
  })
})

test('no token and no body is in clear text in the data folder, including the store’s log', async (t) => {
  const folder = await sqliteDatabases.place(t)
  const database = await openDatabase(folder)
  atEnd(t, () => database.close())
  const service = await startTestService(t, database, {
    settings: { dataFolder: folder, overloadDelayMs: 60_000 },
  })
  const { issue, validate } = tokenCalls(service)
  const tokens = await Promise.all(Array.from({ length: 100 }, () => issue()))
  for (const token of tokens) assert.equal((await validate(token)).status, 200)
  const files = await readdir(folder)
  assert.ok(files.some((file) => file.endsWith('-wal')))
  const bytes = Buffer.concat(await Promise.all(files.map((file) => readFile(join(folder, file)))))
  assert.ok(/create table token/i.test(bytes.toString('latin1')), 'the files were read')
  for (const token of tokens) assertHoldsNothing(bytes, token)
})

function assertHoldsNothing(bytes: Buffer, token: string): void {
  for (const secret of [token, token.slice(4, -6), login.userId, identity.identityValue, 'identityType', 'SUCCESS']) {
    assert.equal(bytes.includes(secret), false, secret)
  }
}
