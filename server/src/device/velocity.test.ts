import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type DeviceVisit,
  devicesOfAccountSince,
  dropVisitsBefore,
  keepVisit,
  visitsSince,
} from '../storage/device-visits.ts'
import { eachDatabase } from '../testing/databases.ts'
import { velocityOf, velocityWindows } from './velocity.ts'

const now = Date.parse('2026-03-01T12:00:00Z')
const hour = 3_600_000
const week = velocityWindows['7d']

const hash = (text: string) => Buffer.from(text.padEnd(32))
const visit = (changes: Partial<DeviceVisit>): DeviceVisit => ({
  tenantId: 'bank',
  deviceHash: hash('device'),
  visitedAt: now,
  dfrId: 'request',
  accountHash: null,
  numberHash: null,
  country: null,
  signals: '',
  prefixHash: null,
  addressHash: null,
  ...changes,
})

eachDatabase(({ engine, open }) => {
  test(`velocity counts accounts, numbers, countries and devices in 1 h, 24 h and 7 d, each once (${engine})`, async (t) => {
    const database = await open(t)
    const visits = [
      visit({ dfrId: 'a', accountHash: hash('asha'), numberHash: hash('91'), country: 'IN' }),
      visit({ dfrId: 'b', visitedAt: now - hour / 2, accountHash: hash('asha'), country: 'IN' }),
      visit({ dfrId: 'c', visitedAt: now - 2 * hour, accountHash: hash('ben'), country: 'FR' }),
      visit({ dfrId: 'd', visitedAt: now - 50 * hour, accountHash: hash('cleo'), numberHash: hash('33') }),
      visit({ dfrId: 'e', visitedAt: now - 8 * 24 * hour, accountHash: hash('dan') }),
      visit({ dfrId: 'f', deviceHash: hash('other'), accountHash: hash('asha'), visitedAt: now - 3 * hour }),
      visit({ dfrId: 'g', tenantId: 'wallet', accountHash: hash('eve') }),
    ]
    for (const each of visits) await keepVisit(database, each)
    const found = velocityOf({
      visits: await visitsSince(database, visit({}), now - week),
      devices: await devicesOfAccountSince(database, { tenantId: 'bank', accountHash: hash('asha') }, now - week),
      now,
    })
    assert.deepEqual(found, {
      accountsPerDevice1h: 1,
      accountsPerDevice24h: 2,
      accountsPerDevice7d: 3,
      phoneNumbersPerDevice1h: 1,
      phoneNumbersPerDevice24h: 1,
      phoneNumbersPerDevice7d: 2,
      countriesPerDevice1h: 1,
      countriesPerDevice24h: 2,
      countriesPerDevice7d: 2,
      devicesPerAccount1h: 1,
      devicesPerAccount24h: 2,
      devicesPerAccount7d: 2,
    })
  })

  test(`a visit that is kept again takes what the app told later, and counts once (${engine})`, async (t) => {
    const database = await open(t)
    await keepVisit(database, visit({ signals: 'bot' }))
    await keepVisit(database, visit({ signals: 'bot', accountHash: hash('asha') }))
    const visits = await visitsSince(database, visit({}), now - week)
    assert.deepEqual(
      visits.map(({ accountHash, signals }) => [Buffer.from(accountHash!).toString().trim(), signals]),
      [['asha', 'bot']],
    )
  })

  test(`old visits leave in slices (${engine})`, async (t) => {
    const database = await open(t)
    for (let at = 0; at < 5; at++) await keepVisit(database, visit({ visitedAt: at, accountHash: hash(`${at}`) }))
    await keepVisit(database, visit({}))
    assert.equal(await dropVisitsBefore(database, now, 3), 6)
    assert.equal(await dropVisitsBefore(database, now, 3), 4)
    assert.equal(await dropVisitsBefore(database, now, 3), 0)
    assert.equal((await visitsSince(database, visit({}), -1)).length, 1)
  })
})
