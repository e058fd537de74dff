// What does somebody gain who says less? The table of silence: client × what it leaves out × answer, with the default rules.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Decision,
  type DevicePlatform,
  endpoints,
  type Facts,
  readSamples,
  type WebFacts,
} from '@ringfence/contract'
import { headersOf } from '../device/testdata/ordinary-report.ts'
import { recorded } from '../device/testdata/recordings.ts'
import { actions } from '../rules/language/rule.ts'
import { eachDatabase } from '../testing/databases.ts'
import { createApp, type SdkClient, sdkClient } from '../testing/sdk-client.ts'
import { startTestService, type TestService } from '../testing/test-service.ts'
import { decisionCalls } from './testing.ts'

const { IosFacts, AndroidFacts } = readSamples()
const phoneFacts = { IOS: IosFacts!.everything as Facts, ANDROID: AndroidFacts!.everything as Facts }

const picked = (facts: Facts, ...names: string[]) =>
  Object.fromEntries(Object.entries(facts).filter(([name]) => names.includes(name)))
const without = (facts: Facts, ...names: string[]) =>
  Object.fromEntries(Object.entries(facts).filter(([name]) => !names.includes(name)))

const emptied = (fact: object) => (Array.isArray(fact) ? fact : {})

interface Sent {
  readonly facts: Facts
  readonly headers: Record<string, string>
  readonly platform?: DevicePlatform
  readonly factsMissing?: Readonly<Record<string, string>>
  /** Sleeps so long before it sends. */
  readonly seconds?: number
}

/** What a recorded browser sends. */
function sentBy(name: string): Sent {
  const evidence = recorded(name)
  const { facts, notOwed = [], late = [] } = evidence
  const missing = [...notOwed.map((fact) => [fact, 'unavailable']), ...late.map((fact) => [fact, 'timedOut'])]
  return {
    ...{ facts, headers: headersOf(evidence), factsMissing: Object.fromEntries(missing) },
    ...(late.length > 0 && { seconds: 3 }),
  }
}

async function reportOf(service: TestService, sent: Sent) {
  const { facts, headers, platform = 'WEB', factsMissing, seconds = 0 } = sent
  const client: SdkClient = await sdkClient(service, { app: await createApp(service), platform, headers })
  service.clock.advance({ seconds })
  const { requestId } = await client.analyse(facts, factsMissing && { factsMissing })
  const pushed = await client.post(endpoints.pushFingerprint.path, client.pushBody(requestId))
  assert.equal(pushed.status, 200, JSON.stringify(pushed.body))
  return { dfrId: pushed.body.dfrId as string, client }
}

let people = 0
/** A challenge can be passed by email. */
const personOf = (number: number) => ({ userId: `user-${number}`, email: `user-${number}@example.com` })

async function decided(service: TestService, sent: Sent | undefined): Promise<Decision> {
  const { decide } = decisionCalls(service)
  const dfrId = sent && (await reportOf(service, sent)).dfrId
  const { body } = await decide({ action: 'SIGNUP', ...personOf(++people), ...(dfrId && { dfrId }) })
  return body as Decision
}

const rank = ({ action }: Pick<Decision, 'action'>) => actions.indexOf(action)
const script = { 'user-agent': 'python-requests/2.32.3' }

const owedAlone = [
  'automation',
  'alteredFunctions',
  'engine',
  'mediaQueries',
  'plugins',
  'windowGeometry',
  'inspection',
]

const readLast = ['inspection', 'windowGeometry', 'fonts', 'fileSystem', 'webgl']

/** A client without what it leaves out; undefined is no report. */
const silences: Readonly<Record<string, (sent: Sent) => Sent | undefined>> = {
  'six facts': (sent) => ({
    ...sent,
    facts: picked(sent.facts, 'userAgent', 'platform', 'language', 'languages', 'screen', 'timezone'),
  }),
  'facts without their parts': (sent) => ({
    ...sent,
    facts: Object.fromEntries(
      Object.entries(sent.facts).map(([name, fact]) => [name, fact && typeof fact === 'object' ? emptied(fact) : fact]),
    ),
  }),
  'no facts': (sent) => ({ ...sent, facts: {} }),
  'no report': () => undefined,
  'no traces of automation': (sent) => ({
    ...sent,
    facts: without(sent.facts, 'automation', 'inspection', 'alteredFunctions'),
  }),
  'facts that are said to be too late': (sent) => ({
    ...sent,
    facts: without(sent.facts, 'inspection', 'fonts', 'webgl', 'windowGeometry'),
    factsMissing: { inspection: 'timedOut', fonts: 'timedOut', webgl: 'timedOut', windowGeometry: 'timedOut' },
  }),
  'facts that are said to be too late, after a sleep': (sent) => ({
    ...sent,
    facts: without(sent.facts, ...owedAlone),
    factsMissing: Object.fromEntries(owedAlone.map((name) => [name, 'timedOut'])),
    seconds: 3,
  }),
  'what a slow browser reads last, after a sleep': (sent) => ({
    ...sent,
    facts: without(sent.facts, ...readLast),
    factsMissing: { ...sent.factsMissing, ...Object.fromEntries(readLast.map((name) => [name, 'timedOut'])) },
    seconds: 3,
  }),
  'what every browser draws': (sent) => ({
    ...sent,
    facts: without(sent.facts, 'canvas', 'pageCanvasExact', 'fonts', 'workerScope'),
    factsMissing: { ...sent.factsMissing, canvas: 'unavailable', fonts: 'unavailable', workerScope: 'unavailable' },
  }),
  'a claimed Android phone': () => ({ platform: 'ANDROID', facts: phoneFacts.ANDROID, headers: script }),
  'a claimed iPhone': () => ({ platform: 'IOS', facts: phoneFacts.IOS, headers: script }),
  'an Android phone that hides its ids': () => ({
    platform: 'ANDROID',
    facts: without(phoneFacts.ANDROID, 'drmId', 'androidId', 'rootTraces'),
    headers: { 'user-agent': 'okhttp/4.12.0' },
  }),
  'an Android phone that hides its traces': () => ({
    platform: 'ANDROID',
    facts: without(phoneFacts.ANDROID, 'rootTraces', 'hookTraces', 'emulatorTraces', 'peripherals'),
    headers: { 'user-agent': 'okhttp/4.12.0' },
  }),
  'a claimed phone without ids': () => ({ platform: 'ANDROID', facts: {}, headers: script }),
}

const clients = [
  ...['chromium-at-home', 'chromedriver-plain', 'playwright-disguised', 'firefox-as-windows'],
  // Only the console shows it.
  'protocol-runtime-enabled',
]

/** Honest people who reveal less, each as its browser shows it. */
function privateBrowsers(): Readonly<Record<string, Sent>> {
  const chromium = sentBy('chromium-at-home')
  const { clientHints } = chromium.facts as WebFacts
  const brands = [...(clientHints?.brands ?? []), { brand: 'Brave', version: '156' }]
  const resisting = sentBy('firefox-resist-fingerprinting')
  const lockedDown = sentBy('webkit-without-jit')
  const stripped = Object.entries(chromium.headers).filter(([name]) => !name.startsWith('sec-ch-ua'))
  return {
    'Tor Browser': resisting,
    LibreWolf: { ...resisting, facts: without(resisting.facts, 'webgl'), factsMissing: { webgl: 'unavailable' } },
    Brave: {
      ...chromium,
      facts: { ...chromium.facts, clientHints: { ...clientHints, brands }, pageCanvasExact: false },
    },
    'Firefox, strict': sentBy('firefox-strict-protection'),
    'Firefox, private and strict': sentBy('firefox-private-strict-protection'),
    'Lockdown Mode': {
      ...lockedDown,
      facts: without(lockedDown.facts, 'webgl', 'audio'),
      factsMissing: { webgl: 'unavailable', audio: 'unavailable' },
    },
    'no workers, Chromium': sentBy('chromium-strict-page'),
    'no workers, Firefox': sentBy('firefox-strict-page'),
    'a slow machine': sentBy('firefox-slow'),
    'a proxy that strips client hints': { ...chromium, headers: Object.fromEntries(stripped) },
  }
}

eachDatabase(({ engine, open }) => {
  test(`nobody is answered more mildly for saying less than an honest person who says all (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), { settings: { appRateBurst: 1000 } })
    const honest = await decided(service, sentBy('chromium-at-home'))
    assert.equal(honest.action, 'ALLOW', JSON.stringify(honest.reasons))
    for (const client of clients) {
      const sent = sentBy(client)
      const whole = await decided(service, sent)
      // The honest one is recognised by now, and no longer new.
      if (client !== 'chromium-at-home') assert.ok(rank(whole) >= rank(honest) && whole.score >= honest.score, client)
      for (const [name, silence] of Object.entries(silences)) {
        const answer = await decided(service, silence(sent))
        const text = `${client}, ${name}: ${answer.action} ${answer.score}, honest ${honest.score}`
        assert.ok(rank(answer) > rank(honest), text)
        assert.ok(answer.score >= honest.score, text)
        if (client === 'chromium-at-home') assert.equal(answer.action, 'CHALLENGE', `${text}: nothing contradicts it`)
      }
    }
  })

  test(`browsers that reveal less to protect a person are never refused (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), { settings: { appRateBurst: 1000 } })
    for (const [name, sent] of Object.entries(privateBrowsers())) {
      const { action, reasons } = await decided(service, sent)
      assert.notEqual(action, 'BLOCK', `${name}: ${JSON.stringify(reasons)}`)
    }
  })

  test(`a slow browser is allowed though fonts and storage came too late (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), { settings: { appRateBurst: 1000 } })
    for (const name of ['chromium-slow', 'firefox-slow', 'webkit-slow']) {
      const sent = sentBy(name)
      assert.ok(sent.seconds, `${name} has nothing late`)
      const { action, reasons } = await decided(service, sent)
      assert.equal(action, 'ALLOW', `${name}: ${JSON.stringify(reasons)}`)
    }
  })

  test(`a report stays as it was read, whatever its session sends later (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { dfrId, client } = await reportOf(service, sentBy('chromium-at-home'))
    const read = async () =>
      (await service.post(endpoints.deviceFingerprint.path, { dfrId, deviceType: 'WEB', include: ['signals'] })).body
    const before = await read()
    await client.analyse({ ...recorded('chromedriver-plain').facts })
    const { requestId: _, ...after } = await read()
    const { requestId: __, ...first } = before
    assert.deepEqual(after, first)
  })
})
