// Can a stranger who has seen an authorization URL keep the phones of a tenant from being verified, or fill its store?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eachDatabase } from '../../testing/databases.ts'
import { begin, discovered, phoneService, redirectUri } from '../testing/phone-client.ts'

const ordinary = '917020141726'

eachDatabase(({ engine, open }) => {
  test(`a stranger cannot spend the daily cap by look-ups, and other networks still find operators (${engine})`, async (t) => {
    const service = await phoneService(t, await open(t), {
      settings: { messagesPerAddressHour: 3, trustedProxies: '127.0.0.1', portabilityReuseSeconds: 0 },
      edit: (parts) => ({
        ...parts,
        costs: { currency: 'EUR', prices: { sandbox: { portability: 5000 } }, dailyCap: { total: 100_000 } },
      }),
    })
    const config = await discovered(service)
    const opened = async (from: string, phoneNumber: string) => {
      const { url } = await begin(config, phoneNumber)
      const response = await fetch(url, { redirect: 'manual', headers: { 'x-forwarded-for': from } })
      const location = new URL(response.headers.get('location')!)
      return location.searchParams.get('error_description') ?? 'at its operator'
    }
    const spent = async () =>
      (await service.parts.telecom.costs.spent(service.tenantId)).reduce((sum, { micros }) => sum + micros, 0)
    for (let visit = 0; visit < 12; visit++) {
      const found = await opened('2001:db8:1:2::1', `9170201${41726 + visit}`)
      if (visit < 3) assert.equal(found, 'at its operator')
      else assert.match(found, /^the operators of too many numbers were looked up: try again in \d+ seconds/)
    }
    assert.equal(await spent(), 15_000)
    assert.equal(await opened('2001:db8:9:9::1', '917020151726'), 'at its operator')
    // Nor one number again and again from many networks, as a page with images could have it asked.
    const answers = []
    for (let host = 0; host < 30; host++) answers.push(await opened(`198.51.${host}.1`, ordinary))
    assert.ok(answers.some((answer) => answer.startsWith('the operators of too many numbers')))
    assert.ok((await spent()) < 100_000, 'the cap is not reached')
    const { body } = await service.post('/v1/telecom/sim-swap-check', { phoneNumber: ordinary })
    assert.equal(body.success, true)
  })

  test(`one network begins a tenth of the phones of an hour, and no look-up or row more (${engine})`, async (t) => {
    const database = await open(t)
    const service = await phoneService(t, database, {
      settings: { numberVerificationsPerHour: 20, trustedProxies: '127.0.0.1' },
    })
    const config = await discovered(service)
    const opened = async (from: string, phoneNumber = ordinary) => {
      const { url, checks } = await begin(config, phoneNumber)
      const response = await fetch(url, { redirect: 'manual', headers: { 'x-forwarded-for': from } })
      const location = new URL(response.headers.get('location')!)
      if (location.origin !== new URL(redirectUri).origin) return 'at its operator'
      assert.equal(location.searchParams.get('state'), checks.expectedState)
      return [location.searchParams.get('error'), location.searchParams.get('error_description')].join(': ')
    }
    const rows = async () => (await database.query('select id_hash from number_verification', [])).length

    const [stranger, sameNetwork] = ['2001:db8:1:2::1', '2001:db8:1:2::2']
    const answers = [await opened(stranger), await opened(sameNetwork)]
    assert.deepEqual(answers, ['at its operator', 'at its operator'])
    const calls = service.sandbox.calls.last(999).length
    // A number without an operator costs a look-up too.
    for (const number of [ordinary, '917020140132']) {
      const refused = await opened(stranger, number)
      assert.match(
        refused,
        /^temporarily_unavailable: 2 verifications of phones in one network have begun in this hour/,
      )
      assert.match(refused, /try again in \d+ seconds, or send an OTP/)
    }
    assert.deepEqual([await rows(), service.sandbox.calls.last(999).length], [2, calls])

    for (let host = 1; host <= 18; host++) assert.equal(await opened(`198.51.100.${host}`), 'at its operator')
    const counts = async () => (await database.query('select count from message_count', [])).length
    const before = await counts()
    for (let host = 100; host < 105; host++)
      assert.match(await opened(`198.51.100.${host}`), /^temporarily_unavailable: 20 /)
    assert.deepEqual([await rows(), await counts()], [20, before])

    service.clock.advance({ hours: 1 })
    const passed = async (addressOf: (i: number) => string) => {
      const all: string[] = []
      for (let i = 0; i < 8; i++) all.push(await opened(addressOf(i)))
      return all.filter((answer) => answer === 'at its operator').length
    }
    assert.equal(await passed((i) => `2001:db8:2:${i}::1`), 4, 'one /56')
    assert.equal(await passed((i) => `2001:db8:3:${i}00::1`), 6, 'one /48')
    for (let host = 1; host <= 10; host++) assert.equal(await opened(`203.0.113.${host}`), 'at its operator')
    assert.match(await opened('203.0.113.11'), /^temporarily_unavailable: 20 /)

    // Backends are not limited by what strangers begin, and every hour is new.
    assert.equal((await service.post('/v1/telecom/number-verifications', { phoneNumber: ordinary })).status, 200)
    service.clock.advance({ hours: 1 })
    assert.equal(await opened(stranger), 'at its operator')
  })
})
