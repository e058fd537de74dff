import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Settings } from '../../core/config/settings.ts'
import { keyring } from '../../core/crypto/keyring.ts'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { testClock } from '../../testing/test-clock.ts'
import { listSigningKeys } from '../store/signing-keys.ts'
import { SigningKeys } from './signing-keys.ts'

const ring = keyring(Buffer.alloc(32, 1))
const idTokenAlgorithm: Settings['idTokenAlgorithm'] = 'ES256'
const settings = { idTokenAlgorithm, idTokenKeyDays: 90 }
const kids = (keys: { kid?: string }[]) => keys.map(({ kid }) => kid)

eachDatabase(({ engine, open }) => {
  test(`servers that need a first or next key at the same time create one (${engine})`, async (t) => {
    const database = await open(t)
    const clock = testClock()
    const servers = Array.from({ length: 6 }, () => new SigningKeys({ database, keyring: ring, clock, settings }))
    const used = await Promise.all(servers.map((server) => server.inUse()))
    assert.equal(new Set(used.map(({ keyId }) => keyId)).size, 1)
    clock.advance({ hours: 24 * 90 })
    await Promise.all(servers.map((server) => server.rotateWhenDue()))
    const published = await Promise.all(servers.map((server) => server.published()))
    assert.equal(new Set(published.map((keys) => kids(keys).join())).size, 1)
    assert.equal(published[0]!.length, 2)
  })

  test(`a key is published a day before it signs, and stays published a day after its successor signs (${engine})`, async (t) => {
    const database = await open(t)
    const clock = testClock()
    const keys = new SigningKeys({ database, keyring: ring, clock, settings })
    const first = await keys.inUse()
    clock.advance({ hours: 24 * 88 })
    await keys.rotateWhenDue()
    assert.deepEqual(kids(await keys.published()), [first.keyId], 'not before it is due')

    clock.advance({ hours: 25 })
    await keys.rotateWhenDue()
    await keys.rotateWhenDue()
    const [inUse, next, ...others] = kids(await keys.published())
    assert.deepEqual([inUse, others], [first.keyId, []])
    assert.equal((await keys.inUse()).keyId, first.keyId)

    clock.advance({ hours: 24 })
    await keys.rotateWhenDue()
    assert.equal((await keys.inUse()).keyId, next)
    assert.deepEqual(kids(await keys.published()), [next, first.keyId], 'the key in use comes first')

    clock.advance({ hours: 24 })
    await keys.rotateWhenDue()
    assert.deepEqual(kids(await keys.published()), [next])
    assert.equal((await listSigningKeys(database)).length, 1, 'the old private key is deleted')
  })

  test(`a private signing key is not in clear text in the store, and opens only with its own master key (${engine})`, async (t) => {
    const database = await open(t)
    const clock = testClock()
    await new SigningKeys({ database, keyring: ring, clock, settings }).inUse()
    const [key] = await listSigningKeys(database)
    assert.equal(Buffer.from(key!.sealedPrivateJwk).includes('"d"'), false)
    assert.doesNotMatch(key!.publicJwk, /"d"/)
    const other = new SigningKeys({ database, keyring: keyring(Buffer.alloc(32, 2)), clock, settings })
    await assert.rejects(other.inUse())
  })
})

const { open } = sqliteDatabases

test('a manual rotation publishes the next key, and with atOnce deletes the previous keys', async (t) => {
  const database = await open(t)
  const clock = testClock()
  const keys = new SigningKeys({ database, keyring: ring, clock, settings })
  const first = await keys.inUse()
  const { keyId: next, use } = await keys.rotate()
  assert.equal(use, 'next')
  assert.deepEqual(kids(await keys.published()), [first.keyId, next])
  assert.deepEqual(
    (await keys.list()).map(({ keyId, use }) => [keyId, use]),
    [
      [first.keyId, 'in use'],
      [next, 'next'],
    ],
  )
  const { keyId: clean } = await keys.rotate({ atOnce: true })
  assert.deepEqual(kids(await keys.published()), [clean])
  assert.equal((await keys.inUse()).keyId, clean)
})

test('a rotation without any key creates the first key, which signs at once', async (t) => {
  const database = await open(t)
  const clock = testClock()
  const keys = new SigningKeys({ database, keyring: ring, clock, settings })
  const { keyId, use } = await keys.rotate()
  assert.equal(use, 'in use')
  assert.deepEqual(
    (await keys.list()).map((key) => [key.keyId, key.startsAt, key.use]),
    [[keyId, clock.now(), 'in use']],
  )
  assert.equal((await keys.inUse()).keyId, keyId)
})

test('another server uses a rotation within a minute', async (t) => {
  const database = await open(t)
  const clock = testClock()
  const [here, there] = [0, 1].map(() => new SigningKeys({ database, keyring: ring, clock, settings }))
  await there!.inUse()
  const { keyId: clean } = await here!.rotate({ atOnce: true })
  clock.advance({ seconds: 60 })
  assert.equal((await there!.inUse()).keyId, clean)
})

test('when the clock jumps back before all keys, the oldest signs and no key is created', async (t) => {
  const database = await open(t)
  const clock = testClock()
  const keys = new SigningKeys({ database, keyring: ring, clock, settings })
  const { keyId } = await keys.inUse()
  clock.advance({ hours: -24 * 30 })
  await keys.rotateWhenDue()
  assert.equal((await keys.inUse()).keyId, keyId)
  assert.deepEqual(kids(await keys.published()), [keyId])
})

test('another algorithm starts with a new key, which is published before it signs', async (t) => {
  const database = await open(t)
  const clock = testClock()
  await new SigningKeys({ database, keyring: ring, clock, settings }).inUse()
  const keys = new SigningKeys({ database, keyring: ring, clock, settings: { ...settings, idTokenAlgorithm: 'RS256' } })
  await keys.rotateWhenDue()
  assert.deepEqual(
    (await keys.published()).map(({ alg }) => alg),
    ['ES256', 'RS256'],
  )
  assert.equal((await keys.inUse()).algorithm, 'ES256')
  clock.advance({ hours: 24 })
  assert.equal((await keys.inUse()).algorithm, 'RS256')
})

test('a failed read of the keys is not cached', async (t) => {
  const database = await open(t)
  let fails = true
  const query: typeof database.query = (sql, params) =>
    fails ? Promise.reject(new Error('no store')) : database.query(sql, params)
  const keys = new SigningKeys({ database: { ...database, query }, keyring: ring, clock: testClock(), settings })
  await assert.rejects(keys.inUse(), /no store/)
  fails = false
  assert.equal((await keys.inUse()).algorithm, 'ES256')
})

test('another server stops signing with a deleted key within a second', async (t) => {
  const database = await sqliteDatabases.open(t)
  const clock = testClock()
  const start = () => new SigningKeys({ database, keyring: ring, clock, settings })
  const [here, there] = [start(), start()]
  const leaked = (await there.inUse()).keyId
  await there.published()
  const { keyId } = await here.rotate({ atOnce: true })
  clock.advance({ ms: 900 })
  assert.notEqual(keyId, leaked)
  assert.equal((await there.inUse()).keyId, keyId)
  assert.deepEqual(
    (await there.published()).map(({ kid }) => kid),
    [keyId],
  )
})
