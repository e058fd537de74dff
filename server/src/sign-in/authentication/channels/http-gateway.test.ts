import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type Received, type Reply, scriptedUpstream } from '../../../upstream/testing/scripted-upstream.ts'
import { DeliveryFailed, type MessageChannel } from '../channel.ts'
import { httpGateway } from './http-gateway.ts'
import { number, otp, otpMessage, soon, testResources } from './testing.ts'

function channelTo(t: TestContext, config: object) {
  const resources = testResources({ KEY: 'gateway-secret' })
  const channel = httpGateway.create(
    'gateway',
    { type: 'http-gateway', ...config } as never,
    resources,
  ) as MessageChannel
  t.after(() => channel.close!())
  return { channel, lines: resources.lines }
}

const reasonIs = (reason: string) => (error: unknown) => error instanceof DeliveryFailed && error.reason === reason

test('sends a message as the JSON template says, with secrets by reference, and no value can add JSON', async (t) => {
  const { url, received } = await scriptedUpstream(t, () => ({
    status: 202,
    body: { messages: [{ status: 'accepted' }] },
  }))
  const { channel, lines } = channelTo(t, {
    url: `${url}/v1/messages?from=shop`,
    method: 'WHATSAPP',
    headers: { authorization: { secret: { env: 'KEY' }, prefix: 'Bearer ' }, 'x-account': 'shop' },
    json: {
      to: '+{to}',
      template: { name: 'otp', values: ['{otp}', '{app}'] },
      reference: '{id}',
      text: '{text}',
      n: 1,
    },
    expect: { field: 'messages.0.status', values: ['accepted', 'queued'] },
  })
  const message = otpMessage({ app: '","x":"{to}' })
  await channel.deliver(message, soon())
  const [{ method, path, headers, body }] = received as [Received]
  assert.deepEqual([method, path], ['POST', '/v1/messages?from=shop'])
  assert.deepEqual([headers.authorization, headers['x-account']], ['Bearer gateway-secret', 'shop'])
  assert.deepEqual(JSON.parse(body), {
    to: `+${number}`,
    template: { name: 'otp', values: [otp, '","x":"{to}'] },
    reference: message.id,
    text: message.text,
    n: 1,
  })
  assert.equal(channel.method, 'WHATSAPP')
  for (const secret of [otp, number, 'gateway-secret']) assert.ok(!lines.join().includes(secret))
})

test('sends a message as a form, with a custom text', async (t) => {
  const { url, received } = await scriptedUpstream(t, () => ({ status: 200 }))
  const { channel } = channelTo(t, {
    url,
    basic: { user: 'shop', password: { env: 'KEY' } },
    form: { To: '{to}', Body: '{text}' },
    otpText: 'Use {otp} for {app} within {minutes} min',
  })
  await channel.deliver(otpMessage(), soon())
  const [{ headers, body }] = received as [Received]
  assert.equal(body, new URLSearchParams({ To: number, Body: `Use ${otp} for Shop within 5 min` }).toString())
  assert.equal(headers.authorization, `Basic ${Buffer.from('shop:gateway-secret').toString('base64')}`)
})

test('an answer that does not accept the message is a failure, and the message is not sent again', async (t) => {
  let answer: Reply = 'silence'
  const { url, received } = await scriptedUpstream(t, () => answer)
  const json = { to: '{to}', text: '{text}' }
  const { channel } = channelTo(t, { url, json, expect: { field: 'status', values: ['ok'] } })
  const cases: [Reply, string][] = [
    [{ status: 400, body: { error: number } }, 'rejected'],
    [{ status: 302 }, 'rejected'],
    [{ status: 429 }, 'overloaded'],
    [{ status: 503 }, 'overloaded'],
    [{ status: 500 }, 'unreachable'],
    [{ status: 200, body: { status: 'failed' } }, 'rejected'],
    [{ status: 200, body: {} }, 'rejected'],
    [{ status: 200, body: { status: ['ok'] } }, 'rejected'],
  ]
  for (const [said, reason] of cases) {
    answer = said
    await assert.rejects(channel.deliver(otpMessage(), soon()), (error) => {
      assert.ok(!String(error).includes(number))
      return reasonIs(reason)(error)
    })
  }
  assert.equal(received.length, cases.length)
  answer = 'silence'
  await assert.rejects(channel.deliver(otpMessage(), AbortSignal.timeout(50)), reasonIs('timeout'))
  await assert.rejects(
    channelTo(t, { url: 'http://127.0.0.1:1', json }).channel.deliver(otpMessage(), soon()),
    reasonIs('unreachable'),
  )
})

test('refuses plain http except on this machine, and requires one template', (t) => {
  assert.throws(() => channelTo(t, { url: 'http://gateway.example', json: {} }), /must begin with https/)
  assert.throws(() => channelTo(t, { url: 'https://gateway.example' }), /json or form/)
})

test('sends no more messages at the same time than concurrentCalls, and the others after them', async (t) => {
  let [inFlight, most] = [0, 0]
  // Each waits for its neighbour, however late that one arrives.
  const pairs = Array.from({ length: 3 }, () => Promise.withResolvers<void>())
  const { url, received } = await scriptedUpstream(t, async (_, count) => {
    most = Math.max(most, ++inFlight)
    const pair = pairs[Math.ceil(count / 2) - 1]!
    if (count % 2 === 0) pair.resolve()
    await pair.promise
    await setImmediate()
    inFlight--
    return { status: 202 }
  })
  const { channel } = channelTo(t, { url, json: { to: '{to}', text: '{text}' }, concurrentCalls: 2 })
  await Promise.all(Array.from({ length: 6 }, () => channel.deliver(otpMessage(), soon())))
  assert.deepEqual([received.length, most], [6, 2])
})
