import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WebFacts } from '@ringfence/contract'
import { homeAddress, iphone, laptop, workAddress } from '../testdata/devices.ts'
import { matchAccount } from './account-match.ts'
import calibration from './calibration.json' with { type: 'json' }
import { families, traitsOf } from './components.ts'
import { fingerprintOf, type KnownFingerprint } from './fingerprint.ts'

const day = 86_400_000
const fingerprint = (facts: WebFacts, address = homeAddress): KnownFingerprint => ({
  ...fingerprintOf(traitsOf(facts, address), 'test'),
  previous: new Map(),
})
const known = { fingerprint: fingerprint(laptop()), lastSeenAt: 0, name: 'laptop' }
const tablet = {
  fingerprint: fingerprint(laptop({ hardwareConcurrency: 4, fonts: ['Arial'] })),
  lastSeenAt: 0,
  name: 'old',
}

test("knows an account's device in another network, and says which it is", () => {
  const { probability, record } = matchAccount(fingerprint(laptop(), workAddress), [tablet, known], 3 * day)
  assert.ok(probability > 0.9)
  assert.equal(record?.name, 'laptop')
})

test('does not know a device of another model, or one that looks like all of its kind', () => {
  const other = laptop({
    webgl: { vendor: 'Google Inc. (NVIDIA)', renderer: 'ANGLE (NVIDIA, GeForce RTX 3060 Direct3D11)', image: 'other' },
    screen: { width: 2560, height: 1440, availWidth: 2560, availHeight: 1400, colorDepth: 24 },
    canvas: { geometry: 'other', text: 'other', isStable: true, isExact: true },
    hardwareConcurrency: 16,
    fonts: ['Arial', 'Consolas'],
    timezone: 'Europe/Berlin',
  })
  assert.equal(matchAccount(fingerprint(other, workAddress), [known], day).record, undefined)
  const phone = { fingerprint: fingerprint(iphone()), lastSeenAt: 0 }
  assert.deepEqual(matchAccount(fingerprint(iphone()), [phone], day), { probability: 0 })
  assert.deepEqual(matchAccount(fingerprint(laptop()), [], day), { probability: 0 })
})

test('has rising probabilities for every family', () => {
  for (const family of families) {
    const { curve } = calibration.accounts[family]
    const probabilities = curve.map(([, probability]) => probability!)
    assert.deepEqual(
      probabilities,
      probabilities.toSorted((a, b) => a - b),
    )
  }
})
