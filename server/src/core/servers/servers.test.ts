// Do the servers of a store know how many they are, also when one of them dies?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atEnd } from '../../testing/at-end.ts'
import { postgresDatabases, sqliteDatabases } from '../../testing/databases.ts'
import { testClock } from '../../testing/test-clock.ts'
import { dropDeadServers, joinServers } from './servers.ts'

test('counts the servers that were seen in the last 20 seconds, and deletes the others after a minute', async (t) => {
  const database = await postgresDatabases.open(t)
  // No server writes its time again, as if it had been killed.
  t.mock.timers.enable({ apis: ['setInterval'] })
  const clock = testClock()
  const first = await joinServers({ database, clock })
  atEnd(t, () => first.close())
  const second = await joinServers({ database, clock })
  assert.equal(second.count(), 2)
  await second.close()
  const third = await joinServers({ database, clock })
  atEnd(t, () => third.close())
  assert.equal(third.count(), 2, 'a server that stopped does not count')

  const later = testClock(clock.now())
  later.advance({ seconds: 19 })
  const early = await joinServers({ database, clock: later })
  assert.equal(early.count(), 3)
  await early.close()
  later.advance({ seconds: 2 })
  const survivor = await joinServers({ database, clock: later })
  atEnd(t, () => survivor.close())
  assert.equal(survivor.count(), 1)

  const rows = async () => (await database.query('select id from server')).length
  await dropDeadServers({ database, clock: later })
  assert.equal(await rows(), 3)
  later.advance({ seconds: 40 })
  await dropDeadServers({ database, clock: later })
  assert.ok((await rows()) <= 1)
})

test('the embedded store has one server', async (t) => {
  const servers = await joinServers({ database: await sqliteDatabases.open(t), clock: testClock() })
  assert.equal(servers.count(), 1)
  await servers.close()
})
