import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Decision, endpoints, type Facts } from '@ringfence/contract'
import { androidPhone } from '../../device/testdata/phones.ts'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { createApp, sdkClient } from '../../testing/sdk-client.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { decisionCalls } from '../testing.ts'
import { simOfNumber } from './sim-of-number.ts'

const ordinaryNumber = '917020141726'
const australianNumber = '61491570006'
const numberWithoutOperator = '917020140132'
/** The operators of the sandbox that make checks, as their cards name them. */
const codes: Readonly<Record<string, string>> = { SANDBOX_NORTH: '00101', SANDBOX_SOUTH: '00102' }

test('one card of the number is enough, and none is known only where all cards are', () => {
  const operators = { isServedBy: (id: string) => (id === '001-09' ? undefined : id === '001-01') }
  const of = (
    sim: Omit<Parameters<typeof simOfNumber>[0], 'cards'>,
    ...cards: Parameters<typeof simOfNumber>[0]['cards']
  ) => simOfNumber({ ...sim, cards }, { countryCode: '91', country: 'IN' }, operators)
  const [own, other] = [
    { country: 'IN', networkCode: '001-01' },
    { country: 'FR', networkCode: '001-02' },
  ]
  assert.deepEqual(of({ inserted: 2 }, other, own), { countryOfNumber: true, operatorOfNumber: true })
  assert.deepEqual(of({ inserted: 2 }, own), { countryOfNumber: true, operatorOfNumber: true })
  assert.deepEqual(of({ inserted: 2 }, other), {}, 'the second card is not known')
  assert.deepEqual(of({}, other), {}, 'how many there are is not known')
  assert.deepEqual(of({ inserted: 1 }, other), { countryOfNumber: false, operatorOfNumber: false })
  assert.deepEqual(of({ inserted: 1 }, { ...other, networkCode: '001-09' }), { countryOfNumber: false })
  assert.deepEqual(of({ inserted: 1 }, {}), {}, 'a card that says nothing')
  assert.deepEqual(of({ inserted: 0 }), {}, 'a phone without a card')
})

test('a card of a country that shares the calling code is of the country of the number', () => {
  const operators = { isServedBy: () => undefined }
  const [british] = [{ inserted: 1, cards: [{ country: 'GB' }] }]
  assert.deepEqual(simOfNumber(british, { countryCode: '44', country: 'JE' }, operators), { countryOfNumber: true })
  assert.deepEqual(simOfNumber(british, { countryCode: '353', country: 'IE' }, operators), { countryOfNumber: false })
  assert.deepEqual(simOfNumber(british, {}, operators), {}, 'nothing is known of the number')
})

test('a card of a place that has the network code of another country is of the country of the number', () => {
  const operators = { isServedBy: () => undefined }
  const of = (card: string, countryCode: string, country: string) =>
    simOfNumber({ inserted: 1, cards: [{ country: card }] }, { countryCode, country }, operators).countryOfNumber
  const named = [
    ['GP', '596', 'MQ'],
    ['GP', '594', 'GF'],
    ['IL', '970', 'PS'],
    ['MC', '383', 'XK'],
  ] as const
  for (const [card, countryCode, country] of named) assert.equal(of(card, countryCode, country), true, country)
  assert.equal(of('PS', '972', 'IL'), false, 'and not the other way')
})

/** What the decision about a payment with this phone says of the number. */
async function paying(service: TestService, sim: Facts['sim'], request: object): Promise<Decision> {
  const { sim: _, ...others } = androidPhone().facts
  const client = await sdkClient(service, { app: await createApp(service), platform: 'ANDROID' })
  const { dfrId } = await client.fingerprint({ ...others, ...(sim && { sim }) })
  const body = { action: 'PAYMENT', userId: 'asha', dfrId, ...request }
  const { status, body: decision } = await decisionCalls(service).decide(body)
  assert.equal(status, 200, JSON.stringify(decision))
  return decision
}

const ofSim = ({ reasons }: Decision) => reasons.map(({ code }) => code).filter((code) => code.startsWith('SIM_OF'))

eachDatabase(({ engine, open }) => {
  test(`a decision compares the cards of the phone with the operator's answer about the number (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const request = { phoneNumber: ordinaryNumber, checks: ['portability'] }
    const operator = (await paying(service, undefined, request)).phone?.phoneDetail.operator ?? ''
    const { [operator]: own = '', ...others } = codes
    const cardOf = (networkCode: string) => ({ networkCode, carrier: 'airtel', country: 'in' })
    const sim = { slots: 2, inserted: 1, cards: [cardOf(own)] }
    const usual = await paying(service, sim, request)
    assert.deepEqual(ofSim(usual), [])
    const networkCode = own.replace(/^.../, '$&-')
    assert.deepEqual(usual.device?.sim, { slots: 2, inserted: 1, networkCode, carrier: 'airtel', country: 'IN' })
    const [other = ''] = Object.values(others)
    const moved = await paying(service, { ...sim, cards: [cardOf(other)] }, request)
    assert.deepEqual(ofSim(moved), ['SIM_OF_ANOTHER_OPERATOR'])
    const abroad = await paying(service, sim, { ...request, phoneNumber: australianNumber })
    assert.deepEqual(ofSim(abroad), ['SIM_OF_ANOTHER_COUNTRY'])
  })

  test(`what the phone or the operator does not say is not compared (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const request = { phoneNumber: ordinaryNumber, checks: ['portability'] }
    const silent = await paying(service, undefined, request)
    assert.deepEqual([ofSim(silent), silent.device?.sim], [[], undefined])
    const foreign = { inserted: 1, cards: [{ networkCode: '99999', country: '' }] }
    assert.deepEqual(ofSim(await paying(service, foreign, request)), [], 'no operator of the configuration')
    const sim = { inserted: 1, cards: [{ networkCode: '00102', country: 'in' }] }
    const unanswered = await paying(service, sim, { phoneNumber: numberWithoutOperator, checks: ['portability'] })
    assert.deepEqual([unanswered.phone?.phoneDetail.operator, ofSim(unanswered)], [undefined, []])
    assert.deepEqual(ofSim(await paying(service, sim, {})), [], 'no number')
  })
})

test('the report of an iPhone has no member of Android', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  const client = await sdkClient(service, { app: await createApp(service), platform: 'IOS' })
  const { dfrId } = await client.fingerprint({ ...androidPhone().facts, audioMode: 2 })
  const { body } = await service.post(endpoints.deviceFingerprint.path, { dfrId, deviceType: 'IOS' })
  for (const member of ['activeCall', 'remoteAccess', 'overlay', 'userProfile', 'sim']) {
    assert.equal(member in body, false, member)
  }
})
