import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { clientEndpoints, correlatorPattern, requestHeaders, requestIdPattern } from '@ringfence/contract'
import { Ringfence, RingfenceError, type RingfenceOptions } from './index.ts'
import { type CallOptions, checkedSettings, settingsOfCall } from './settings.ts'
import { version } from './version.ts'

const options = { baseUrl: 'https://ringfence.test', clientId: 'client_1', clientSecret: 'secret_1' }

const refused = (words: RegExp) => (error: unknown) =>
  error instanceof RingfenceError && error.code === 'invalid_argument' && words.test(error.message)

const badOptions: [string, object, RegExp][] = [
  ['no baseUrl', { baseUrl: undefined }, /^baseUrl must be a URL such as https:/],
  ['a baseUrl without a scheme', { baseUrl: 'ringfence.test' }, /^baseUrl must begin with http:/],
  ['a baseUrl that is host and port', { baseUrl: 'localhost:8080' }, /^baseUrl must begin with http:/],
  ['a baseUrl of another scheme', { baseUrl: 'ftp://ringfence.test' }, /^baseUrl must be/],
  ['a baseUrl with a user', { baseUrl: 'https://user:password@ringfence.test' }, /^baseUrl must be/],
  ['a baseUrl with a query', { baseUrl: 'https://ringfence.test/?a=b' }, /^baseUrl must be/],
  ['an authUrl that is none', { authUrl: '/auth' }, /^authUrl must be/],
  ['no clientId', { clientId: undefined }, /^clientId is missing/],
  ['an empty clientSecret', { clientSecret: '' }, /^clientSecret is missing/],
  ['a clientSecret with a line break', { clientSecret: 'secret_1\n' }, /^clientSecret .*line break/],
  ['a clientId that is a number', { clientId: 7 }, /^clientId must be a string/],
  ['a timeoutMs of 0', { timeoutMs: 0 }, /^timeoutMs must be a whole number from 1 to/],
  ['a timeoutMs that a timer would fire at once', { timeoutMs: 2 ** 31 }, /^timeoutMs must be/],
  ['a timeoutMs in a string', { timeoutMs: '5000' }, /^timeoutMs must be/],
  ['half an attemptTimeoutMs', { attemptTimeoutMs: 0.5 }, /^attemptTimeoutMs must be/],
  ['negative retries', { retries: -1 }, /^retries must be a whole number from 0 to 10/],
  ['a fetch that is none', { fetch: 'fetch' }, /^fetch must be a function/],
  ['a misspelt option', { timeout: 5000 }, /new Ringfence: timeout is unknown; use .*timeoutMs/],
]
for (const [what, wrong, words] of badOptions) {
  test(`new Ringfence with ${what} throws invalid_argument and says what to do`, () => {
    assert.throws(() => new Ringfence({ ...options, ...wrong } as RingfenceOptions), refused(words))
  })
}

test('new Ringfence without options throws invalid_argument', () => {
  assert.throws(() => new Ringfence(undefined as unknown as RingfenceOptions), refused(/must be an object/))
})

const badCallOptions: [string, object, RegExp][] = [
  ['a misspelt option', { requestID: 'a' }, /the options of a call: requestID is unknown; use /],
  ['a requestId that the service would replace', { requestId: 'my request' }, /^requestId must be/],
  ['a correlator that the service would drop', { correlator: 'a b' }, /^correlator must be/],
  ['a deadline that the client would not wait for', { deadlineMs: 15_000 }, /^deadlineMs .* less than timeoutMs/],
  ['a deadlineMs in a string', { deadlineMs: '800' }, /^deadlineMs must be a whole number/],
  ['a controller for a signal', { signal: new AbortController() }, /^signal must be an AbortSignal/],
]
for (const [what, wrong, words] of badCallOptions) {
  test(`a call with ${what} throws invalid_argument and sends nothing`, async () => {
    const fetch = () => assert.fail('sent')
    const ringfence = new Ringfence({ ...options, fetch })
    const call = ringfence.portability({ phoneNumber: '917020141726' }, wrong as CallOptions)
    await assert.rejects(call, refused(words))
  })
}

test('refuses a misspelt field, which the service would ignore', async () => {
  const ringfence = new Ringfence({ ...options, fetch: () => assert.fail('sent') })
  const request = { phoneNumber: '917020141726', maxage: 72 }
  await assert.rejects(ringfence.simSwapCheck(request), refused(/simSwapCheck: maxage is unknown; use .*maxAge/))
  const bigint = { phoneNumber: 917020141726n } as unknown as { phoneNumber: string }
  await assert.rejects(ringfence.simSwapCheck(bigint), refused(/must be an object that JSON.stringify accepts/))
  const notANumber = { userId: 'u', params: { amount: Number('1,500') } }
  await assert.rejects(ringfence.decide(notANumber), refused(/amount is NaN: send a number, or leave it out/))
  const nothing = undefined as unknown as { phoneNumber: string }
  await assert.rejects(ringfence.simSwapCheck(nothing), refused(/simSwapCheck must be an object with phoneNumber/))
})

test('authUrl defaults to baseUrl; URLs keep their path and lose a trailing slash', () => {
  const { baseUrl, authUrl } = checkedSettings({ ...options, baseUrl: 'https://host.test/ringfence/' })
  assert.deepEqual([baseUrl, authUrl], ['https://host.test/ringfence', 'https://host.test/ringfence'])
  const apart = checkedSettings({ ...options, authUrl: 'https://auth.test' })
  assert.deepEqual([apart.baseUrl, apart.authUrl], ['https://ringfence.test', 'https://auth.test'])
})

test('an attempt may take a second longer than deadlineMs', () => {
  const settings = checkedSettings({ ...options, attemptTimeoutMs: 2_000 })
  assert.equal(settingsOfCall(settings, { deadlineMs: 5_000 }).attemptTimeoutMs, 6_000)
  assert.equal(settingsOfCall(settings, { deadlineMs: 500 }).attemptTimeoutMs, 2_000)
  assert.equal(settingsOfCall(settings, { deadlineMs: 30_000, timeoutMs: 40_000 }).timeoutMs, 40_000)
})

test('printing a client shows no secret', () => {
  const printed = inspect(new Ringfence(options), { depth: null, showHidden: true })
  assert.doesNotMatch(printed + JSON.stringify(new Ringfence(options)), /secret_1/)
})

test('sends the headers of the contract, and its version', async () => {
  let sent: Record<string, string> = {}
  const ringfence = new Ringfence({
    ...options,
    fetch: (_url, { headers }) => {
      sent = headers
      return Promise.reject(new Error('enough'))
    },
    retries: 0,
  })
  const all = { requestId: 'request-1', correlator: 'correlator-1', deadlineMs: 800 }
  await assert.rejects(ringfence.simSwapCheck({ phoneNumber: '917020141726' }, all))
  for (const name of Object.keys(requestHeaders)) assert.ok(sent[name], `${name} is not sent`)
  const { version: released } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  assert.equal(version, released)
  assert.equal(sent['user-agent'], `ringfence-node/${released}`)
})

test('the client has a method for every endpoint of the contract', () => {
  const methods = Object.getOwnPropertyNames(Ringfence.prototype).filter((name) => name !== 'constructor')
  // These two have bodies of lines.
  const all = [...Object.keys(clientEndpoints), 'createBatch', 'batchResults', 'exchangeCode']
  assert.deepEqual(methods.sort(), all.sort())
})

test('accepts exactly the request ids and correlators that the service accepts', async () => {
  const client = new Ringfence({
    baseUrl: 'http://127.0.0.1:1',
    clientId: 'id',
    clientSecret: 'secret',
    retries: 0,
    fetch: async () => new Response('{}'),
  })
  const characters = Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code))
  const candidates = [...characters, '', 'x'.repeat(128), 'x'.repeat(129), 'x'.repeat(256), 'x'.repeat(257)]
  for (const [option, pattern] of [
    ['requestId', requestIdPattern],
    ['correlator', correlatorPattern],
  ] as const) {
    for (const id of candidates) {
      const { code } = await client.portability({ phoneNumber: '1' }, { [option]: id }).then(
        () => assert.fail('{} is no answer'),
        (error: RingfenceError) => error,
      )
      assert.equal(code === 'invalid_argument', !pattern.test(id), JSON.stringify(id))
    }
  }
})
