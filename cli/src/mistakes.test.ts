// What does somebody who begins read about a mistake: of curl, of the Node client, and in the log?

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { Ringfence, RingfenceError } from '@ringfence/node'
import { sqliteDatabases } from '@ringfence/server/testing/databases.ts'
import { freePorts } from '@ringfence/server/testing/free-ports.ts'
import { createApp, sdkClientOf } from '@ringfence/server/testing/sdk-client.ts'
import { startTestService } from '@ringfence/server/testing/test-service.ts'
import { until } from '@ringfence/server/testing/until.ts'
import { pino } from 'pino'

const decide = endpoints.decide.path
const number = '61491570110'
const payment = { action: 'PAYMENT', userId: 'asha', phoneNumber: number }
const whole = JSON.stringify(payment)
const json = { 'content-type': 'application/json' }

type Line = Record<string, unknown> & { msg: string; hint?: string }

async function beginner(t: TestContext) {
  const lines: Line[] = []
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line) as Line) })
  const service = await startTestService(t, await sqliteDatabases.open(t), { log })
  const { parts, credentials, url } = service
  const app = await createApp(service)
  const { id: elsewhere } = await parts.tenantKeyring.createTenant('another')
  const others = await parts.clients.createClient(elsewhere, 'another')
  const hintInLog = async () => {
    const line = await until(() => lines.find(({ msg }) => msg === 'request'))
    assert.ok(!JSON.stringify(lines).includes(credentials.clientSecret), 'no secret')
    assert.ok(!JSON.stringify(lines).includes(number), 'no number')
    return line?.hint ?? ''
  }
  return {
    ...{ ...service, app, others, elsewhere },
    /** `expected` is in the notice that curl -i shows, and in the log. */
    async curl(expected: RegExp, path: string, init: { headers?: object; body?: string; method?: string } = {}) {
      lines.length = 0
      const { headers = {}, body = whole, method = 'POST' } = init
      const sent = { method, headers: { ...json, ...credentials, ...headers }, ...(method === 'POST' && { body }) }
      const answer = await fetch(url + path, sent as RequestInit)
      await answer.text()
      assert.match(answer.headers.get('x-ringfence-notice') ?? '', expected)
      assert.match(await hintInLog(), expected)
    },
    /** `expected` is in the message of the error, or in the notice of an answer, and in the log unless nothing arrived. */
    async client(
      expected: RegExp,
      options: { baseUrl?: string; clientId?: string; clientSecret?: string; retries?: number; timeoutMs?: number },
      call: (ringfence: Ringfence) => Promise<unknown> = (ringfence) => ringfence.decide(payment),
      { arrives = true } = {},
    ) {
      lines.length = 0
      let said = ''
      try {
        const ringfence = new Ringfence({ baseUrl: url, ...credentials, retries: 0, ...options })
        said = ((await call(ringfence)) as { meta: { notice?: string } }).meta.notice ?? ''
      } catch (error) {
        assert.ok(error instanceof RingfenceError, String(error))
        said = error.message
      }
      assert.match(said, expected)
      if (arrives) assert.match(await hintInLog(), expected)
    },
  }
}

test('says what is wrong with credentials, by their form alone', async (t) => {
  const { curl, client, credentials, app, others } = await beginner(t)
  const { clientId, clientSecret } = credentials
  const pairs: [RegExp, { clientId?: string; clientSecret?: string }][] = [
    [/are swapped: the id begins with rfc_/, { clientId: clientSecret, clientSecret: clientId }],
    [/has the id of an app \(rfa_/, { clientId: app.id }],
    [/no pair of this installation/, { clientSecret: others.clientSecret }],
    [/clientSecret is not whole/, { clientSecret: clientSecret.slice(0, -1) }],
    [/clientId is not whole/, { clientId: clientId.slice(0, -3) }],
    [/has quotation marks/, { clientSecret: `"${clientSecret}"` }],
  ]
  for (const [expected, pair] of pairs) {
    await curl(expected, decide, { headers: pair })
    await client(expected, pair)
  }
  const none = { clientId: '', clientSecret: '' }
  await curl(/paste the export command/, decide, { headers: none })
  await curl(/clientSecret is missing or empty/, decide, { headers: { clientSecret: '' } })
  await curl(/Authorization is not read here/, decide, { headers: { ...none, authorization: `Basic ${btoa('a:b')}` } })
  await curl(/session token of a page/, decide, { headers: { ...none, authorization: 'Bearer rfb_0123' } })
  await curl(/appId is for pages/, decide, { headers: { ...none, appId: app.id } })
  await curl(/named clientId and clientSecret/, decide, { headers: { ...none, 'client-id': clientId } })
  const nothing = { arrives: false }
  await client(/remove spaces and line breaks/, { clientSecret: `${clientSecret}\n` }, undefined, nothing)
  await client(/clientId is missing/, { clientId: '' }, undefined, nothing)
})

test('says what is wrong with the URL, and what listens there', async (t) => {
  const { curl, client, url } = await beginner(t)
  const path = /The path is \/v1\/decisions.*base URL/
  for (const prefix of ['/api', '/v1', '/']) await curl(path, prefix + decide)
  await curl(path, `${decide}/`)
  await client(path, { baseUrl: `${url}/v1` })
  await client(path, { baseUrl: `${url}/api/` })
  await curl(/This path takes POST/, decide, { method: 'GET' })

  const [free] = await freePorts(1)
  const nothing = { arrives: false }
  await client(/is the service running/, { baseUrl: `http://127.0.0.1:${free}` }, undefined, nothing)
  await client(/use http:\/\/ in baseUrl/, { baseUrl: url.replace('http:', 'https:') }, undefined, nothing)
  await client(/baseUrl must begin with http:/, { baseUrl: url.replace('http://', '') }, undefined, nothing)

  const page = createServer((socket) => {
    socket.end('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 2\r\nconnection: close\r\n\r\nhi')
  }).listen(0, '127.0.0.1')
  t.after(() => page.close())
  await once(page, 'listening')
  const ofPage = { baseUrl: `http://127.0.0.1:${(page.address() as AddressInfo).port}` }
  await client(/Is baseUrl that of Ringfence/, ofPage, undefined, nothing)
  const silent = createServer(() => undefined).listen(0, '127.0.0.1')
  t.after(() => silent.close())
  await once(silent, 'listening')
  const ofSilent = { baseUrl: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`, timeoutMs: 200 }
  await client(/within \d+ ms\. Is the service overloaded/, ofSilent, undefined, nothing)
})

test('says what is wrong with the body', async (t) => {
  const { curl, client, post } = await beginner(t)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  await curl(/curl -d sends a form/, decide, { headers: form })
  await curl(/fetch sends text\/plain/, decide, { headers: { 'content-type': 'text/plain' } })
  const bodies: [RegExp, string][] = [
    [/turned into JSON twice/, JSON.stringify(whole)],
    [/double quotation marks around names and texts/, whole.replaceAll('"', "'")],
    [/The body is empty/, ''],
    [/undefined, NaN.* are no JSON/, '{"action": "LOGIN", "userId": undefined}'],
    [/no comma before a closing bracket/, '{"action": "LOGIN",}'],
    [/put it in quotation marks/, `{"action":"PAYMENT","phoneNumber":${number}}`],
    [/action is in capitals/, '{"action":"payment","userId":"asha"}'],
    [/leave out the plus sign/, whole.replace(number, `+${number}`)],
    [/no action was sent/, '{"userId":"asha"}'],
    [/userId has the text undefined: its variable was not set/, '{"action":"LOGIN","userId":"undefined"}'],
    [/params\.payee has the text None/, '{"action":"PAYMENT","userId":"asha","params":{"payee":"None"}}'],
    [/token: no such one.*empty/, '{"action":"LOGIN","userId":"asha","token":null}'],
    [/params\.amount is a text .* send 1500/, '{"action":"PAYMENT","userId":"asha","params":{"amount":"1,500"}}'],
  ]
  for (const [expected, body] of bodies) await curl(expected, decide, { body })
  await curl(/ignored/, decide, { body: whole.replace('phoneNumber', 'phonenumber') })
  const unknown = Object.fromEntries([...'abcdefghijkl'].map((letter) => [`more${letter}`, 1]))
  const { headers } = await post(decide, { ...unknown, userID: 'asha', email: 'asha@example.com' })
  assert.match(
    headers.get('x-ringfence-notice') ?? '',
    /^unknown field "userID" was ignored, did you mean "userId"\?; /,
  )
  const send = (change: object) => (ringfence: Ringfence) => ringfence.decide({ ...payment, ...change })
  await client(/leave out the plus sign/, {}, send({ phoneNumber: `+${number}` }))
  await client(/put it in quotation marks/, {}, send({ phoneNumber: Number(number) as unknown as string }))
  await client(/action is in capitals/, {}, send({ action: 'payment' }))
  await client(/no action was sent/, {}, send({ action: undefined }))
  await client(/has the text undefined/, {}, send({ userId: String(undefined) }))
  const nothing = { arrives: false }
  const unsent = { phoneNumber: undefined, params: { amount: undefined } }
  await client(/phonenumber is unknown; use/, {}, send({ phonenumber: number }), nothing)
  await client(/userId is undefined: send your id/, {}, send({ userId: undefined }), nothing)
  await client(/not sent: phoneNumber, params\.amount/, {}, send(unsent), nothing)
  await client(/amount is NaN/, {}, send({ params: { amount: Number.NaN } }), nothing)
})

test('says what is wrong with a token or a report, and that an operator was late', async (t) => {
  const { curl, client, credentials, others, url, clock, app, parts, elsewhere } = await beginner(t)
  const validate = endpoints.validateToken.path
  const identity = { identityType: 'EMAIL', identityValue: 'asha@example.com', channel: 'OAUTH', methods: ['GOOGLE'] }
  const signedIn = { userId: 'asha', identities: [{ ...identity, verified: false }] } as Parameters<
    Ringfence['issueToken']
  >[0]
  const tokenOf = async (of: { clientId: string; clientSecret: string }) =>
    (await new Ringfence({ baseUrl: url, ...of }).issueToken(signedIn)).token
  const ours = await tokenOf(credentials)
  const foreign = await tokenOf(others)
  const validated = (token: string) => (ringfence: Ringfence) => ringfence.validateToken({ token })
  await curl(/No such token of this tenant/, validate, { body: JSON.stringify({ token: foreign }) })
  await client(/No such token of this tenant: .*of another tenant/, {}, validated(foreign))
  await client(/your page did not send it/, {}, validated('undefined'))
  await client(/\. token is missing: send [^;]+$/, {}, validated(undefined as unknown as string), { arrives: false })
  await client(/This is a JWT/, {}, validated('eyJhbGciOiJub25lIn0.e30.'))
  clock.advance({ hours: 24 * 30 })
  await client(/has to sign in again|No such token/, {}, validated(ours))

  const session = await sdkClientOf(await createApp({ parts, tenantId: elsewhere }), { url })
  const { dfrId } = await session.fingerprint()
  const withDevice = (ringfence: Ringfence) => ringfence.decide({ ...payment, dfrId })
  await client(/dfrId: no report of this tenant has it/, {}, withDevice)
  await client(/No report of this tenant has this id/, {}, (ringfence) =>
    ringfence.deviceFingerprint({ dfrId, deviceType: 'WEB' }),
  )
  const late = { action: 'PAYMENT', userId: 'asha', phoneNumber: '61491570153', deadlineMs: 150 }
  await client(/an operator did not answer in time/, {}, (ringfence) => ringfence.decide(late))

  const config = `${endpoints.sdkConfig.path}?platform=WEB&packageName=https%3A%2F%2Fshop.example`
  const clientAsApp = { headers: { appId: credentials.clientId, origin: 'https://shop.example' }, method: 'GET' }
  await curl(/appId has the id of a client/, config, clientAsApp)
  await curl(/It must never be in a page/, config, { ...clientAsApp, headers: { appId: credentials.clientSecret } })
  await curl(/Add the origin of the page/, config, {
    headers: { appId: app.id, origin: 'https://x.example' },
    method: 'GET',
  })
})
