import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nothingSeen } from '../history/seen-values.ts'
import { type Velocity, velocityOf } from '../history/velocity.ts'
import type { WeightName } from '../signals/index.ts'
import { combined } from './combine.ts'
import { type DeviceHistory, deviceScore } from './device-score.ts'
import { sessionScore } from './session-score.ts'
import { weights } from './weights.ts'

const now = Date.parse('2026-03-01T12:00:00Z')
const day = 86_400_000
const quiet = velocityOf({ seen: nothingSeen, devices: [], now, since: 0 })
const past = (changes: Partial<DeviceHistory> = {}): DeviceHistory => ({
  signals: new Map(),
  velocity: quiet,
  badLabels: [],
  linked: { badReports: 0, velocity: quiet },
  ...changes,
})
const signals = Object.keys(weights) as WeightName[]
const lastAt = (at: number, ...names: WeightName[]) => new Map(names.map((name) => [name, at]))

test('sessionRiskScore is 100·(1−Π(1−wᵢ)), and 0 when nothing fired', () => {
  assert.equal(sessionScore([]).score, 0)
  assert.equal(sessionScore(['bot']).score, 60)
  assert.equal(sessionScore(['bot', 'tampering']).score, 80)
  fc.assert(
    fc.property(fc.subarray(signals), fc.constantFrom(...signals), (fired, another) => {
      const before = sessionScore(fired).score
      const after = fired.includes(another) ? before : sessionScore([...fired, another]).score
      return before >= 0 && after >= before && after <= 100
    }),
  )
})

test('the IP address counts by its fraud score, unless a list names it', () => {
  assert.equal(sessionScore([], 40).score, 20)
  assert.equal(sessionScore(['publicVPN'], 40).score, 20)
  assert.deepEqual(sessionScore([], 40).contributions, [
    { source: 'fraudScore', weight: 0.2, because: 'the IP address has a fraud score of 40' },
  ])
})

test('deviceRiskScore also weighs the history of the device: a signal counts half after a week', () => {
  const session = sessionScore(['incognito'])
  assert.equal(deviceScore(session, past(), now).score, session.score)
  const scoreAfter = (days: number) =>
    deviceScore(sessionScore([]), past({ signals: lastAt(now - days * day, 'bot', 'tampering') }), now).score
  assert.deepEqual([0, 7, 14, 70].map(scoreAfter), [55.2, 30.3, 15.8, 0])
})

test('a signal that fires now counts once: somebody who uses a VPN every day is not riskier for it', () => {
  const session = sessionScore(['publicVPN', 'incognito'])
  const daily = lastAt(now, 'publicVPN', 'incognito')
  assert.equal(deviceScore(session, past({ signals: daily }), now).score, session.score)
  const { score, contributions } = deviceScore(sessionScore(['incognito']), past({ signals: daily }), now)
  assert.deepEqual(contributions.at(-1), {
    source: 'past.publicVPN',
    weight: 0.12,
    because: 'the IP address is that of a VPN; many honest people use one: within a day',
  })
  assert.equal(score, 20.8)
})

test('labelled fraud counts half after 90 days', () => {
  const scoreAfter = (days: number) =>
    deviceScore(sessionScore([]), past({ badLabels: [{ at: now - days * day }] }), now).score
  assert.deepEqual([0, 90, 180].map(scoreAfter), [70, 35, 17.5])
})

test('many accounts, numbers or countries of a device and many devices of an account raise the score, each kind once', () => {
  const scoreOf = (velocity: Partial<Velocity>) =>
    deviceScore(sessionScore([]), past({ velocity: { ...quiet, ...velocity } }), now)
  assert.equal(scoreOf({ accountsPerDevice24h: 2, accountsPerDevice7d: 4 }).score, 0, 'a family')
  assert.equal(scoreOf({ accountsPerDevice24h: 3, accountsPerDevice7d: 3 }).score, 15)
  assert.equal(scoreOf({ accountsPerDevice24h: 3, accountsPerDevice7d: 12 }).score, 40)
  assert.deepEqual(scoreOf({ phoneNumbersPerDevice24h: 12 }).contributions, [
    { source: 'phoneNumbersPerDevice', weight: 0.6, because: '12 phone numbers on the device in a day' },
  ])
  assert.equal(scoreOf({ countriesPerDevice1h: 2, countriesPerDevice24h: 2 }).score, 35)
  assert.equal(scoreOf({ devicesPerAccount24h: 5 }).score, 25)
})

test('every contribution has a reason, and together they make the score', () => {
  const session = sessionScore(['tor', 'incognito'])
  const { score, contributions } = deviceScore(
    session,
    past({ signals: lastAt(now - day, 'bot', 'incognito'), badLabels: [{ at: now - 2 * day }] }),
    now,
  )
  assert.deepEqual(
    contributions.map(({ source }) => source),
    ['tor', 'incognito', 'past.bot', 'badOutcome'],
  )
  assert.equal(combined(contributions, 100), score)
  for (const { because } of contributions) assert.ok(because.length > 0)
})

test('what other installations of the device did is listed and does not raise the score', () => {
  const session = sessionScore(['incognito'])
  const velocity = { ...quiet, accountsPerDevice24h: 12 }
  const linked = deviceScore(session, past({ linked: { badReports: 2, velocity } }), now)
  assert.equal(linked.score, session.score)
  assert.deepEqual(
    linked.contributions.slice(1).map(({ source, weight }) => [source, weight]),
    [
      ['linked.badOutcome', 0],
      ['linked.accountsPerDevice', 0],
    ],
  )
  const own = deviceScore(session, past({ velocity, linked: { badReports: 0, velocity } }), now)
  assert.deepEqual(
    own.contributions.slice(1).map(({ source }) => source),
    ['accountsPerDevice'],
  )
})
