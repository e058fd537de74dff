import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import type { Call } from '../clients/call.ts'
import type { OperatorEntry } from '../core/config/operator-entry.ts'
import type { PhoneMetadata } from '../phone/phone-metadata.ts'
import { parsePhoneNumber } from '../phone/phone-number.ts'
import { testClock } from '../testing/test-clock.ts'
import type { Answers } from './answers.ts'
import { AnswersOfCall } from './answers-of-call.ts'
import { operatorRegistry } from './operator-registry.ts'
import { type AdmittedNumber, operators } from './operators.ts'
import type { PortabilityAnswer, PortabilitySource } from './portability-sources/source.ts'

const log = pino({ level: 'silent' })
const entries: OperatorEntry[] = [
  { id: '228-01', name: 'SWISSCOM', country: 'CH', aliases: ['41077', 'Swisscom Mobile'] },
  { id: '228-02', name: 'SUNRISE', country: 'CH', connector: 'sunrise' },
  { id: '404-45', name: 'AIRTEL', country: 'IN' },
]

function call(): Call {
  return {
    caller: { clientId: 'c', tenantId: 't' },
    requestId: 'r',
    correlator: 'r',
    signal: new AbortController().signal,
    provenance: { sandbox: false },
    address: undefined,
    headers: {},
  }
}

/** Stores nothing: every question is a new query. */
const askAlways: Answers = {
  find: async (question, ask) => ({ answer: await ask(question.call.signal) }),
  findAmong: (question, ask) => ask(question.call.signal),
  known: async () => [],
  stored: async () => new Map(),
  ofCall: () => new AnswersOfCall(async () => {}),
  keptFor() {},
  lines: { changed: async () => {}, servedBy: async () => {}, observe: async () => undefined, read: () => ({}) },
  dropExpired: async () => 0,
}

const source = (
  name: string,
  answer: Omit<PortabilityAnswer, 'asOf'> | undefined | Error,
  local = true,
): PortabilitySource => ({
  name,
  local,
  async lookUp() {
    if (answer instanceof Error) throw answer
    return answer && { ...answer, asOf: 0 }
  },
})

const admitted = (digits: string) => parsePhoneNumber(digits) as AdmittedNumber

async function identify(digits: string, sources: PortabilitySource[], carrier?: string) {
  const metadata: PhoneMetadata = {
    origin: 'test',
    lookUp: () => ({ ...(carrier !== undefined && { carrier }), timeZones: [] }),
  }
  const made = operators({
    registry: operatorRegistry(entries),
    sources: () => sources,
    metadata,
    answers: askAlways,
    portabilityReuseSeconds: 86_400,
    clock: testClock(),
    log,
  })
  const { operator, homeOperator, ported, phoneDetail } = await made.identify(admitted(digits), call())
  return { operator: operator?.name, homeOperator: homeOperator?.name, ported, phoneDetail }
}

const swissMobile = '41781234567'
const shown = { countryCode: '41', country: 'CH', type: 'MOBILE' }

test('takes the operator of a listed number from the list and its home operator from the range', async () => {
  const found = await identify(swissMobile, [
    source('ported', { operator: '228-02', ported: true }),
    source('ranges', { homeOperator: '228-01' }),
  ])
  assert.deepEqual(found.phoneDetail, { ...shown, operator: 'SUNRISE', homeOperator: 'SWISSCOM', isPorted: true })
})

test('compares operators by id and alias, never by name, and reports a number back home as not ported', async () => {
  const back = await identify(swissMobile, [
    source('ported', { operator: '41077', ported: true }),
    source('ranges', { homeOperator: '228-01' }),
  ])
  assert.deepEqual(back.phoneDetail, { ...shown, operator: 'SWISSCOM', homeOperator: 'SWISSCOM', isPorted: false })
  const sameName = await identify(swissMobile, [source('a', { operator: 'x:1', homeOperator: 'X-1', ported: true })])
  assert.equal(sameName.ported, true, 'two ids with one token are two operators')
})

test('reports a number that a source lists as ported as such, although prefix data name the same operator', async () => {
  const found = await identify(swissMobile, [source('ported', { operator: '228-01', ported: true })], 'Swisscom Mobile')
  assert.deepEqual(found.phoneDetail, { ...shown, operator: 'SWISSCOM', isPorted: true })
  const other = await identify(swissMobile, [source('ported', { operator: '228-02', ported: true })], 'Swisscom Mobile')
  assert.deepEqual(other.phoneDetail, { ...shown, operator: 'SUNRISE', homeOperator: 'SWISSCOM', isPorted: true })
})

test('reports an unlisted number of a complete range as not ported, with its home operator as operator', async () => {
  const found = await identify(swissMobile, [
    source('ported', { ported: false }),
    source('ranges', { homeOperator: '228-01' }),
  ])
  assert.deepEqual(found.phoneDetail, { ...shown, operator: 'SWISSCOM', homeOperator: 'SWISSCOM', isPorted: false })
})

test('takes only homeOperator from prefix data, in every territory, and never reports isPorted without a source', async () => {
  const found = await identify(swissMobile, [], 'Swisscom Mobile')
  assert.deepEqual(found.phoneDetail, { ...shown, homeOperator: 'SWISSCOM' })
  const unregistered = await identify(swissMobile, [], 'Salt Mobile')
  assert.deepEqual(unregistered.phoneDetail, { ...shown, homeOperator: 'SALT_MOBILE' })
  // China, the Emirates, Lebanon, Guernsey: libphonenumber does not list them as mobile number portable.
  for (const [digits, country] of [
    ['8613123456789', 'CN'],
    ['971501234567', 'AE'],
    ['9613123456', 'LB'],
    ['447781123456', 'GG'],
  ] as const) {
    const { operator, phoneDetail } = await identify(digits, [], 'Acme')
    assert.equal(operator, undefined)
    assert.equal(phoneDetail.homeOperator, 'ACME')
    assert.equal(phoneDetail.country, country)
    for (const field of ['operator', 'isPorted']) assert.equal(field in phoneDetail, false, `${field} of ${digits}`)
  }
})

test('keeps isPorted false of a source, and does not report the home operator of prefix data as the serving one', async () => {
  const found = await identify(swissMobile, [source('ported', { ported: false })], 'Swisscom Mobile')
  assert.deepEqual(found.phoneDetail, { ...shown, homeOperator: 'SWISSCOM', isPorted: false })
})

test('prefers the operator of a source that says not ported over prefix data, so the answer does not contradict itself', async () => {
  const found = await identify(swissMobile, [source('all', { operator: '228-02', ported: false })], 'Swisscom Mobile')
  assert.deepEqual(found.phoneDetail, { ...shown, operator: 'SUNRISE', homeOperator: 'SUNRISE', isPorted: false })
})

test('skips a source that fails and keeps the results of earlier ones', async () => {
  const found = await identify(swissMobile, [
    source('broken', new Error('down')),
    source('first', { operator: '228-02', ported: true }),
    source('second', { operator: '228-01', homeOperator: '228-01', ported: false }),
  ])
  assert.deepEqual(found.phoneDetail, { ...shown, operator: 'SUNRISE', homeOperator: 'SWISSCOM', isPorted: true })
  assert.deepEqual((await identify(swissMobile, [source('broken', new Error('down'))])).phoneDetail, shown)
})

test('never mixes made-up data with real data: queries the sandbox only for numbers that no other source knows', async () => {
  const made = source('sandbox', { operator: '001-01', homeOperator: '001-02', ported: true }, false)
  const sandbox = { ...made, sandbox: true }
  const listed = await identify(swissMobile, [source('ported', { operator: '228-02', ported: true }), sandbox])
  assert.deepEqual(listed.phoneDetail, { ...shown, operator: 'SUNRISE', isPorted: true })
  assert.equal((await identify(swissMobile, [source('ported', undefined), sandbox])).operator, '001_01')
})

test('queries no further source once everything is known', async () => {
  const never = source('never', new Error('asked'))
  never.lookUp = async () => assert.fail('asked')
  await identify(swissMobile, [source('all', { operator: '228-02', homeOperator: '228-01', ported: true }), never])
})

test('stores who serves a number only when a remote source was called, not for an answer that a source had', async () => {
  const clock = testClock()
  const remote = { ...source('enum', undefined, false), keepsAnswers: true }
  const asOf = clock.now()
  remote.lookUp = async () => ({ operator: '228-02', ported: true, asOf })
  const stored: number[] = []
  const made = operators({
    registry: operatorRegistry(entries),
    sources: () => [remote],
    metadata: { origin: 'test', lookUp: () => ({ timeZones: [] }) },
    answers: {
      ...askAlways,
      lines: {
        ...askAlways.lines,
        servedBy: async (_of, _operator, askedAt) => void stored.push(askedAt!),
      },
    },
    portabilityReuseSeconds: 86_400,
    clock,
    log,
  })
  const ageOf = async () => (await made.identify(admitted(swissMobile), call())).ageSeconds
  assert.equal(await ageOf(), undefined)
  clock.advance({ seconds: 200 })
  assert.equal(await ageOf(), 200)
  assert.deepEqual(stored, [asOf])
})

test('names an operator outside the registry by its id', async () => {
  const found = await identify(swissMobile, [source('ported', { operator: '228-99', ported: true })])
  assert.equal(found.operator, '228_99')
})

test('refuses two operators with the same id, name or alias, and names both', () => {
  const clash = (second: OperatorEntry) => () => operatorRegistry([entries[0]!, second])
  assert.throws(clash({ id: '41077', name: 'OTHER' }), /operators: 41077 and 228-01 both claim 41077/)
  assert.throws(clash({ id: '1', name: 'SWISSCOM', country: 'CH' }), /both claim/)
  assert.throws(clash({ id: '1', name: 'OTHER', country: 'CH', aliases: ['swisscom mobile'] }), /both claim/)
  assert.doesNotThrow(clash({ id: '1', name: 'SWISSCOM', country: 'LI' }))
})
