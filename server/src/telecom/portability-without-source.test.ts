// Does anything say "not ported" where no source spoke? Mobile numbers of every territory that Google has an example of.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/max'
import examples from 'libphonenumber-js/mobile/examples'
import { Client } from 'undici'
import { type PhoneNumber, parsePhoneNumber } from '../phone/phone-number.ts'
import { sqliteDatabases } from '../testing/databases.ts'
import { startTestService, type TestAnswer } from '../testing/test-service.ts'

const NUMBERS = 26_980

/** Each example and its neighbours, by their last digits; always the same. */
function mobileNumbers(): Map<string, PhoneNumber[]> {
  const territories = Object.entries(examples).filter(([country]) => isSupportedCountry(country))
  const found = new Map<string, PhoneNumber[]>()
  const seen = new Set<string>()
  // 400 neighbours each are enough for all, though some plans have few numbers.
  for (let step = 0; step < 400 && seen.size < NUMBERS; step++) {
    for (const [country, example] of territories) {
      if (seen.size === NUMBERS) break
      const ending = String((Number(example.slice(-3)) + step * 7) % 1000).padStart(3, '0')
      const digits = `${getCountryCallingCode(country as 'GB')}${example.slice(0, -3)}${ending}`
      const number = seen.has(digits) ? undefined : parsePhoneNumber(digits)
      if (!number?.type?.includes('MOBILE')) continue
      seen.add(digits)
      found.set(country, [...(found.get(country) ?? []), number])
    }
  }
  return found
}

/** So many requests are on the connection at a time. */
const AT_ONCE = 32

test('without any source no number is "not ported", no operator is stated, and the check says that it is not known', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t), {
    settings: { clientRatePerSecond: 1_000_000, overloadDelayMs: 60_000 },
    edit: (parts) => ({ ...parts, portabilitySources: {}, connectors: {}, operators: [] }),
  })
  const http = new Client(service.url, { pipelining: AT_ONCE })
  t.after(() => http.close())
  const numbers = mobileNumbers()
  assert.ok(numbers.size > 235, `numbers of ${numbers.size} territories`)
  const all = [...numbers.values()].flat().values()
  const counts = { asked: 0, withHomeOperator: 0 }
  const ask = async () => {
    for (const { digits } of all) {
      const response = await http.request({
        method: 'POST',
        path: endpoints.portability.path,
        headers: { 'content-type': 'application/json', ...service.credentials },
        body: JSON.stringify({ phoneNumber: digits }),
      })
      const body = (await response.body.json()) as TestAnswer['body']
      assert.equal(response.statusCode, 200, `${digits}: ${JSON.stringify(body)}`)
      assert.deepEqual([body.success, body.error?.errorCode], [false, 'P7301'], digits)
      assert.equal(body.phoneDetail.countryCode, parsePhoneNumber(digits)!.callingCode, 'it is about this number')
      assert.deepEqual(
        ['isPorted', 'operator'].filter((field) => field in body.phoneDetail),
        [],
        digits,
      )
      counts.asked++
      if ('homeOperator' in body.phoneDetail) counts.withHomeOperator++
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, ask))
  assert.equal(counts.asked, NUMBERS)
  assert.ok(
    counts.withHomeOperator > 5_000,
    'prefix data name home operators, so a wrong conclusion could be drawn here',
  )

  // The other answers that contain `isPorted`.
  for (const [{ digits }] of numbers.values() as Iterable<[PhoneNumber]>) {
    const { body } = await service.post(endpoints.telecomChecks.path, {
      phoneNumber: digits,
      checks: { portability: {}, simSwap: {} },
    })
    assert.deepEqual(
      ['isPorted', 'operator'].filter((field) => field in body.phoneDetail),
      [],
      digits,
    )
    for (const name of ['portability', 'simSwap']) assert.equal(body.checks[name].error?.errorCode, 'P7301', digits)
  }
})

test('the same numbers are "not ported" and have an operator where a source says so', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  for (const [{ digits }] of [...mobileNumbers().values()].slice(0, 20) as Iterable<[PhoneNumber]>) {
    const { body } = await service.post(endpoints.portability.path, { phoneNumber: digits })
    assert.equal(typeof body.phoneDetail.operator, 'string', digits)
    assert.equal(typeof body.phoneDetail.isPorted, 'boolean', digits)
  }
})
