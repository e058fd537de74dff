// What does an Android phone gain that leaves out a fact? Each fact of the contract, over HTTP.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AndroidFacts, type Decision, endpoints, type Facts } from '@ringfence/contract'
import { decisionCalls } from '../../decisions/testing.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { createApp, sdkClient } from '../../testing/sdk-client.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { cases, sampleOf } from '../testdata/single-changes.ts'
import { owed } from './owed-facts.ts'

/** Why a report is complete without a fact. */
const mayBeAbsent: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['language', 'languages', 'timezoneOffset', 'devicePixelRatio', 'screen', 'memory', 'diskSpace', 'bootTime'].map(
      (name) => [name, 'no verdict reads it alone'],
    ),
  ),
  ...{ drmId: 'androidId is there', androidId: 'drmId is there' },
  volumeDates: 'no public API of Android says when a folder was made',
  proxy: 'absent while there is no network',
  developerOptions: 'a system may not have the setting',
  remoteAccessApps: 'the app chooses whether to look for them',
  accessibilityServices: 'Android 12',
  inputMethod: 'a phone may have none',
  audioMode: 'a tablet has no calls',
  touch: 'absent before the first touch',
  user: 'Android 11',
  wifi: 'absent in the mobile network',
  clock: 'a system may not have the setting',
  sim: 'a tablet has none',
  location: 'the user may refuse',
}

const without = (facts: Facts, name: string) =>
  Object.fromEntries(Object.entries(facts).filter(([each]) => each !== name)) as Facts

type Verdicts = Readonly<Record<string, { readonly verdict: { readonly result?: unknown; readonly facts?: string[] } }>>

/** What the report says of a new phone, and what is decided about it. */
async function startVisits(service: TestService) {
  const androidCertificates = sampleOf.ANDROID.appIntegrity?.certificates ?? []
  const app = await createApp(service, { settings: { androidCertificates } })
  const { decide } = decisionCalls(service)
  let count = 0
  return async (facts: Facts) => {
    const client = await sdkClient(service, { app, platform: 'ANDROID' })
    const number = ++count
    const own = {
      ...(facts.drmId && { drmId: `drm ${number}` }),
      ...(facts.androidId && { androidId: `id ${number}` }),
    }
    const { requestId } = await client.analyse({ ...facts, ...own })
    const { dfrId } = (await client.post(endpoints.pushFingerprint.path, client.pushBody(requestId))).body
    const question = { dfrId, deviceType: 'ANDROID', include: ['signals'] }
    const { status, body } = await service.post(endpoints.deviceFingerprint.path, question)
    assert.equal(status, 200)
    const userId = `user-${number}`
    const decided = await decide({ action: 'SIGNUP', userId, email: `${userId}@example.com`, dfrId })
    const { action, missing } = decided.body as Decision
    const signals = body.signals as Verdicts
    const lacking = signals.missingFacts?.verdict.facts ?? []
    return { score: body.sessionRiskScore as number, signals, lacking, action, missing }
  }
}

const nameOf = (fact: string) => fact.split('.')[0]

eachDatabase(({ engine, open }) => {
  test(`no verdict of an Android phone is milder for a fact that it leaves out (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), { settings: { appRateBurst: 1000 } })
    const visit = await startVisits(service)
    const whole = await visit(sampleOf.ANDROID)
    assert.deepEqual([whole.score, whole.lacking, whole.action], [0, [], 'ALLOW'])
    for (const name of Object.keys(AndroidFacts.properties)) {
      assert.ok(Object.hasOwn(sampleOf.ANDROID, name), `${name} is in the sample`)
      const left = await visit(without(sampleOf.ANDROID, name))
      const isOwed = mayBeAbsent[name] === undefined
      assert.equal(isOwed, (owed.ANDROID.each as readonly string[]).includes(name), `${name} has a reason, or is owed`)
      assert.deepEqual(left.lacking.map(nameOf), isOwed ? [name] : [], name)
      assert.deepEqual([left.score, left.action], isOwed ? [20, 'CHALLENGE'] : [0, 'ALLOW'], name)
      assert.deepEqual(
        left.missing.flatMap(({ facts = [] }) => facts.map(nameOf)),
        isOwed ? [name] : [],
        name,
      )
      for (const [signal, { verdict }] of Object.entries(left.signals)) {
        if (signal === 'missingFacts') continue
        const before = whole.signals[signal]?.verdict
        assert.ok(before, `${signal} is not known of the whole phone, and ${JSON.stringify(verdict)} without ${name}`)
      }
    }
  })

  test(`an Android phone that leaves out what speaks against it is not known to be clean (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), { settings: { appRateBurst: 1000 } })
    const visit = await startVisits(service)
    for (const { changes = {} } of cases.ANDROID) {
      const [name, ...more] = Object.keys(changes)
      if (name === undefined || more.length > 0) continue
      const shown = await visit({ ...sampleOf.ANDROID, ...changes })
      const hidden = await visit(without(sampleOf.ANDROID, name))
      const found = Object.keys(shown.signals).filter((each) => shown.signals[each]?.verdict.result === true)
      for (const signal of found) {
        const text = `${signal} without ${name}`
        assert.notEqual(hidden.signals[signal]?.verdict.result, false, text)
      }
      if (mayBeAbsent[name] === undefined) assert.equal(hidden.action, 'CHALLENGE', name)
    }
  })
})
