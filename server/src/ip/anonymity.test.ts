import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anonymityOf, fraudScore, shrunkenRate } from './anonymity.ts'
import { type KeptList, type Listing, listKinds } from './anonymity-lists.ts'

const now = Date.parse('2026-03-01T12:00:00Z')
const day = 86_400_000
const none = Object.fromEntries(listKinds.map((kind) => [kind, 0])) as unknown as Listing
const dated = (datedMs: number): KeptList[] => listKinds.map((kind) => ({ name: kind, kind, datedMs, entries: 1 }))

function judged(listing: Partial<Listing>, { age = 0, isMobile = false, local = 0 } = {}) {
  const {
    anonymousness: _,
    abuse: __,
    ...flags
  } = anonymityOf({ ...none, ...listing }, dated(now - age), { now, isMobile })
  const anonymity = anonymityOf({ ...none, ...listing }, dated(now - age), { now, isMobile })
  const raised = Object.entries(flags).flatMap(([name, isRaised]) => (isRaised ? [name] : []))
  return { raised, score: fraudScore(anonymity, local) }
}

test('precedence: tor > relay > enterprise gateway > {proxy, vpn, datacenter}', () => {
  const everything = { tor: 1, relay: 1, gateway: 1, openProxy: 1, vpnServer: 1, vpnRange: 1, cloud: 1, datacenter: 3 }
  assert.deepEqual(judged(everything), { raised: ['tor'], score: 75 })
  assert.deepEqual(judged({ ...everything, tor: 0 }), { raised: ['relay'], score: 5 })
  assert.deepEqual(judged({ ...everything, tor: 0, relay: 0 }), { raised: ['gateway'], score: 0 })
  assert.deepEqual(judged({ ...everything, tor: 0, relay: 0, gateway: 0 }), {
    raised: ['proxy', 'vpn', 'datacenter'],
    score: 75,
  })
})

test('Apple Private Relay and WARP are relays: they clear VPN and datacenter', () => {
  assert.deepEqual(judged({ relay: 1, vpnRange: 1, cloud: 1 }).raised, ['relay'])
})

test('a datacenter needs 2 votes, or a range that the cloud publishes', () => {
  assert.deepEqual(judged({ datacenter: 1 }), { raised: [], score: 0 })
  assert.deepEqual(judged({ datacenter: 2 }), { raised: ['datacenter'], score: 30 })
  assert.deepEqual(judged({ cloud: 1 }), { raised: ['datacenter'], score: 30 })
})

test('Tor exits age out in 24 h', () => {
  assert.deepEqual(judged({ tor: 1 }, { age: day }).raised, ['tor'])
  assert.deepEqual(judged({ tor: 1 }, { age: day + 1 }).raised, [])
})

test('fraudScore: VPN server 50, VPN range 40; abuse by the number of lists, decayed by e^(−days/14), ×0.4 on mobile and relays', () => {
  assert.equal(judged({ vpnServer: 1 }).score, 50)
  assert.equal(judged({ vpnRange: 1 }).score, 40)
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 6, 7].map((abuse) => judged({ abuse }).score),
    [0, 10, 35, 60, 75, 85, 90, 95],
  )
  assert.equal(judged({ abuse: 3 }, { age: 14 * day }).score, 22)
  assert.equal(judged({ abuse: 3 }, { isMobile: true }).score, 24)
  assert.equal(judged({ abuse: 3, relay: 1 }).score, 28)
  assert.equal(judged({ vpnServer: 1, abuse: 3 }, { local: 0.5 }).score, 90)
})

test('the rate seen here is shrunken: one bad outcome of one does not condemn an address', () => {
  assert.equal(shrunkenRate(0, 0), 0)
  assert.ok(shrunkenRate(1, 1) < 0.05)
  assert.ok(shrunkenRate(80, 80) === 0.8)
})
