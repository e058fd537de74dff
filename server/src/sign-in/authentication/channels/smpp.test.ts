import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import library, { type Pdu, type Session } from 'smpp'
import { holdTimers } from '../../../testing/held-timers.ts'
import { selfSignedCertificate } from '../../../upstream/testing/self-signed-certificate.ts'
import { DeliveryFailed, type MessageChannel } from '../channel.ts'
import { smpp } from './smpp.ts'
import { smsParts } from './sms-parts.ts'
import { number, otp, otpMessage, soon, testResources } from './testing.ts'

interface Smsc {
  port: number
  submitted: Pdu[]
  sessions: Session[]
}

/** A real SMPP server. Accepts binds with the right password and answers submit_sm with `answer`. */
async function startSmsc(
  t: TestContext,
  answer: (pdu: Pdu, session: Session) => Record<string, unknown> | undefined = () => ({ message_id: 'smsc-1' }),
  options: Record<string, unknown> = {},
): Promise<Smsc> {
  const submitted: Pdu[] = []
  const server = library.createServer(options, (session) => {
    session.on('error', () => session.destroy())
    session.on('bind_transceiver', (pdu: Pdu) =>
      session.send(pdu.response({ command_status: pdu.password === 'secret' ? 0 : 0x0e })),
    )
    session.on('enquire_link', (pdu: Pdu) => session.send(pdu.response()))
    session.on('unbind', (pdu: Pdu) => session.send(pdu.response()))
    session.on('submit_sm', (pdu: Pdu) => {
      submitted.push(pdu)
      const fields = answer(pdu, session)
      if (fields) session.send(pdu.response(fields))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const session of server.sessions) session.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, submitted, sessions: server.sessions }
}

const timeoutMs = 29_999

function channelTo(t: TestContext, port: number, changes: object = {}) {
  const resources = testResources({ PASSWORD: 'secret', WRONG: 'wrong' })
  const config = {
    type: 'smpp' as const,
    host: '127.0.0.1',
    port,
    systemId: 'ringfence',
    from: 'SHOP',
    timeoutMs,
    ...changes,
  }
  const channel = smpp.create('sms', { password: { env: 'PASSWORD' }, ...config }, resources) as MessageChannel
  t.after(() => channel.close!())
  return { channel, lines: resources.lines }
}

const reasonIs = (reason: string) => (error: unknown) => error instanceof DeliveryFailed && error.reason === reason

test('sends an SMS over an open bind: submit_sm in the GSM alphabet, from an alphanumeric sender', async (t) => {
  const smsc = await startSmsc(t)
  const { channel, lines } = channelTo(t, smsc.port)
  await channel.deliver(otpMessage(), soon())
  await channel.deliver(otpMessage(), soon())
  assert.equal(smsc.sessions.length, 1)
  const [pdu] = smsc.submitted
  assert.deepEqual([pdu!.destination_addr, pdu!.source_addr, pdu!.data_coding], [number, 'SHOP', 0])
  assert.equal(pdu!.short_message!.message, otpMessage().text)
  assert.equal(pdu!.registered_delivery, 1)
  for (const secret of [otp, number, 'secret"']) assert.ok(!lines.join().includes(secret))
})

test('sends other texts in UCS-2, and long texts in parts with one reference', async (t) => {
  const smsc = await startSmsc(t)
  const { channel } = channelTo(t, smsc.port)
  const message = otpMessage({ locale: 'hi', app: 'दुकान '.repeat(10) })
  await channel.deliver(message, soon())
  assert.ok(smsc.submitted.length > 1)
  const headers = smsc.submitted.map(({ short_message }) => short_message!.udh![0]!)
  assert.equal(new Set(headers.map((header) => header[2])).size, 1)
  assert.deepEqual(
    headers.map((header) => [header[3], header[4]]),
    smsc.submitted.map((_, i) => [smsc.submitted.length, i + 1]),
  )
  assert.ok(smsc.submitted.every((pdu) => pdu.data_coding === 8))
  assert.equal(smsc.submitted.map(({ short_message }) => short_message!.message).join(''), message.text)
})

test('160 GSM characters fit into one message, an escaped character counts twice, and no surrogate pair is split', () => {
  assert.equal(smsParts('a'.repeat(160)).texts.length, 1)
  assert.deepEqual(
    smsParts('a'.repeat(161)).texts.map((part) => part.length),
    [153, 8],
  )
  assert.deepEqual(
    smsParts(`${'a'.repeat(152)}€${'a'.repeat(20)}`).texts.map((part) => part.length),
    [152, 21],
  )
  assert.equal(smsParts('é'.repeat(70)).dataCoding, 0)
  assert.deepEqual(smsParts('😀'.repeat(35)).texts.length, 1)
  for (const part of smsParts('😀'.repeat(40)).texts) assert.ok(part.isWellFormed())
})

test('a refused submit_sm is rejected, a throttled one is overloaded, and neither is sent again', async (t) => {
  let status = 0x0b // ESME_RINVDSTADR
  const smsc = await startSmsc(t, () => ({ command_status: status }))
  const { channel } = channelTo(t, smsc.port)
  await assert.rejects(channel.deliver(otpMessage(), soon()), reasonIs('rejected'))
  status = 0x58 // ESME_RTHROTTLED
  await assert.rejects(channel.deliver(otpMessage(), soon()), reasonIs('overloaded'))
  assert.equal(smsc.submitted.length, 2)
})

test('an SMSC that is down, silent or refuses the bind gives a clear error within the deadline', async (t) => {
  const gone = await startSmsc(t)
  const { channel: refused } = channelTo(t, gone.port, { password: { env: 'WRONG' } })
  await assert.rejects(refused.deliver(otpMessage(), soon()), reasonIs('rejected'))
  const silent = await startSmsc(t, () => undefined)
  const { channel: late } = channelTo(t, silent.port)
  await assert.rejects(late.deliver(otpMessage(), AbortSignal.timeout(50)), reasonIs('timeout'))
  const { channel: unreachable } = channelTo(t, 1)
  await assert.rejects(unreachable.deliver(otpMessage(), soon()), reasonIs('unreachable'))
})

test('reopens a broken bind for the next message, and does not send a message in flight twice', async (t) => {
  let breaks = true
  const smsc = await startSmsc(t, (_, session) => {
    if (!breaks) return { message_id: 'a' }
    session.destroy()
    return undefined
  })
  const { channel } = channelTo(t, smsc.port)
  await assert.rejects(channel.deliver(otpMessage(), soon()), reasonIs('unreachable'))
  breaks = false
  await channel.deliver(otpMessage(), soon())
  assert.equal(smsc.submitted.length, 2)
})

test('enquire_link detects a dead bind', async (t) => {
  const smsc = await startSmsc(t)
  const { channel, lines } = channelTo(t, smsc.port, { enquireLinkMs: 100 })
  const timeouts = holdTimers(t, timeoutMs)
  await channel.deliver(otpMessage(), soon())
  const [session] = smsc.sessions
  session!.removeAllListeners('enquire_link')
  await once(session!, 'enquire_link')
  timeouts.fire()
  while (!lines.join().includes('the bind to the SMSC broke')) await new Promise(setImmediate)
  await channel.deliver(otpMessage(), soon())
  assert.equal(smsc.submitted.length, 2)
})

test('sends at most the window of submit_sm at once, and is overloaded when too many wait', async (t) => {
  const waiting: (() => void)[] = []
  const smsc = await startSmsc(t, (pdu, session) => {
    waiting.push(() => session.send(pdu.response({ message_id: 'x' })))
    return undefined
  })
  const { channel } = channelTo(t, smsc.port, { window: 2, waiting: 1 })
  const sent = [1, 2, 3].map(() => channel.deliver(otpMessage(), soon()))
  await assert.rejects(channel.deliver(otpMessage(), soon()), reasonIs('overloaded'))
  while (smsc.submitted.length < 2) await new Promise(setImmediate)
  assert.equal(smsc.submitted.length, 2)
  const answering = setInterval(() => waiting.shift()?.(), 1)
  await Promise.all(sent)
  clearInterval(answering)
  assert.equal(smsc.submitted.length, 3)
})

test('logs a delivery receipt with id and state, without the text that it repeats', async (t) => {
  const smsc = await startSmsc(t)
  const { channel, lines } = channelTo(t, smsc.port)
  await channel.deliver(otpMessage(), soon())
  const text = `id:smsc-1 sub:001 dlvrd:001 submit date:2603011200 done date:2603011200 stat:DELIVRD err:000 text:${otp}`
  const { promise, resolve } = Promise.withResolvers<void>()
  smsc.sessions[0]!.deliver_sm({ esm_class: 4, source_addr: number, short_message: { message: text } }, () => resolve())
  await promise
  const line = lines.find((one) => one.includes('delivery receipt'))
  assert.match(line!, /"smscId":"smsc-1","state":"DELIVRD","error":"000"/)
  for (const secret of [otp, number]) assert.ok(!lines.join().includes(secret))
})

test('checks TLS against the configured certificate authority', async (t) => {
  const { certificate, key } = selfSignedCertificate('smsc')
  const smsc = await startSmsc(t, undefined, { key, cert: certificate })
  const resources = testResources({ PASSWORD: 'secret', CA: certificate })
  const config = {
    type: 'smpp' as const,
    host: '127.0.0.1',
    port: smsc.port,
    tls: true,
    systemId: 'r',
    from: 'SHOP',
    password: { env: 'PASSWORD' },
  }
  const trusting = smpp.create('sms', { ...config, ca: { env: 'CA' } }, resources) as MessageChannel
  const wary = smpp.create('sms', config, resources) as MessageChannel
  t.after(() => Promise.all([trusting.close!(), wary.close!()]))
  await trusting.deliver(otpMessage(), soon())
  await assert.rejects(wary.deliver(otpMessage(), soon()), reasonIs('unreachable'))
  assert.equal(smsc.submitted.length, 1)
})
