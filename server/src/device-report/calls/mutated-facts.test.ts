import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DevicePlatform } from '@ringfence/contract'
import { DeviceInfoDetail, DeviceReport, readSamples, SecureInfoDetail } from '@ringfence/contract'
import fc from 'fast-check'
import Value from 'typebox/value'
import { withoutUnknown } from '../../core/json/without-unknown.ts'
import type { Analysis } from '../../device/analysis/analyse.ts'
import { deviceInfoDetail } from '../../device/analysis/device-info.ts'
import { deviceMetaOf, gpsLocationOf } from '../../device/analysis/device-meta.ts'
import type { Evidence } from '../../device/analysis/evidence.ts'
import { readFacts } from '../../device/analysis/read-facts.ts'
import { simCardsOf } from '../../device/analysis/sim-cards.ts'
import { secureInfoDetail } from '../../device/analysis/views.ts'
import { sessionScore } from '../../device/scores/session-score.ts'
import { firedWeights } from '../../device/scores/weights.ts'
import { judgeAll } from '../../device/signals/judge.ts'
import { recordings } from '../../device/testdata/recordings.ts'
import { knownFields, reportDefaults } from '../fields.ts'

const { IosFacts, AndroidFacts } = readSamples()
const honest = [IosFacts!.everything, AndroidFacts!.everything, ...recordings().map(({ evidence }) => evidence.facts)]

const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 2, stringUnit: 'binary' }),
  fc.constantFrom(-1, 2 ** 53, 1e300, 1772366400, 'utun3', '\u0000', '\ud800', 'x'.repeat(300), Array(65).fill('x')),
  fc.constantFrom('{"__proto__":{"result":true}}', '{"constructor":{"prototype":{}}}').map((text) => JSON.parse(text)),
)

/** Facts of whatever device, some of them, or parts of them, replaced or gone. */
const mutatedFacts = fc
  .tuple(fc.constantFrom(...honest), fc.array(fc.tuple(fc.nat(), fc.option(fc.nat()), anything), { maxLength: 6 }))
  .map(([facts, changes]) => {
    const changed = structuredClone(facts) as Record<string, unknown>
    for (const [which, part, value] of changes) {
      const name = nth(changed, which)
      const fact = changed[name]
      const isPart = part !== null && typeof fact === 'object' && fact !== null
      Reflect.set(isPart ? fact : changed, isPart ? nth(fact, part) : name, structuredClone(value))
    }
    return changed
  })

/** One of its keys, or a new one. */
function nth(object: object, index: number): string {
  const names = [...Object.keys(object), 'scopedTunnels', 'aNewOne']
  return names[index % names.length]!
}

const headers = fc.dictionary(
  fc.constantFrom('user-agent', 'accept-language', 'sec-ch-ua', 'sec-ch-ua-platform', 'sec-ch-ua-mobile'),
  fc.string({ unit: 'binary-ascii', maxLength: 80 }),
)

test('returns a valid report and valid secure info for any facts', () => {
  const platforms = fc.constantFrom<DevicePlatform>('WEB', 'IOS', 'ANDROID')
  const holds = (platform: DevicePlatform, given: Record<string, unknown>, headers: Evidence['headers']) => {
    const { facts, malformedFacts } = readFacts(given, platform)
    const packageName = 'com.example.shop'
    const evidence = { platform, facts, malformedFacts, headers, packageName, network: undefined, now: 1772366400000 }
    const judgement = judgeAll(evidence)
    const deviceInfo = deviceInfoDetail(evidence, 'id')
    const ids = { requestId: 'r', sessionId: 's', appId: 'a', packageName, sdkVersion: '1' }
    const ofReport = {
      ...{ deviceMeta: deviceMetaOf(platform, facts, deviceInfo), gpsLocation: gpsLocationOf(facts) },
      ...withoutUnknown({ sim: simCardsOf(facts) }),
    }
    const rest = { ...ofReport, updateInfo: {}, tellsVerdicts: true }
    const analysis: Analysis = { ...ids, ...rest, platform, evidence, judgement, deviceInfo }
    const { score } = sessionScore(firedWeights(judgement.verdicts))
    assert.ok(score >= 0 && score <= 100)
    assert.deepEqual(Value.Errors(DeviceReport, { ...reportDefaults, ...knownFields(analysis) }), [])
    assert.deepEqual(Value.Errors(DeviceInfoDetail, deviceInfo), [])
    assert.deepEqual(Value.Errors(SecureInfoDetail, secureInfoDetail(analysis)), [])
  }
  fc.assert(fc.property(platforms, mutatedFacts, headers, holds), { numRuns: 2000 })
})
