// Does each check compare with the subscriber that the admin API shows and sets?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type KycField, kycFields } from '@ringfence/contract'
import { type TestSandbox, testSandbox } from '../testing.ts'

const digits = '917020141726'
const scope =
  'dpv:FraudPreventionAndDetection kyc-match number-recycling kyc-tenure device-swap location-verification device-roaming-status device-reachability-status'

type Fields = Readonly<Record<string, unknown>>

const shown = async (operator: TestSandbox, number = digits) =>
  (await operator.get(`/sandbox/numbers/${number}`)).body.subscriber
const set = (operator: TestSandbox, subscriber: unknown) =>
  operator.send('PATCH', `/sandbox/numbers/${digits}`, { subscriber })
const match = async (operator: TestSandbox, fields: Fields, number = digits, version = 'v0.5') =>
  (
    await operator.post(
      `/kyc-match/${version}/match`,
      { phoneNumber: `+${number}`, ...fields },
      await operator.token(scope),
    )
  ).body

test('a number that nobody has set has a subscriber, always the same one, who differs from number to number', async () => {
  await using operator = await testSandbox()
  const subscriber = await shown(operator)
  assert.deepEqual([subscriber.name, subscriber.birthdate, subscriber.country], ['Asha Rao', '1991-04-30', 'IN'])
  const people = new Set<string>()
  for (let last = 10; last < 60; last++) {
    const other = await shown(operator, `9170201417${last}`)
    assert.deepEqual(other, await shown(operator, `9170201417${last}`))
    people.add(`${other.name} ${other.birthdate}`)
  }
  assert.ok(people.size > 45, `${people.size}`)
  for (const [number, country] of [
    ['819012345678', 'JP'],
    ['4915123456789', 'DE'],
    ['56961234567', 'CL'],
  ] as const) {
    const { address, name, nationality } = await shown(operator, number)
    assert.ok(address.length > 10 && name.length > 2, number)
    assert.equal(nationality, country)
  }
})

test('KYC match is true for what the admin API shows, and false with a score for anything else', async () => {
  await using operator = await testSandbox()
  const subscriber = await shown(operator)
  const known = Object.fromEntries(
    (Object.keys(kycFields) as KycField[]).flatMap((field) =>
      subscriber[field] === null ? [] : [[field, subscriber[field]]],
    ),
  )
  assert.ok(Object.keys(known).length > 18)
  const all = await match(operator, known)
  assert.deepEqual(new Set(Object.values(all)), new Set(['true']))
  assert.deepEqual(await match(operator, { birthdate: '1978-08-22' }), { birthdateMatch: 'false' })
  assert.deepEqual(await match(operator, { name: 'Asha Roa' }), { nameMatch: 'false', nameMatchScore: 98 })
  assert.deepEqual(await match(operator, { nameKanaZenkaku: 'ラオ アシャ' }), {
    nameKanaZenkakuMatch: 'not_available',
  })
})

test('spelling does not matter: case, accents, width, points, script marks, direction', async () => {
  await using operator = await testSandbox()
  const equal: [field: string, known: string, sent: string][] = [
    ['familyName', "O'Brien-Müller", 'OBRIEN MULLER'],
    ['familyName', 'Groß', 'gross'],
    ['familyName', 'Lefèvre', 'Lefe\u0300vre'],
    ['givenName', 'Παπαδόπουλος', 'ΠΑΠΑΔΟΠΟΥΛΟΣ'],
    ['givenName', 'مُحَمَّد', 'محمد'],
    ['givenName', '\u202eדָּוִד\u202c', 'דוד'],
    ['nameKanaZenkaku', 'タナカ ハナコ', 'ﾀﾅｶ ﾊﾅｺ'],
    ['familyName', '田中 花子', '田中花子'],
    ['address', 'Brigade Road 3, 560001 Bengaluru', 'brigade road 3 560001 BENGALURU'],
    ['idDocument', 'X-12 34.567', 'x1234567'],
    ['email', 'Asha@Example.com', 'asha@example.com'],
    ['country', 'IN', 'in'],
  ]
  for (const [field, known, sent] of equal) {
    assert.equal((await set(operator, { [field]: known })).status, 200, field)
    assert.deepEqual(await match(operator, { [field]: sent }), { [`${field}Match`]: 'true' }, `${known} ${sent}`)
  }
  const different: [known: string, sent: string][] = [
    ['राम', 'रमा'],
    ['ガ', 'カ'],
    ['Anna', 'Anne'],
    ['李', '季'],
  ]
  for (const [familyName, sent] of different) {
    await set(operator, { familyName })
    assert.equal((await match(operator, { familyName: sent })).familyNameMatch, 'false', `${familyName} ${sent}`)
  }
})

test('a subscriber stays one person: a complete name has no made-up parts, and parts make the complete one', async () => {
  await using operator = await testSandbox()
  const whole = (await set(operator, { name: 'Zainab Ali' })).body.subscriber
  assert.deepEqual([whole.name, whole.givenName, whole.familyName], ['Zainab Ali', null, null])
  assert.deepEqual(await match(operator, { name: 'zainab ali', givenName: 'Asha' }), {
    ...{ nameMatch: 'true', givenNameMatch: 'not_available' },
  })
  await operator.send('DELETE', `/sandbox/numbers/${digits}`)
  const parts = (await set(operator, { givenName: 'Zainab', middleNames: 'bint', streetNumber: '7' })).body.subscriber
  assert.equal(parts.name, 'Zainab bint Rao')
  assert.match(parts.address, / 7\b/)
  assert.equal((await shown(operator)).birthdate, '1991-04-30')
  const unknown = (await set(operator, { birthdate: null })).body.subscriber
  assert.deepEqual([unknown.birthdate, unknown.givenName], [null, 'Zainab'])
  assert.deepEqual(await match(operator, { birthdate: '1991-04-30' }), { birthdateMatch: 'not_available' })
})

test('phone, place, connection and contract are compared too', async () => {
  await using operator = await testSandbox()
  const token = await operator.token(scope)
  const phoneNumber = `+${digits}`
  const ask = async (path: string, body: object) => (await operator.post(path, body, token)).body
  const device = { phoneNumber }
  await set(operator, {
    ...{ deviceChangedHoursAgo: 30, connectivity: ['SMS'], roaming: { mobileCountryCode: 208, country: 'FR' } },
    ...{ subscribedOn: '2024-05-01', recycledOn: '2024-02-01', contractType: 'Business' },
    place: { latitude: 48.8584, longitude: 2.2945, accuracy: 500 },
  })
  const swapped = async (maxAge: number) => (await ask('/device-swap/v1/check', { phoneNumber, maxAge })).swapped
  assert.deepEqual([await swapped(29), await swapped(30)], [false, true])
  assert.equal((await ask('/device-reachability-status/v1/retrieve', { device })).connectivity.join(), 'SMS')
  assert.equal((await ask('/device-roaming-status/v1/retrieve', { device })).countryCode, 208)
  const recycled = async (specifiedDate: string) =>
    (await ask('/number-recycling/v0.2/check', { phoneNumber, specifiedDate })).phoneNumberRecycled
  assert.deepEqual([await recycled('2024-01-31'), await recycled('2024-02-01')], [true, false])
  const tenure = await ask('/kyc-tenure/v0.2/check-tenure', { phoneNumber, tenureDate: '2024-04-30' })
  assert.deepEqual(tenure, { tenureDateCheck: false, contractType: 'Business' })
  const located = async (longitude: number, radius: number) => {
    const area = { areaType: 'CIRCLE', center: { latitude: 48.8584, longitude }, radius }
    const { verificationResult, matchRate } = await ask('/location-verification/v3/verify', { device, area })
    return [verificationResult, matchRate]
  }
  assert.deepEqual(await located(2.2945, 2000), ['TRUE', undefined])
  assert.deepEqual(await located(2.2945, 250), ['PARTIAL', 25])
  assert.equal((await located(2.3, 500))[0], 'PARTIAL')
  assert.deepEqual(await located(2.35, 2000), ['FALSE', undefined])
  await set(operator, { place: null })
  const area = { areaType: 'CIRCLE', center: { latitude: 1, longitude: 1 }, radius: 5000 }
  const lost = await operator.post('/location-verification/v3/verify', { device, area }, token)
  assert.deepEqual([lost.status, lost.body.code], [422, 'LOCATION_VERIFICATION.UNABLE_TO_LOCATE'])
})

test('a subscriber has had a number at the earliest since it was recycled', async () => {
  await using operator = await testSandbox()
  assert.equal((await set(operator, { recycledOn: '2025-01-02' })).body.subscriber.subscribedOn, '2025-01-02')
})

test('refuses a wrong field with a sentence that names it', async () => {
  await using operator = await testSandbox()
  const refused: [unknown, RegExp][] = [
    [{ birthDate: '1990-01-01' }, /unknown fields: birthDate \(did you mean birthdate\?\)/],
    [{ shoeSize: 44 }, /shoeSize; it has .*birthdate/],
    [{ birthdate: '1990-02-30' }, /birthdate/],
    [{ birthdate: '2999-01-01' }, /birthdate must not be in the future/],
    [{ birthdate: 19900101 }, /birthdate/],
    [{ gender: 'X' }, /gender must be one of MALE, FEMALE, OTHER/],
    [{ name: '' }, /name/],
    [{ name: ' \u200f ' }, /name must be a text with at least one letter/],
    [{ name: '\ud800' }, /name must be a text/],
    [{ name: 'a\u0000b' }, /without control characters/],
    [{ name: 'x'.repeat(257) }, /name/],
    [{ country: 'India' }, /country/],
    [{ connectivity: ['WIFI'] }, /connectivity/],
    [{ place: { latitude: 91, longitude: 0 } }, /latitude/],
    [{ place: { latitude: 1 } }, /latitude and longitude, or neither/],
    [{ subscribedOn: '2020-01-01', recycledOn: '2021-01-01' }, /recycledOn must not be later/],
    [{ deviceChangedHoursAgo: 1, latestDeviceChange: null }, /not both/],
    [{}, /subscriber/],
    [[], /subscriber/],
    [null, /subscriber/],
  ]
  for (const [subscriber, message] of refused) {
    const { status, body } = await set(operator, subscriber)
    assert.deepEqual([status, body.code], [400, 'INVALID_ARGUMENT'], JSON.stringify(subscriber))
    assert.match(body.message, message)
  }
  assert.equal((await shown(operator)).name, 'Asha Rao')
})

test('each version of an API has its own members, and another version is 404 with those that are served', async () => {
  await using operator = await testSandbox()
  const { bankAccountNumber } = await shown(operator)
  assert.equal((await match(operator, { bankAccountNumber })).bankAccountNumberMatch, 'true')
  assert.deepEqual(await match(operator, { bankAccountNumber, name: 'Asha Rao' }, digits, 'v0.4'), {
    nameMatch: 'true',
  })
  assert.match((await match(operator, { nome: 'Asha' })).message, /unknown fields: nome/)
  assert.match((await match(operator, {}, digits, 'v0.3')).message, /served at \/kyc-match\/v0.4 and \/kyc-match\/v0.5/)
})
