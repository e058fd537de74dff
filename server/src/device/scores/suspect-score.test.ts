import assert from 'node:assert/strict'
import { test } from 'node:test'
import { suspectContributions, suspectScore } from './suspect-score.ts'

const vpn = { result: true, originCountry: 'unknown', methods: { timezoneMismatch: true } }

test('suspectScore is the sum of the published weights of everything found', () => {
  assert.deepEqual(suspectScore({ bot: { result: 'bad' }, incognito: true, vpn }, 'WEB'), { result: 14 })
  assert.deepEqual(
    suspectScore({ tampering: { result: true, anomalyScore: 0.9 }, virtualMachine: { result: true } }, 'WEB'),
    {
      result: 22,
    },
  )
  assert.deepEqual(suspectScore({ privacySettings: { result: true } }, 'WEB'), { result: 6 })
})

test('each contribution has its weight; a signal without a weight on the platform is left out', () => {
  const found = { bot: { result: 'bad' }, incognito: true, jailbroken: { result: true } } as const
  assert.deepEqual(suspectContributions(found, 'WEB'), [
    { source: 'badBot', weight: 7 },
    { source: 'incognito', weight: 4 },
  ])
  assert.deepEqual(suspectContributions(found, 'IOS'), [{ source: 'jailbroken', weight: 10 }])
})

test('each platform has its own weights', () => {
  assert.deepEqual(suspectScore({ vpn }, 'IOS'), { result: 4 })
  assert.deepEqual(suspectScore({ vpn, incognito: true }, 'ANDROID'), { result: 4 })
})

test('a negative verdict counts 0; without any verdict there is no score', () => {
  assert.deepEqual(suspectScore({ bot: { result: 'notDetected' }, incognito: false }, 'WEB'), { result: 0 })
  assert.deepEqual(suspectScore({ bot: { result: 'good' } }, 'WEB'), { result: 0 })
  assert.equal(suspectScore({}, 'WEB'), undefined)
})
