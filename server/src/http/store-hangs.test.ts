// Does every request end in time while the store hangs?

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import type { Database } from '../core/storage/database.ts'
import { openDatabase } from '../core/storage/open-database.ts'
import { makeToken } from '../sign-in/tokens/token.ts'
import { atEnd } from '../testing/at-end.ts'
import { postgresDatabases, sqliteDatabases } from '../testing/databases.ts'
import { settlesWithin } from '../testing/settles.ts'
import { startTestService } from '../testing/test-service.ts'
import { until } from '../testing/until.ts'

/** A way to the PostgreSQL server that can hang, as a network or a stopped server does. */
async function frozenAtWill(t: TestContext, place: string) {
  const folder = new URL(place).searchParams.get('host')
  const sockets = new Set<Socket>()
  let frozen = false
  const proxy = createServer((near) => {
    const far = connect(`${folder}/.s.PGSQL.5432`)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      if (frozen) from.pause()
      from.on('data', (bytes) => to.write(bytes))
      from.on('close', () => to.destroy())
      from.on('error', () => to.destroy())
    }
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  atEnd(t, () => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })
  const url = new URL(place)
  url.searchParams.delete('host')
  return {
    url: place.replace(/@.*/, `@127.0.0.1:${(proxy.address() as AddressInfo).port}${url.pathname}`),
    freeze(isFrozen: boolean) {
      frozen = isFrozen
      for (const socket of sockets) isFrozen ? socket.pause() : socket.resume()
    },
  }
}

test('answers 503 at the deadline of the caller, and /ready within a second, while PostgreSQL hangs', async (t) => {
  const way = await frozenAtWill(t, await postgresDatabases.place(t))
  const database = await openDatabase(way.url)
  atEnd(t, () => database.close())
  const service = await startTestService(t, database)
  const validate = async (deadlineMs: number) => {
    const headers = { 'x-ringfence-deadline-ms': String(deadlineMs) }
    const token = makeToken(service.clock.now())
    return (await service.post(endpoints.validateToken.path, { token }, headers)).status
  }
  assert.equal(await validate(5000), 400)
  way.freeze(true)
  const [soon, later] = [500, 1500]
  const answers = [soon, soon, later, soon].map((ms) => settlesWithin(ms === soon ? 1_400 : 2_500, validate(ms)))
  assert.deepEqual(await Promise.all(answers), Array(4).fill(503))
  assert.equal((await settlesWithin(1_500, fetch(`${service.url}/ready`))).status, 503)
  way.freeze(false)
  while ((await validate(5000)) !== 400);
  await until(async () => {
    service.clock.advance({ seconds: 1 })
    return (await fetch(`${service.url}/ready`)).status === 200
  })
})

test('closes its connections although PostgreSQL hangs', { timeout: 30_000 }, async (t) => {
  const way = await frozenAtWill(t, await postgresDatabases.place(t))
  const database = await openDatabase(way.url)
  await database.query('select 1 as one')
  way.freeze(true)
  await database.close()
})

test('answers /ready within a second while the disk of the embedded store hangs', async (t) => {
  const database = await sqliteDatabases.open(t)
  let hangs = false
  const hanging: Database = {
    engine: database.engine,
    within: (_, work) => work(),
    pools: () => [],
    query: (sql, params) => database.query(sql, params),
    batch: (statements) => database.batch(statements),
    batchSoon: (statements) => database.batchSoon(statements),
    transaction: (work, timeoutMs) => database.transaction(work, timeoutMs),
    ping: () => (hangs ? new Promise(() => undefined) : Promise.resolve()),
    close: () => database.close(),
  }
  const { url, clock } = await startTestService(t, hanging)
  assert.equal((await fetch(`${url}/ready`)).status, 200)
  hangs = true
  clock.advance({ seconds: 1 })
  assert.equal((await settlesWithin(1_500, fetch(`${url}/ready`))).status, 503)
})
