import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IpLocation } from '@ringfence/contract'
import type { Evidence } from '../analysis/evidence.ts'
import { listed, unlisted } from '../testdata/addresses.ts'
import { androidPhone, iphone } from '../testdata/phones.ts'
import { recorded } from '../testdata/recordings.ts'
import { vpn } from './vpn.ts'

const ordinary = recorded('chromium-ordinary')
const winter = Date.UTC(2026, 0, 15)
const summer = Date.UTC(2026, 6, 15)

function judge(timezone: string, zoneOfAddress: string, ipLocation: IpLocation = {}, now = winter) {
  const network = { ip: '192.0.2.1', timezone: zoneOfAddress, ipLocation: { accuracyRadius: 20, ...ipLocation } }
  return vpn.judge({ ...ordinary, facts: { timezone }, network, now } as Evidence)?.verdict
}

test('offsets from UTC are compared, not names', () => {
  assert.equal(judge('Asia/Calcutta', 'Asia/Kolkata')?.methods.timezoneMismatch, false)
  assert.equal(judge('Europe/Paris', 'Europe/Berlin')?.methods.timezoneMismatch, false)
  assert.equal(judge('Asia/Tokyo', 'Europe/Berlin')?.methods.timezoneMismatch, true)
})

test('they are compared at the time of the evidence', () => {
  assert.equal(judge('America/Phoenix', 'America/Denver', {}, winter)?.methods.timezoneMismatch, false)
  assert.equal(judge('America/Phoenix', 'America/Denver', {}, summer)?.methods.timezoneMismatch, true)
})

test('behind a mobile network or a radius over 500 km only a zone that the country does not have is a mismatch', () => {
  const country = { code: 'US' }
  assert.equal(judge('America/Los_Angeles', 'America/New_York', { country })?.result, true)
  assert.equal(judge('America/Los_Angeles', 'America/New_York', { country, accuracyRadius: 1000 })?.result, false)
  assert.equal(judge('Europe/Berlin', 'America/New_York', { country, accuracyRadius: 1000 })?.result, true)
  const asn = { asn: '64500', name: 'Example Mobile', network: '192.0.2.0/24' }
  assert.equal(judge('America/Los_Angeles', 'America/New_York', { country, asn })?.result, false)
})

test('originTimezone is the device’s own zone, originCountry the country that it lies in, or unknown', () => {
  const verdict = judge('Asia/Kolkata', 'Europe/Berlin')
  assert.deepEqual(verdict, {
    result: true,
    originCountry: 'IN',
    originTimezone: 'Asia/Kolkata',
    methods: { timezoneMismatch: true },
  })
  assert.equal(judge('UTC', 'Europe/Berlin')?.originCountry, 'unknown')
})

test('a zone that we do not know is replaced by the offset of the clock', () => {
  const network = { ip: '192.0.2.1', timezone: 'Asia/Kolkata', ipLocation: {} }
  const judged = (timezoneOffset: number) =>
    vpn.judge({ ...ordinary, facts: { timezone: 'Mars/Olympus', timezoneOffset }, network })?.verdict.result
  assert.equal(judged(-330), false)
  assert.equal(judged(0), true)
})

test('nothing is said without a place, and of a browser that keeps its zone to itself', () => {
  assert.equal(vpn.judge({ ...ordinary, network: undefined }), undefined)
  assert.equal(vpn.judge({ ...ordinary, network: { ip: '10.0.0.1', ipLocation: {} } }), undefined)
  const network = { ip: '192.0.2.1', timezone: 'Asia/Kolkata', ipLocation: {} }
  assert.equal(vpn.judge({ ...recorded('firefox-resist-fingerprinting'), network }), undefined)
})

test('vpn.result is true where any method says so; publicVPN is told where lists were fetched', () => {
  const network = { ip: '192.0.2.1', timezone: 'Europe/Berlin', ipLocation: {} }
  const judged = (facts: object, anonymity = listed('vpnServer')) =>
    vpn.judge({ ...ordinary, facts, network, anonymity })?.verdict
  const [berlin, tokyo] = [{ timezone: 'Europe/Berlin' }, { timezone: 'Asia/Tokyo' }]
  assert.deepEqual(judged(berlin)?.methods, { timezoneMismatch: false, publicVPN: true })
  assert.equal(judged(berlin)?.result, true)
  assert.equal(judged(tokyo, unlisted)?.result, true)
  assert.equal(judged(berlin, unlisted)?.result, false)
  assert.deepEqual(judged({})?.methods, { publicVPN: true }, 'also where no zone is known')
  assert.deepEqual(judged({}, listed('relay', 'vpnServer'))?.methods, { publicVPN: false }, 'a relay is no VPN')
})

test('auxiliaryMobile: a phone with a tunnel in use; a bare utun and ipsec are ordinary, and browsers do not tell', () => {
  const judged = (networkInterfaces: object) =>
    vpn.judge(iphone({ networkInterfaces }))?.verdict.methods.auxiliaryMobile
  assert.equal(judged({ routableTunnels: ['utun4'] }), true)
  assert.equal(judged({ scopedTunnels: ['ppp0'] }), true)
  assert.equal(judged({ scopedTunnels: ['utun3', 'ipsec0'], routableTunnels: ['ipsec1'] }), false)
  assert.equal(vpn.judge(androidPhone({ networkInterfaces: { routableTunnels: ['tun0'] } }))?.verdict.result, true)
  assert.equal(vpn.judge(androidPhone())?.verdict.result, false)
  assert.equal(
    vpn.judge({ ...ordinary, network: undefined, anonymity: unlisted })?.verdict.methods.auxiliaryMobile,
    undefined,
  )
})
