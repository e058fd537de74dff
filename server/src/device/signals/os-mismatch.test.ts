import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { endpoints, type SecureInfoDetail } from '@ringfence/contract'
import { readTcpFingerprint } from '../../ip/connection-fingerprint.ts'
import { tokenCalls } from '../../sign-in/tokens/testing.ts'
import { sqliteDatabases } from '../../testing/databases.ts'
import { ordinaryFacts, sdkClient } from '../../testing/sdk-client.ts'
import { startTestService } from '../../testing/test-service.ts'
import type { Evidence } from '../analysis/evidence.ts'
import { listed, unlisted } from '../testdata/addresses.ts'
import { iphone } from '../testdata/phones.ts'
import { recorded } from '../testdata/recordings.ts'
import { osMismatch } from './os-mismatch.ts'

/** As HAProxy writes them with ip.fp(3). */
const syn = {
  windows: '006089FAF005B40779020103010104',
  apple: '0050B7FFFF05B4473802010301010804',
  linux: '0050A8FAF005B4473F0204080103',
  android: '0050A8FFFF05B4473F0204080103',
}
const agents = {
  windows:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  mac: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  android:
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36',
  linux: 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0',
  console:
    'Mozilla/5.0 (PlayStation; PlayStation 5/8.00) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.4 Safari/605.1.15',
}
const ja4 = {
  safari: 't13d2013h2_a09f3c656075_7f0f34a4126d',
  chrome: 't13d1516h2_8daaf6152771_02713d6af862',
  unknown: 't13d1312h2_f57a46bbacb6_9b887d9acb53',
}

function judge(agent: keyof typeof agents, connection: Evidence['connection'], more: Partial<Evidence> = {}) {
  const headers = { 'user-agent': agents[agent] }
  const evidence = { ...recorded('chromium-ordinary'), headers, anonymity: unlisted, ...(connection && { connection }) }
  return osMismatch({ ...evidence, ...more })?.verdict
}

const tcp = (text: string) => ({ tcp: readTcpFingerprint(text)! })

test('a SYN of another system is a mismatch; Android has the kernel of Linux, iPhones that of Macs', () => {
  assert.equal(judge('windows', tcp(syn.windows)), false)
  assert.equal(judge('mac', tcp(syn.apple)), false)
  assert.equal(judge('iphone', tcp(syn.apple)), false)
  assert.equal(judge('android', tcp(syn.android)), false)
  assert.equal(judge('linux', tcp(syn.linux)), false)
  assert.equal(judge('windows', tcp(syn.linux)), true)
  assert.equal(judge('iphone', tcp(syn.linux)), true)
  assert.equal(judge('android', tcp(syn.windows)), true)
  assert.equal(judge('mac', tcp(syn.windows)), true)
})

test('has no verdict on an unknown order, on one that contradicts the time to live, and on an unknown system', () => {
  assert.equal(judge('windows', { tcp: { initialTtl: 128, options: [2, 1, 1, 4] } }), undefined)
  assert.equal(judge('windows', { tcp: { initialTtl: 64, options: [2, 1, 3, 1, 1, 4] } }), undefined)
  assert.equal(judge('windows', { tcp: { initialTtl: 128, options: [2, 1, 3, 4, 8] } }), false)
  assert.equal(judge('windows', { tcp: { initialTtl: 64, options: [2, 1, 3, 4, 8] } }), undefined)
  assert.equal(judge('console', tcp(syn.linux)), undefined)
  assert.equal(judge('windows', undefined), undefined)
})

test('Apple’s TLS library outside Apple’s systems is a mismatch, and another library on iOS is one', () => {
  assert.equal(judge('iphone', { ja4: ja4.safari }), false)
  assert.equal(judge('windows', { ja4: ja4.safari }), true)
  assert.equal(judge('iphone', { ja4: ja4.chrome }), true)
  assert.equal(judge('mac', { ja4: ja4.chrome }), undefined)
  assert.equal(judge('iphone', { ja4: ja4.unknown }), undefined)
  assert.equal(
    judge('iphone', { ...tcp(syn.apple), ja4: ja4.chrome }),
    true,
    'a phone’s network beside a program’s TLS',
  )
})

test('has no verdict behind relays and gateways and on apps; ignores TCP on mobile networks', () => {
  const asn = { asn: '64500', name: 'Example Mobile', network: '192.0.2.0/24' }
  const network = { ip: '192.0.2.1', ipLocation: { asn } }
  assert.equal(judge('iphone', tcp(syn.linux), { anonymity: listed('relay') }), undefined)
  const { relay: _, ...relaysUnknown } = unlisted
  assert.equal(judge('iphone', tcp(syn.linux), { anonymity: relaysUnknown }), undefined, 'it may be Private Relay')
  assert.equal(judge('windows', tcp(syn.linux), { anonymity: listed('gateway') }), undefined)
  assert.equal(judge('windows', tcp(syn.linux), { anonymity: listed('vpnServer') }), true)
  const withoutLists = recorded('chromium-ordinary')
  const mac = { ...withoutLists, headers: { 'user-agent': agents.mac } }
  assert.equal(osMismatch({ ...mac, connection: tcp(syn.linux) }), undefined, 'it may be Private Relay')
  assert.equal(osMismatch({ ...mac, connection: { ja4: ja4.safari } })?.verdict, false)
  assert.equal(judge('iphone', tcp(syn.linux), { network }), undefined)
  assert.equal(judge('iphone', { ...tcp(syn.linux), ja4: ja4.chrome }, { network }), true)
  assert.equal(osMismatch(iphone({}, { connection: tcp(syn.windows) })), undefined)
})

/** `vpn` of secure info for a browser on Windows that sends these headers itself or through a proxy at 127.0.0.1. */
async function osMismatchOf(t: TestContext, settings: object, headers: Readonly<Record<string, string>>) {
  const service = await startTestService(t, await sqliteDatabases.open(t), { settings })
  const client = await sdkClient(service, { headers: { 'user-agent': agents.windows, ...headers } })
  const { timezone: _, timezoneOffset: __, ...facts } = ordinaryFacts
  const { status, body } = await client.post(endpoints.secure.path, client.engineBody(facts))
  assert.equal(status, 200, JSON.stringify(body))
  const info: SecureInfoDetail = (await tokenCalls(service).secureInfo(body.token)).body.secure_info
  return info.vpn.methods.osMismatch
}

const behindProxy = { trustedProxies: '127.0.0.1', tcpFingerprintHeader: 'x-tcp-fp', tlsFingerprintHeader: 'x-ja4' }

test('returns osMismatch for a connection that a trusted proxy describes', async (t) => {
  assert.equal(await osMismatchOf(t, behindProxy, { 'x-tcp-fp': '0050A8FAF005B4473F0204080103' }), true)
  assert.equal(await osMismatchOf(t, behindProxy, { 'x-tcp-fp': '006089FAF005B40779020103010104' }), false)
  assert.equal(await osMismatchOf(t, behindProxy, { 'x-ja4': ja4.safari }), true)
})

test('ignores a fingerprint that the client sends: without a trusted proxy, in another header, without the setting, malformed', async (t) => {
  const copy = { 'x-tcp-fp': '0050A8FAF005B4473F0204080103', 'x-ja4': ja4.safari }
  assert.equal(await osMismatchOf(t, { ...behindProxy, trustedProxies: '10.0.0.0/8' }, copy), false)
  assert.equal(await osMismatchOf(t, { trustedProxies: '127.0.0.1' }, copy), false)
  assert.equal(
    await osMismatchOf(t, { ...behindProxy, tcpFingerprintHeader: 'x-edge-fp' }, { 'x-tcp-fp': copy['x-tcp-fp'] }),
    false,
  )
  for (const garbage of ['', '%00', '0050A8', `${copy['x-tcp-fp']}, ${copy['x-tcp-fp']}`, '{"constructor":1}']) {
    assert.equal(await osMismatchOf(t, behindProxy, { 'x-tcp-fp': garbage }), false, garbage)
  }
})
