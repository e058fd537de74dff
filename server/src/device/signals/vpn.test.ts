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

test('compares offsets from UTC, not names', () => {
  assert.equal(judge('Asia/Calcutta', 'Asia/Kolkata')?.methods.timezoneMismatch, false)
  assert.equal(judge('Asia/Calcutta', 'Asia/Kolkata')?.originTimezone, 'Asia/Kolkata')
  assert.equal(judge('Europe/Paris', 'Europe/Berlin')?.methods.timezoneMismatch, false)
  assert.equal(judge('Asia/Tokyo', 'Europe/Berlin')?.methods.timezoneMismatch, true)
})

test('accepts each lawful clock of a place, and only these', () => {
  const urumqi = { country: { code: 'CN' }, latitude: 43.83, longitude: 87.62 }
  assert.equal(judge('Asia/Shanghai', 'Asia/Urumqi', urumqi)?.result, false)
  assert.equal(judge('Asia/Urumqi', 'Asia/Urumqi', urumqi)?.result, false)
  assert.equal(judge('Asia/Urumqi', 'Asia/Shanghai', urumqi)?.result, false, 'a file with one zone for China')
  assert.equal(judge('Asia/Tokyo', 'Asia/Urumqi', urumqi)?.result, true)
  assert.equal(judge('Asia/Urumqi', 'Asia/Shanghai', { country: { code: 'CN' } })?.result, true, 'elsewhere in China')
  assert.equal(judge('Europe/Moscow', 'Europe/Simferopol', { country: { code: 'UA' } }, winter)?.result, false)
  assert.equal(judge('Europe/Kiev', 'Europe/Simferopol', { country: { code: 'UA' } })?.result, false)
})

test('has no verdict on UTC in Firefox, which hides its zone behind it', () => {
  const network = { ip: '192.0.2.1', timezone: 'Asia/Kolkata', ipLocation: { country: { code: 'IN' } } }
  const firefox = recorded('firefox-ordinary')
  const hidden = (timezone: string) =>
    vpn.judge({ ...firefox, facts: { ...firefox.facts, timezone }, network })?.verdict.methods.timezoneMismatch
  assert.deepEqual(['UTC', 'Etc/GMT', 'Asia/Tokyo'].map(hidden), [undefined, undefined, true])
})

test('compares offsets at the time of the evidence', () => {
  assert.equal(judge('America/Phoenix', 'America/Denver', {}, winter)?.methods.timezoneMismatch, false)
  assert.equal(judge('America/Phoenix', 'America/Denver', {}, summer)?.methods.timezoneMismatch, true)
})

test('on a mobile network or with a radius above 500 km, only a zone outside the country is a mismatch', () => {
  const country = { code: 'US' }
  assert.equal(judge('America/Los_Angeles', 'America/New_York', { country })?.result, true)
  assert.equal(judge('America/Los_Angeles', 'America/New_York', { country, accuracyRadius: 1000 })?.result, false)
  assert.equal(judge('Europe/Berlin', 'America/New_York', { country, accuracyRadius: 1000 })?.result, true)
  const asn = { asn: '64500', name: 'Example Mobile', network: '192.0.2.0/24' }
  assert.equal(judge('America/Los_Angeles', 'America/New_York', { country, asn })?.result, false)
})

test('originTimezone is the zone of the device, originCountry its country or unknown', () => {
  const verdict = judge('Asia/Kolkata', 'Europe/Berlin')
  assert.deepEqual(verdict, {
    result: true,
    originCountry: 'IN',
    originTimezone: 'Asia/Kolkata',
    methods: { timezoneMismatch: true },
  })
  assert.equal(judge('UTC', 'Europe/Berlin')?.originCountry, 'unknown')
})

test('uses the offset of the clock for an unknown zone', () => {
  const network = { ip: '192.0.2.1', timezone: 'Asia/Kolkata', ipLocation: {} }
  const judged = (timezoneOffset: number) =>
    vpn.judge({ ...ordinary, facts: { timezone: 'Mars/Olympus', timezoneOffset }, network })?.verdict.result
  assert.equal(judged(-330), false)
  assert.equal(judged(0), true)
})

test('has no verdict without a location, and on a browser that hides its zone', () => {
  assert.equal(vpn.judge({ ...ordinary, network: undefined }), undefined)
  assert.equal(vpn.judge({ ...ordinary, network: { ip: '10.0.0.1', ipLocation: {} } }), undefined)
  const network = { ip: '192.0.2.1', timezone: 'Asia/Kolkata', ipLocation: {} }
  assert.equal(vpn.judge({ ...recorded('firefox-resist-fingerprinting'), network }), undefined)
})

test('vpn.result is true when any method is; publicVPN is present when lists are installed', () => {
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

test('auxiliaryMobile detects a tunnel in use on a phone; a bare utun and ipsec are ordinary, and browsers have no answer', () => {
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
