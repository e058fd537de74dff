import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { bodyOf } from '../../../testing/body-of.ts'
import { eachDatabase, sqliteDatabases } from '../../../testing/databases.ts'
import { holdTimers } from '../../../testing/held-timers.ts'
import { sdkClient } from '../../../testing/sdk-client.ts'
import { until } from '../../../testing/until.ts'
import { scriptedUpstream } from '../../../upstream/testing/scripted-upstream.ts'
import { dropExpiredSignIns } from '../sign-in-retention.ts'
import { email, mobile, startSignInService } from '../testing/sign-in-service.ts'
import { reserveMessage } from './limits.ts'

const { open } = sqliteDatabases
const numberOf = (ending: number) => ({ type: 'MOBILE', value: `91702014${String(ending).padStart(4, '0')}` })

eachDatabase(({ engine, open }) => {
  test(`limits messages to one number across all sessions and servers, and starts again in the next hour (${engine})`, async (t) => {
    const service = await startSignInService(t, await open(t), { settings: { messagesPerRecipientHour: 3 } })
    const start = async () => service.start({}, await sdkClient(service, { app: service.app }))
    const answers = await Promise.all([start(), start(), start(), start(), start()])
    // Simultaneous starts can all be refused, but never more than the limit pass.
    assert.ok(answers.filter(({ status }) => status === 200).length <= 3)
    for (let i = 0; i < 4; i++) answers.push(await start())
    assert.equal(answers.filter(({ status }) => status === 200).length, 3)
    const refused = answers.at(-1)!
    assert.deepEqual(
      [refused.status, refused.body.errorCode, refused.headers.get('retry-after')],
      [429, '7124', '3600'],
    )
    assert.equal(service.parts.signIn.outbox.messages().length, 3)
    assert.equal((await service.start({ identity: email })).status, 200)
    service.clock.advance({ hours: 1 })
    await dropExpiredSignIns(service.parts)
    assert.equal((await start()).status, 200)
  })

  test(`refuses new numbers of one range when none of them signs in, and each number that signs in frees its place (${engine})`, async (t) => {
    const service = await startSignInService(t, await open(t), { settings: { newNumbersPerRangeHour: 3 } })
    for (let ending = 0; ending < 3; ending++) {
      const { status, body } = await service.start({ identity: numberOf(1700 + ending) })
      assert.equal(status, 200)
      if (ending === 0) await service.verify(body.transactionId, { otp: service.otp() })
    }
    assert.equal((await service.start({ identity: numberOf(1710) })).status, 200)
    const { body } = await service.start({ identity: numberOf(1711) })
    assert.equal(body.errorCode, '7124')
    const metrics = (await service.parts.metrics.text()).body
    assert.match(metrics, /messages_refused_total\{limit="range"\} 1\n/)
    assert.doesNotMatch(metrics, /messages_refused_total\{limit="(country|recipient|address|app)"/)
    // A number that has signed in before is not counted, and another range has its own count.
    service.clock.advance({ seconds: 31 })
    assert.equal((await service.start({ identity: numberOf(1700) })).status, 200)
    assert.equal((await service.start({ identity: { type: 'MOBILE', value: '917020151726' } })).status, 200)
  })
})

test('a resend counts for every limit as a first message does, and a sign-in takes all of its messages back', async (t) => {
  const settings = { newNumbersPerRangeHour: 3, messagesPerRecipientHour: 100, messagesPerRecipientDay: 100 }
  const service = await startSignInService(t, await open(t), { settings })
  const statuses: number[] = []
  for (let ending = 0; ending < 3; ending++) {
    const { status, body } = await service.start({ identity: numberOf(1700 + ending) })
    statuses.push(status)
    for (let resend = 0; resend < 3 && status === 200; resend++) {
      service.clock.advance({ seconds: 31 })
      statuses.push((await service.resend(body.transactionId)).status)
    }
  }
  assert.deepEqual(statuses, [200, 200, 200, 429, 429, 429])
  assert.equal(service.parts.signIn.outbox.messages().length, 3, 'limit 3 lets 3 messages pass')

  const other = await startSignInService(t, await open(t), { settings })
  const { body } = await other.start({ identity: numberOf(1700) })
  for (let resend = 0; resend < 2; resend++) {
    other.clock.advance({ seconds: 31 })
    assert.equal((await other.resend(body.transactionId)).status, 200)
  }
  assert.equal((await other.start({ identity: numberOf(1701) })).status, 429)
  assert.equal((await other.verify(body.transactionId, { otp: other.otp() })).status, 200)
  for (let ending = 0; ending < 3; ending++)
    assert.equal((await other.start({ identity: numberOf(1710 + ending) })).status, 200)
  assert.equal((await other.start({ identity: numberOf(1720) })).status, 429)
})

test('a message that may have left stays counted for its range, and its recipient may try again', async (t) => {
  const { url, received } = await scriptedUpstream(t, () => 'silence')
  const channels = { sms: { type: 'http-gateway', url, json: { text: '{text}' } } }
  const deliveryTimeoutMs = 29_999
  const settings = { newNumbersPerRangeHour: 2, messagesPerRecipientHour: 1, deliveryTimeoutMs }
  const service = await startSignInService(t, await open(t), { channels, settings })
  const deliveries = holdTimers(t, deliveryTimeoutMs)
  const codes: string[] = []
  for (let sent = 1; sent <= 2; sent++) {
    const starting = service.start()
    await until(() => received.length === sent)
    deliveries.fire()
    codes.push((await starting).body.errorCode)
  }
  codes.push((await service.start()).body.errorCode)
  assert.deepEqual(codes, ['7131', '7131', '7124'])
  assert.equal(received.length, 2)
})

test('limits resends by number, IP address, app and country', async (t) => {
  for (const settings of [
    { messagesPerRecipientHour: 1 },
    { messagesPerAddressHour: 1 },
    { messagesPerAppHour: 1 },
    { newNumbersPerCountryHour: 1 },
  ]) {
    const service = await startSignInService(t, await open(t), { settings })
    const { transactionId } = (await service.start()).body
    service.clock.advance({ seconds: 31 })
    const { status, body } = await service.resend(transactionId)
    assert.deepEqual([status, body.errorCode], [429, '7124'], JSON.stringify(settings))
    assert.equal(service.parts.signIn.outbox.messages().length, 1)
  }
})

test('limits messages by IP address, app and country', async (t) => {
  for (const settings of [{ messagesPerAddressHour: 1 }, { messagesPerAppHour: 1 }, { newNumbersPerCountryHour: 1 }]) {
    const service = await startSignInService(t, await open(t), { settings })
    assert.equal((await service.start()).status, 200)
    const { status, body } = await service.start({ identity: { type: 'MOBILE', value: '917020151726' } })
    assert.deepEqual([status, body.errorCode], [429, '7124'], JSON.stringify(settings))
  }
})

test('counts the IPv6 addresses of one /64 network together', async (t) => {
  const settings = { messagesPerAddressHour: 1, trustedProxies: '127.0.0.1' }
  const service = await startSignInService(t, await open(t), { settings })
  const startFrom = async (address: string, ending: number) => {
    const body = { channel: 'OTP', identity: numberOf(ending) }
    return (await service.client.post(endpoints.signInStart.path, body, { 'x-forwarded-for': address })).status
  }
  assert.equal(await startFrom('2001:db8::1', 1700), 200)
  assert.equal(await startFrom('2001:db8::ffff', 1701), 429)
  assert.equal(await startFrom('2001:db8:0:1::1', 1702), 200)
})

eachDatabase(({ engine, open }) => {
  test(`one /48 of IPv6 and one /24 of IPv4 cause a multiple of the messages of one address (${engine})`, async (t) => {
    const settings = { messagesPerAddressHour: 1, newNumbersPerRangeHour: 1000, trustedProxies: '127.0.0.1' }
    const service = await startSignInService(t, await open(t), { settings })
    let ending = 1700
    const startFrom = async (address: string) => {
      const body = { channel: 'OTP', identity: numberOf(ending++) }
      return (await service.client.post(endpoints.signInStart.path, body, { 'x-forwarded-for': address })).status
    }
    const passed = async (addresses: string[]) => {
      const statuses: number[] = []
      for (const address of addresses) statuses.push(await startFrom(address))
      return statuses.filter((status) => status === 200).length
    }
    const counted = (addressOf: (i: number) => string) => Array.from({ length: 20 }, (_, i) => addressOf(i))
    assert.equal(await passed(counted((i) => `2001:db8:0:${i}::1`)), 3)
    assert.equal(await passed(counted((i) => `192.0.2.${i}`)), 16)
    assert.equal(await passed(['2001:db8:1::1', '198.51.100.1']), 2, 'other networks')
  })

  test(`a network operator causes a hundred times the messages of one address (${engine})`, async (t) => {
    const { parts: needs, app } = await startSignInService(t, await open(t), {
      settings: { messagesPerAddressHour: 1 },
    })
    const systemOf: Record<string, number> = { '203.0.113.7': 64501 }
    const ip = { ...needs.ip, asnOf: ({ text }: { text: string }) => systemOf[text] ?? 64500 }
    const reserve = (ipAddress: string, i = 999) =>
      reserveMessage(
        {
          ...{ tenantId: app.tenantId, appId: app.id, ipAddress, share: 'strangers', isNew: true },
          recipient: { type: 'EMAIL', value: `someone${i}@shop.example` },
        },
        { ...needs, ip },
      ).then(
        () => true,
        () => false,
      )
    const admitted: boolean[] = []
    for (let i = 0; i < 105; i++) admitted.push(await reserve(`10.${i}.0.1`, i))
    assert.deepEqual([admitted.filter(Boolean).length, admitted.at(-1)], [100, false])
    assert.equal(await reserve('203.0.113.7'), true, 'another operator')
  })
})

test('a refusing gateway is 7131: nothing is counted, the sign-in can be started again at once, and the previous OTP stays valid', async (t) => {
  let status = 500
  const bodies: string[] = []
  const gateway = createServer(async (request, response) => {
    bodies.push(JSON.parse(await bodyOf(request)).text)
    response.writeHead(status).end('{}')
  })
  gateway.listen(0, '127.0.0.1')
  await once(gateway, 'listening')
  t.after(() => {
    gateway.closeAllConnections()
    gateway.close()
  })
  const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`
  const channels = { sms: { type: 'http-gateway', url, json: { to: '{to}', text: '{text}' } } }
  const settings = { messagesPerRecipientHour: 2 }
  const service = await startSignInService(t, await open(t), { channels, settings })
  const otp = () => /^\d{6}/.exec(bodies.at(-1)!)![0]
  for (let i = 0; i < 4; i++) {
    const refused = await service.start()
    assert.deepEqual([refused.status, refused.body.errorCode], [503, '7131'])
  }
  assert.equal(bodies.length, 4)
  status = 200
  const { transactionId } = (await service.start()).body
  const first = otp()
  service.clock.advance({ seconds: 30 })
  status = 500
  for (let i = 0; i < 2; i++) assert.equal((await service.resend(transactionId)).body.errorCode, '7131')
  status = 200
  assert.equal((await service.resend(transactionId)).status, 200)
  assert.equal((await service.verify(transactionId, { otp: first })).status, 200)
  assert.equal((await service.start({ identity: mobile })).body.errorCode, '7124')
})

test('returns the device of the start with the sign-in, and ignores an unknown dfrId', async (t) => {
  const service = await startSignInService(t, await open(t))
  const facts = {
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/146.0',
    language: 'de',
    cookieEnabled: true,
  }
  const { transactionId } = (await service.start({ facts, dfrId: '0'.repeat(32) })).body
  const { body } = await service.verify(transactionId, { otp: service.otp() })
  assert.deepEqual([body.deviceInfo.browser, body.deviceInfo.language, body.dfrId], ['Firefox', 'de', undefined])
  const { body: info } = await service.post('/auth/v1/secure-info', { token: body.token })
  assert.deepEqual([info.device_info.browserInfo.browserMajorVersion, info.secure_info], ['146', undefined])
})
