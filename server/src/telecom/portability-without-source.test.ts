// Does anything say "not ported" where no source spoke? Mobile numbers of every territory that Google has an example of.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/max'
import examples from 'libphonenumber-js/mobile/examples'
import type { Call } from '../call.ts'
import { type PhoneNumber, parsePhoneNumber } from '../phone/phone-number.ts'
import { sqliteDatabases } from '../testing/databases.ts'
import { startTestService } from '../testing/test-service.ts'

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

test('without any source no number is "not ported", no operator is stated, and the check says that it is not known', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t), {
    edit: (parts) => ({ ...parts, portabilitySources: {}, connectors: {}, operators: [] }),
  })
  const { operators } = service.platform.telecom
  const call = {
    caller: { clientId: 'c', tenantId: service.tenantId },
    requestId: 'r',
    correlator: 'r',
    signal: new AbortController().signal,
    provenance: { sandbox: false },
    address: undefined,
    headers: {},
  } as Call
  const numbers = mobileNumbers()
  assert.ok(numbers.size > 235, `numbers of ${numbers.size} territories`)
  let asked = 0
  let homes = 0
  for (const number of [...numbers.values()].flat()) {
    const { phoneDetail, operator, homeOperator, ported } = await operators.identify(number, call)
    assert.deepEqual([ported, phoneDetail.isPorted, operator], [undefined, undefined, undefined], number.digits)
    asked++
    if (homeOperator) homes++
  }
  assert.equal(asked, NUMBERS)
  assert.ok(homes > 5_000, 'prefix data name home operators, so a wrong conclusion could be drawn here')
  for (const [{ digits }] of numbers.values() as Iterable<[PhoneNumber]>) {
    const { body } = await service.post(endpoints.portability.path, { phoneNumber: digits })
    assert.deepEqual([body.success, body.error?.errorCode], [false, 'P7301'], digits)
    assert.equal('isPorted' in (body.phoneDetail ?? {}), false, digits)
  }
})
