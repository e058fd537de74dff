import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordings } from '../testdata/recordings.ts'
import { claimedEngine, claimedVersion } from './engine.ts'
import { impossibleFeatures } from './language-features.ts'

const early = ['Array.prototype.toSorted', 'Promise.withResolvers', 'Array.fromAsync', 'Set.prototype.union']

test('rejects a version whose features are too old or too new for it', () => {
  assert.deepEqual(impossibleFeatures('chromium', 125, early), [])
  assert.equal(impossibleFeatures('chromium', 112, early).length, 3)
  assert.deepEqual(impossibleFeatures('chromium', 130, early), ['no Promise.try, which came with 128'])
  assert.deepEqual(impossibleFeatures('webkit', 605, []), [])
})

test('real browsers have the features of their version', () => {
  const real = recordings().filter(({ name }) => name.endsWith('-ordinary'))
  for (const {
    name,
    evidence: { facts },
  } of real) {
    const version = claimedVersion(facts.userAgent)
    if (version === undefined) continue
    assert.deepEqual(impossibleFeatures(claimedEngine(facts.userAgent)!, version, facts.engine!.features!), [], name)
  }
})
