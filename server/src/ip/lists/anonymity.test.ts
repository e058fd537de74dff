import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ListKind } from '../../core/config/ip-data-settings.ts'
import type { StoredList } from './address-lists.ts'
import { anonymityOf, fraudScore } from './anonymity.ts'

const now = Date.parse('2026-03-01T12:00:00Z')
const day = 86_400_000

/** `listing`: how many lists of each kind name the address. */
function judged(listing: Partial<Record<ListKind, number>>, { age = 0, isMobile = false } = {}) {
  const lists = Object.entries(listing).flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, i) => list(kind as ListKind, age, `${kind} ${i}`)),
  )
  return withoutUndefined(lists, isMobile)
}

const list = (kind: ListKind, age = 0, name: string = kind): StoredList => ({
  name,
  kind,
  datedMs: now - age,
  entries: 1,
})

const kindsOf = (lists: readonly StoredList[]) => new Set(lists.map(({ kind }) => kind))

function withoutUndefined(lists: readonly StoredList[], isMobile = false) {
  const anonymity = anonymityOf(lists, { now, isMobile, kinds: kindsOf(lists) })
  const { anonymityScore: _, abuse: __, listedBy: ___, ...flags } = anonymity
  const raised = Object.entries(flags).flatMap(([name, isRaised]) => (isRaised ? [name] : []))
  return { raised, score: fraudScore({ anonymity, localRate: undefined, isMobile }) }
}

test('applies the precedence tor > relay > enterprise gateway > {proxy, vpn, datacenter}', () => {
  const everything = { tor: 1, relay: 1, gateway: 1, openProxy: 1, vpnServer: 1, vpnRange: 1, cloud: 1, datacenter: 3 }
  assert.deepEqual(judged(everything), { raised: ['tor'], score: 75 })
  assert.deepEqual(judged({ ...everything, tor: 0 }), { raised: ['relay'], score: 5 })
  assert.deepEqual(judged({ ...everything, tor: 0, relay: 0 }), { raised: ['gateway'], score: 0 })
  assert.deepEqual(judged({ ...everything, tor: 0, relay: 0, gateway: 0 }), {
    raised: ['proxy', 'vpn', 'datacenter'],
    score: 75,
  })
})

test('a list that is dated in the future raises nothing, but for a clock that is hours behind', () => {
  const everything = { tor: 1, relay: 1, gateway: 1, openProxy: 1, vpnServer: 1, cloud: 1, abuse: 7 }
  assert.deepEqual(judged(everything, { age: -day - 1 }), { raised: [], score: 0 })
  assert.deepEqual(judged(everything, { age: (-14 / 24) * day }).raised, ['tor'])
})

test('knows whether it is a VPN only with a list of VPNs, or when something stronger is known', () => {
  const vpnOf = (kinds: readonly ListKind[], inUse: readonly ListKind[]) =>
    anonymityOf(
      kinds.map((kind) => list(kind)),
      { now, isMobile: false, kinds: new Set(inUse) },
    ).vpn
  assert.equal(vpnOf([], ['tor', 'datacenter']), undefined)
  assert.deepEqual(
    [vpnOf([], ['vpnServer']), vpnOf([], ['vpnRange']), vpnOf(['relay'], ['relay'])],
    [false, false, false],
  )
  assert.equal(vpnOf(['vpnRange'], ['vpnRange']), true)
})

test('knows whether it is a relay only with a list of relays, or behind Tor', () => {
  const relayOf = (lists: readonly ListKind[], kinds: readonly ListKind[]) =>
    anonymityOf(
      lists.map((kind) => list(kind)),
      { now, isMobile: false, kinds: new Set(kinds) },
    ).relay
  assert.deepEqual([relayOf([], ['tor', 'vpnRange']), relayOf([], ['relay'])], [undefined, false])
  assert.deepEqual([relayOf(['tor'], ['tor']), relayOf(['relay'], ['relay'])], [false, true])
})

test('treats Apple Private Relay and WARP as relays, which clear VPN and datacenter', () => {
  assert.deepEqual(judged({ relay: 1, vpnRange: 1, cloud: 1 }).raised, ['relay'])
})

test('requires two lists for a datacenter, or a range that the cloud publishes', () => {
  assert.deepEqual(judged({ datacenter: 1 }), { raised: [], score: 0 })
  assert.deepEqual(judged({ datacenter: 2 }), { raised: ['datacenter'], score: 30 })
  assert.deepEqual(judged({ cloud: 1 }), { raised: ['datacenter'], score: 30 })
})

test('ignores Tor exits that are older than 24 hours', () => {
  assert.deepEqual(judged({ tor: 1 }, { age: day }).raised, ['tor'])
  assert.deepEqual(judged({ tor: 1 }, { age: day + 1 }).raised, [])
})

test('takes the age of abuse from the lists that name the address, not from newer ones', () => {
  const [fresh, stale] = [list('tor', 0, 'fresh'), list('tor', 2 * day, 'stale')]
  assert.deepEqual(withoutUndefined([stale]).raised, [])
  assert.deepEqual(withoutUndefined([stale, fresh]).raised, ['tor'])
  assert.equal(withoutUndefined([list('abuse', 14 * day)]).score, 4)
  assert.equal(withoutUndefined([list('abuse', 14 * day), list('abuse', 0)]).score, 35)
})

test('returns the names of all lists beside the verdicts, also of outdated ones', () => {
  const lists = [list('relay'), list('vpnRange')]
  const { vpn, listedBy } = anonymityOf(lists, { now, isMobile: false, kinds: kindsOf(lists) })
  assert.deepEqual([vpn, listedBy], [false, ['relay', 'vpnRange']])
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
  assert.equal(judged({ vpnServer: 1, abuse: 3 }).score, 80)
})

test('fraudScore: what was labelled here counts too, ×0.4 on mobile and relays; without lists and labels there is none', () => {
  const hidden = { anonymityScore: 0.5, abuse: 0.6, relay: false }
  const score = (localRate: number | undefined, anonymity: typeof hidden | undefined = hidden, isMobile = false) =>
    fraudScore({ anonymity, localRate, isMobile })
  assert.equal(score(0.5), 90)
  assert.equal(score(0), 80)
  assert.equal(score(undefined), 80)
  assert.equal(score(0.5, hidden, true), 84)
  assert.equal(score(0.5, { ...hidden, relay: true }), 84)
  assert.equal(fraudScore({ anonymity: undefined, localRate: 0.5, isMobile: false }), 50)
  assert.equal(fraudScore({ anonymity: undefined, localRate: undefined, isMobile: false }), undefined)
})
