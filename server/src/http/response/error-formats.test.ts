import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import {
  camaraEndpoints,
  camaraNumberVerificationEndpoints,
  camaraTokenEndpoint,
  type Endpoint,
  endpoints,
  type FailureName,
  failureOfSample,
  failures,
  readSamples,
} from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'
import { sqliteDatabases } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { errorFormats } from './error-formats.ts'

const samples = readSamples()
const requestId = '5f6b2c0e-2f0e-4f3c-9d7e-0c3c2b7e9a11'
const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const mistakes: Readonly<Record<string, string>> = {
  batchInvalid: 'the first line of CSV must name its columns, one of them phoneNumber',
  batchesLimited:
    'their 1000000 lines are as many as may be stored; wait until some expire, or raise BATCH_LINES_PER_TENANT',
  codeVerifierWrong:
    'must be the one whose codeChallenge the start had; finish the sign-in in the app or browser that started it',
  emailInvalid: 'must be an email address such as ada@shop.example: it has no @',
  idempotencyKeyReused: 'dfrId',
  limitReached: '100 apps; disable one first',
  numberVerificationsLimited: '100000 verifications',
  otpInvalid: 'the 6 digits',
  packageUnlisted:
    'the package name com.example.shop.debug. List it beside the others: ringfence apps update rfa_1b2C3d4E5f6G7h8I9j0K1l2M3n4O --package-name com.example.shop.debug --package-name …',
  passkeyRefused: 'it is not known here, or its answer is wrong',
  consentNotAllowed: 'consent.purpose must be one of dpv:FraudPreventionAndDetection',
  consentRequired: 'consent.purpose, consent.legalBasis',
  reviewAssigned: 'Maya Rao has it',
  roleHeld: '1 person, 2 client keys',
  searchesUsedUp: '50',
  ssoFailed: 'the identity provider did not answer in time',
  ssoRefused: 'none of your groups has a role here; ask an owner of the tenant',
  watchesLimited: '100000 numbers',
  webhookConflict: 'webhook wh_1 is paused: resume it first',
}

/** One code for several: Invalid Request, and what the specification does not tell apart. */
const shared = new Set(['P7102', '7102', '7114', '7118'])

test('each failure has a code that no other one has', () => {
  const names = new Map<string, string>()
  for (const [name, { errorCode }] of Object.entries(failures)) {
    if (shared.has(errorCode)) continue
    assert.equal(names.get(errorCode), undefined, `${name} has the code ${errorCode} of ${names.get(errorCode)}`)
    names.set(errorCode, name)
  }
})

for (const [name, { status }] of Object.entries(failures)) {
  if (status === 200) continue
  test(`${name} returns ${status} and the body of its sample`, () => {
    const refusal = new Refusal(name as FailureName, {
      window: 'looks back at most 168 hours',
      limitBytes: 65_536,
      mistake: mistakes[name] ?? 'packageName is missing',
      example:
        '"consent": {"purpose": "dpv:FraudPreventionAndDetection", "legalBasis": "LEGITIMATE_INTERESTS", "reference": "your-record-id"}',
      methods: 'SMS, WHATSAPP',
      attemptsLeft: 4,
      retryAfterSeconds: 27,
      cause: new Error('secret'),
    })
    const [inGeneral, ofDevices] = [samples.ErrorBody?.[kebab(name)], samples.DeviceErrorBody?.[kebab(name)]]
    const ofOAuth = samples.OAuthErrorBody?.[kebab(name)]
    const forLegacy = samples.LegacyErrorBody?.[kebab(name)]
    const ofAdmin = samples.Problem?.[kebab(name)]
    const ofCamara = samples.CamaraErrorBody?.[kebab(name)]
    assert.ok(inGeneral ?? ofDevices ?? ofAdmin ?? ofCamara ?? ofOAuth, 'it has a sample')
    if (ofCamara) assert.deepEqual(errorFormats.camara(refusal, requestId).body, ofCamara)
    if (inGeneral) assert.deepEqual(errorFormats.telecom(refusal, requestId), { status, body: inGeneral })
    if (ofDevices) assert.deepEqual(errorFormats.device(refusal, requestId), { status, body: ofDevices })
    if (ofAdmin) assert.deepEqual(errorFormats.problem(refusal, requestId), { status, body: ofAdmin })
    if (ofOAuth) assert.deepEqual(errorFormats.oauth(refusal, requestId), { status, body: ofOAuth })
    if (forLegacy) assert.deepEqual(errorFormats.legacy(refusal, requestId).body, forLegacy)
  })
}

test('a code of the admin API means one failure', () => {
  const codes = Object.values(failures)
    .map(({ errorCode }) => errorCode)
    .filter((code) => /^701[3-9]\d$/.test(code))
  assert.deepEqual(codes, [...new Set(codes)])
})

test('a check that failed is a 200 with success false, and with phoneDetail if it is known', () => {
  const { error } = samples.SimSwapResult!.failed as { error: object }
  assert.deepEqual(errorFormats.telecom(new Refusal('simSwapFailed'), 'r'), {
    status: 200,
    body: { success: false, error },
  })
  const phoneDetail = { countryCode: '91' }
  assert.deepEqual(errorFormats.telecom(new Refusal('simSwapFailed', { phoneDetail }), 'r').body, {
    success: false,
    error,
    phoneDetail,
  })
})

test('the error format auth drops the P of a code', () => {
  const { body } = errorFormats.auth(new Refusal('invalidPhoneNumber'), requestId)
  assert.deepEqual(body, samples.ErrorBody?.['invalid-phone-number-auth'])
})

test('an unexpected failure reveals nothing', () => {
  assert.deepEqual(errorFormats.telecom(undefined, 'r'), { status: 500, body: samples.UnexpectedErrorBody?.ordinary })
  assert.deepEqual(errorFormats.oauth(undefined, 'r'), { status: 500, body: samples.OAuthErrorBody?.unexpected })
  assert.deepEqual(errorFormats.legacy(undefined, 'r'), { status: 500, body: samples.LegacyErrorBody?.unexpected })
  assert.deepEqual(errorFormats.camara(undefined, 'r'), { status: 500, body: samples.CamaraErrorBody?.unexpected })
  assert.deepEqual(errorFormats.device(undefined, requestId), {
    status: 500,
    body: samples.DeviceErrorBody?.unexpected,
  })
})

test('the OpenAPI document lists under each status only samples of that status', () => {
  const ofCamara = [
    camaraTokenEndpoint,
    ...Object.values(camaraEndpoints),
    ...Object.values(camaraNumberVerificationEndpoints),
  ]
  const all: Endpoint[] = [...Object.values<Endpoint>(endpoints), ...ofCamara]
  for (const { path, refusals, errorFormat } of all) {
    for (const [status, row] of Object.entries(refusals)) {
      if (status === '500') continue
      assert.ok(row.samples.length > 0)
      for (const sample of row.samples) {
        const failure = failureOfSample(sample) as FailureName
        assert.ok(Object.hasOwn(failures, failure), `${path} ${sample}`)
        assert.equal(
          errorFormats[errorFormat](new Refusal(failure), requestId).status,
          Number(status),
          `${path} ${sample}`,
        )
      }
    }
  }
})

test('refuses what is no request in the format of its path, as far as the bytes name one', async (t) => {
  const { url } = await startTestService(t, await sqliteDatabases.open(t))
  const { hostname, port } = new URL(url)
  const answerTo = async (target: string, header: string) => {
    const socket = connect(Number(port), hostname).setEncoding('utf8')
    socket.write(`GET ${target} HTTP/1.1\r\nhost: ${hostname}\r\n${header}\r\n\r\n`)
    return (await socket.toArray()).join('')
  }
  const large = `x: ${'a'.repeat(17_000)}`
  for (const [target, header, status, type, member] of [
    ['/admin/v1/people', large, 431, 'application/problem+json', '"type":"/problems/headers-too-large"'],
    ['/admin/v1/people', 'no colon', 400, 'application/problem+json', '"type":"/problems/invalid-http"'],
    ['/client/v1/device-fingerprint', large, 431, 'application/json', '"errorMessage":'],
    ['/sim-swap/v2/check', large, 431, 'application/json', '"code":"REQUEST_HEADER_FIELDS_TOO_LARGE"'],
    ['/v1/telecom/portability', large, 431, 'application/json', '"errorCode":'],
    [
      '/admin/v1/../../v1/telecom',
      'a: b\r\nconnection: close',
      404,
      'application/problem+json',
      '"type":"/problems/not-found"',
    ],
    ['/client/v1/../x', 'a: b\r\nconnection: close', 404, 'application/json', '"errorMessage":'],
  ] as const) {
    const answer = await answerTo(target, header)
    assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `), target)
    assert.ok(answer.includes(`content-type: ${type}; charset=utf-8`), answer)
    assert.ok(answer.includes(member), answer)
  }
})
