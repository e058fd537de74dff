import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { deviceScore } from '../../device/scores/device-score.ts'
import { sessionScore } from '../../device/scores/session-score.ts'
import { firedWeights, weights } from '../../device/scores/weights.ts'
import { signals, type WeightName } from '../../device/signals/index.ts'
import { judgeAll } from '../../device/signals/judge.ts'
import { recorded, recordings } from '../../device/testdata/recordings.ts'
import { inputOf, runCases } from '../cases.ts'
import { readCondition } from '../language/condition.ts'
import type { CaseInput, Rule } from '../language/rule.ts'
import { decisionReasons, reasonsWith } from './catalogue.ts'
import { inputReasons } from './input-reasons.ts'
import { codeOf } from './reason.ts'
import { reasonsOf } from './reasons-of.ts'

const catalogue = reasonsWith(signals)
const known = new Set(catalogue.map(({ code }) => code))
const explained = (values: CaseInput, contributions: Parameters<typeof reasonsOf>[1] = []) =>
  reasonsOf(inputOf(values), contributions)
const codesOf = (...given: Parameters<typeof explained>) => explained(...given).reasons.map(({ code }) => code)
const sessionOf = (name: string) => sessionScore(firedWeights(judgeAll(recorded(name)).verdicts))

test('every reason of the catalogue has a unique code, a text that is a sentence, and a weight in points', () => {
  assert.equal(known.size, catalogue.length, 'no code twice')
  assert.ok(known.size > 50)
  for (const { code, text, weight, source } of catalogue) {
    assert.match(code, /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/)
    assert.match(text, /^[A-Z0-9].* .*[^.]$/, code)
    assert.ok(weight >= 0 && weight < 100, code)
    assert.match(source, /^(telecom|device|login|email|account|lists|missing|rules)\.[\w-]+$/, code)
  }
})

test('a code is the name in capitals, with an underscore between words', () => {
  assert.deepEqual(['bot', 'publicVPN', 'osMismatch', 'accountsPerDevice'].map(codeOf), [
    'BOT',
    'PUBLIC_VPN',
    'OS_MISMATCH',
    'ACCOUNTS_PER_DEVICE',
  ])
})

test('every reason of a decision has a case in which it applies and one in which it does not, and passes both', () => {
  const asRules = inputReasons.map(({ code, when, cases }) => ({ id: code, when: readCondition(when), cases }) as Rule)
  assert.deepEqual(runCases(asRules).failed, [])
  assert.deepEqual(runCases(asRules).untried, [])
  for (const { code, cases } of inputReasons) {
    for (const each of cases) {
      const [input, applies] = 'fires' in each ? [each.fires, true] : [each.silent, false]
      assert.equal(codesOf(input).includes(code), applies, `${code}: ${JSON.stringify(input)}`)
    }
  }
})

test('every contribution that a session or the history of a device can make has a row in the catalogue', () => {
  const names = Object.keys(weights) as WeightName[]
  const count = fc.integer({ min: 0, max: 12 })
  const counts = ['accountsPerDevice', 'phoneNumbersPerDevice', 'countriesPerDevice', 'devicesPerAccount'].flatMap(
    (kind) => ['1h', '24h', '7d'].map((window) => `${kind}${window}`),
  )
  const velocity = fc.record(Object.fromEntries(counts.map((name) => [name, count]))) as fc.Arbitrary<never>
  const most = new Map(catalogue.map(({ code, weight }) => [code, weight]))
  const found = new Set<string>()
  fc.assert(
    fc.property(
      fc.record({
        fired: fc.subarray(names),
        rate: fc.constantFrom(0, 40, 100),
        past: fc.subarray(names),
        velocity,
        labels: fc.array(fc.integer({ min: -9, max: 0 }), { maxLength: 1 }),
        linked: fc.record({ badReports: count, velocity }),
      }),
      ({ fired, rate, past, velocity, labels, linked }) => {
        const history = {
          signals: new Map(past.map((name) => [name, 0])),
          velocity,
          badLabels: labels.map((at) => ({ at })),
          linked,
        }
        const { contributions } = deviceScore(sessionScore(fired, rate), history, 0)
        for (const { code, weight } of reasonsOf({}, contributions).reasons) {
          assert.ok(weight <= (most.get(code) ?? -1), `${code} ${weight}`)
          found.add(code)
        }
      },
    ),
    { numRuns: 500 },
  )
  const decisions = new Set(decisionReasons.map(({ code }) => code))
  assert.deepEqual(
    [...known].filter((code) => !found.has(code) && !decisions.has(code)),
    [],
    'every row is reachable',
  )
})

test('an ordinary customer has a low score: a ported number, a new phone, a private window', () => {
  const ordinary = {
    'telecom.simSwap.swapped': false,
    'telecom.callForwarding.active': false,
    'telecom.portability.ported': true,
    'ipDetails.country': 'IN',
    'telecom.country': 'IN',
    newDevice: true,
  }
  for (const { name, evidence } of recordings().filter((each) => /-(ordinary|incognito)$/.test(each.name))) {
    const { contributions } = sessionScore(firedWeights(judgeAll(evidence).verdicts))
    const { score } = explained(ordinary, contributions)
    assert.ok(score <= 30, `${name}: ${score}`)
  }
})

test('a customer who travels with a known device, and one with a new phone, have a low score', () => {
  const established = { 'account.sessions': 40, 'account.travel.impossible': false }
  const travels = {
    'account.knownDevice': 'yes',
    'account.newCountry': true,
    'account.rareCountry': true,
    'account.newNetwork': true,
    'account.unusualHour': true,
    'ipDetails.country': 'GB',
    'telecom.country': 'IN',
  }
  const hasNewPhone = { newDevice: true, 'account.knownDevice': 'no', 'account.newCountry': false }
  for (const each of [travels, hasNewPhone]) {
    const { score } = explained({ ...established, ...each })
    assert.ok(score <= 30, `${score}`)
  }
})

test('a swapped SIM alone warns, and blocks with forwarded calls, an automated browser or a new device for the account', () => {
  const swapped = { 'telecom.simSwap.swapped': true }
  const band = ({ score }: { score: number }) => (score > 70 ? 'BLOCK' : score > 30 ? 'WARN' : 'ALLOW')
  const newForAccount = { newDevice: true, 'account.knownDevice': 'no', 'account.sessions': 3 }
  assert.equal(band(explained({ ...swapped, ...newForAccount })), 'BLOCK')
  const travelled = { 'account.travel.impossible': true, 'account.newCountry': true }
  assert.equal(band(explained(travelled)), 'WARN')
  assert.equal(band(explained({ ...travelled, ...newForAccount })), 'BLOCK')
  assert.deepEqual(codesOf(newForAccount), ['NEW_DEVICE_FOR_ACCOUNT'], 'one reason for one finding')
  assert.equal(band(explained(swapped)), 'WARN')
  assert.equal(band(explained({ ...swapped, newDevice: true })), 'WARN')
  assert.equal(band(explained({ 'telecom.callForwarding.active': true })), 'WARN')
  assert.equal(band(explained({ ...swapped, 'telecom.callForwarding.active': true })), 'BLOCK')
  assert.equal(band(explained({}, sessionOf('playwright-headless').contributions)), 'WARN')
  assert.equal(band(explained(swapped, sessionOf('playwright-headless').contributions)), 'BLOCK')
})

test('the device counts once: without other reasons, a decision has the score of the device', () => {
  for (const { name, evidence } of recordings()) {
    const session = sessionScore(firedWeights(judgeAll(evidence).verdicts), 40)
    const { score, reasons } = reasonsOf(
      { deviceRiskScore: session.score, ipDetails: { fraudScore: 40 } },
      session.contributions,
    )
    assert.equal(score, session.score, name)
    assert.equal(reasons.length, session.contributions.length, name)
  }
})

test('lists the strongest reason first, and each code once', () => {
  const labels = [0, -40].map((days) => ({ at: days * 86_400_000 }))
  const quiet = Object.fromEntries(['1h', '24h', '7d'].map((window) => [`accountsPerDevice${window}`, 0])) as never
  const past = { signals: new Map(), velocity: quiet, badLabels: labels, linked: { badReports: 0, velocity: quiet } }
  const device = deviceScore(sessionOf('playwright-headless'), past, 0)
  const { reasons, score } = explained({ 'telecom.portability.ported': true, newDevice: true }, device.contributions)
  const codes = reasons.map(({ code }) => code)
  assert.equal(new Set(codes).size, codes.length)
  assert.deepEqual(codes.slice(0, 2), ['KNOWN_BAD_DEVICE', 'BOT'])
  assert.deepEqual(codes.slice(-2), ['NEW_DEVICE', 'NUMBER_PORTED'])
  assert.match(reasons[0]!.text, /^A session of this device was labelled as bad, within a day, and 1 more$/)
  const innocent = reasons.reduce((rest, { weight }) => rest * (1 - weight / 100), 1)
  assert.ok(Math.abs(score - 100 * (1 - innocent)) < 0.1, 'the weights shown make the score shown')
})

test('a text says what is known, and leaves out what is not', () => {
  const textOf = (values: CaseInput) => explained(values).reasons[0]?.text
  const swapped = { 'telecom.simSwap.swapped': true }
  assert.equal(textOf(swapped), 'The SIM of this number was replaced')
  assert.equal(
    textOf({ 'account.travel.impossible': true, 'account.travel.distanceKm': 6703, 'account.travel.speedKmh': 13_406 }),
    'The last session of the account was too far away for the time between: 6,703 km, at 13,406 km/h',
  )
  assert.equal(
    textOf({ ...swapped, 'telecom.simSwap.maxAgeHours': 1 }),
    'The SIM of this number was replaced within the last hour',
  )
  assert.deepEqual(reasonsOf({}), { reasons: [], score: 0 })
})
