import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WebFacts } from '@ringfence/contract'
import { homeAddress, laptop, workAddress } from '../testdata/devices.ts'
import { blockingKeys, keysOfDevice, mostDevicesOfAKey } from './blocking-keys.ts'
import { allParts, type Component, components, families, place, traitsOf } from './components.ts'
import { completenessOf, confidenceOf, read } from './confidence.ts'
import { contradicts, decide } from './decide.ts'
import { fingerprintOf, type KnownFingerprint, packed, unpacked, updated } from './fingerprint.ts'
import {
  ageClassOf,
  ages,
  cannotBeOne,
  compare,
  fullKeys,
  models,
  outcome,
  rarities,
  rarityOf,
  speakerOf,
  weights,
} from './score.ts'

const salt = 'test'
const phoneAgent =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36'
const fingerprint = (facts: WebFacts, address = homeAddress): KnownFingerprint => ({
  ...fingerprintOf(traitsOf(facts, address), salt),
  previous: new Map(),
})
const none = { full: [], fullOfNew: [] }
const deviceOf = (index: number, changes = {}) => ({
  id: String(index),
  isEstablished: true,
  firstSeenAt: 0,
  lastSeenAt: 0,
  ...changes,
})
/** Against known devices that share every key with the visit, `devices` having each. */
function decided(visit: KnownFingerprint, known: readonly KnownFingerprint[], devices = 1) {
  const keys = blockingKeys(visit, salt)
  const shared = keys.map((_, place) => ({ place, devices, all: devices }))
  return decide(
    visit,
    keys,
    known.map((fingerprint, index) => ({ fingerprint, shared, lastSeenAt: 0, device: deviceOf(index) })),
    none,
    0,
    models[visit.family],
  )
}

test('weighs rare values more than common ones', () => {
  const [visit, known] = [fingerprint(laptop(), workAddress), fingerprint(laptop())]
  assert.ok(decided(visit, [known], 1).logOdds > decided(visit, [known], 40).logOdds)
})

test('distinguishes devices with and without a full key', () => {
  const outcomes = (facts: WebFacts) => compare(fingerprint(laptop()), fingerprint(laptop(facts)))
  assert.deepEqual(fullKeys('blink-desktop', ['display'], outcomes({})), [
    { name: 'display', devices: mostDevicesOfAKey + 1 },
  ])
  const [other] = fullKeys('blink-desktop', ['display'], outcomes({ timezone: 'Europe/Paris' }))
  assert.notEqual(rarityOf(other!.devices), rarityOf(mostDevicesOfAKey + 1))
  assert.ok(rarityOf(other!.devices) < rarities)
})

test('finds a phone in another network of the same ISP region', () => {
  const phone = (facts: WebFacts, address: string) =>
    fingerprint(
      laptop({ userAgent: phoneAgent, maxTouchPoints: 5, clientHints: { model: 'Pixel 9' }, ...facts }),
      address,
    )
  const known = updated(phone({}, homeAddress), phone({}, '100.64.7.1'))
  const keys = new Set(keysOfDevice(known, salt))
  const names = (visit: KnownFingerprint) =>
    blockingKeys(visit, salt)
      .filter(({ key }) => keys.has(key))
      .map(({ name }) => name)
  const changed = { languages: ['en-IN', 'ta'], fonts: ['Roboto'], canvas: {} }
  assert.deepEqual(names(phone(changed, '100.64.200.9')), ['card', 'region'])
  assert.ok(names(phone(changed, homeAddress)).includes('network'), 'at home again')
  assert.deepEqual(
    names(phone({ webgl: {} }, homeAddress)),
    ['settings', 'setup', 'region', 'network', 'neighbours'],
    'though its graphics card is not reported',
  )
})

test('chooses one of two equally similar devices, with a confidence of at most one half', () => {
  const [visit, known] = [fingerprint(laptop()), fingerprint(laptop())]
  const keys = blockingKeys(visit, salt)
  const shared = keys.map((_, place) => ({ place, devices: 2, all: 2 }))
  const among = (
    ...devices: { of?: KnownFingerprint; isEstablished?: boolean; firstSeenAt?: number; lastSeenAt?: number }[]
  ) =>
    decide(
      visit,
      keys,
      devices.map(({ of = known, ...changes }, index) => ({
        fingerprint: of,
        shared,
        lastSeenAt: 0,
        device: deviceOf(index, changes),
      })),
      none,
      0,
      models[visit.family],
    )
  const confidence = ({ logOdds }: { logOdds: number }) => confidenceOf(visit, 'known', logOdds)
  assert.ok(confidence(among({})) > 0.9)
  const tie = among({ firstSeenAt: 2, lastSeenAt: 4 }, { firstSeenAt: 1, lastSeenAt: 3 })
  assert.equal(tie.record?.device.id, '1', 'the older one')
  assert.ok(confidence(tie) <= 0.5 && confidence(tie) > 0.49, String(confidence(tie)))
  assert.ok(confidence(among({}, {}, {}, {})) <= 0.25)
  const fresh = { lastSeenAt: 2, isEstablished: false }
  assert.equal(among({ lastSeenAt: 1 }, fresh).record?.device.id, '0', 'an established one before a new one')
  const lacksArea = { ...known, hashes: known.hashes.with(place.area, 0) }
  const almost = among({ firstSeenAt: 2 }, { of: lacksArea, firstSeenAt: 1 })
  assert.ok(almost.scored[0]!.score >= almost.scored[1]!.score)
  assert.equal(almost.record?.device.id, '1', 'the older one, though another fits a little better')
  const previous = new Map([[place.network, [visit.hashes[place.network]!]]])
  const away = { ...known, hashes: known.hashes.with(place.network, 1), previous }
  const near = among({ of: away, lastSeenAt: 2 }, { lastSeenAt: 1 })
  assert.equal(near.record?.device.id, '1', 'the same network before the one seen last')
  const roaming = among({ of: away, firstSeenAt: 1, lastSeenAt: 3 }, { of: away, firstSeenAt: 2, lastSeenAt: 4 })
  assert.equal(roaming.record?.device.id, '1', 'in a network of neither, the one seen last')
  assert.equal(among().record, undefined)
})

test('takes the records of one device for one candidate', () => {
  const visit = fingerprint(laptop())
  const keys = blockingKeys(visit, salt)
  const shared = keys.map((_, place) => ({ place, devices: 1, all: 1 }))
  const record = { fingerprint: fingerprint(laptop()), shared, lastSeenAt: 0, device: deviceOf(7) }
  const [alone, four] = [[record], [record, record, record, record]].map((its) =>
    decide(visit, keys, its, none, 0, models[visit.family]),
  )
  assert.equal(four?.record?.device.id, '7')
  assert.equal(four?.logOdds, alone?.logOdds)
})

test('new devices that fill a key lower the confidence, but do not hide an established device', () => {
  const visit = fingerprint(laptop())
  const keys = blockingKeys(visit, salt)
  const of = (devices: number, all: number) => {
    const shared = keys.map((_, place) => ({ place, devices, all }))
    const known = { fingerprint: fingerprint(laptop()), shared, lastSeenAt: 0, device: deviceOf(1) }
    return decide(visit, keys, [known], { full: [], fullOfNew: keys.map((_, place) => place) }, 0, models[visit.family])
  }
  const [alone, flooded] = [of(1, 1), of(1, 65)]
  assert.equal(flooded.scored[0]?.score, alone.scored[0]?.score)
  assert.ok(flooded.record)
  assert.ok(flooded.logOdds < alone.logOdds)
})

test('a key that only new devices fill says nothing about an established one', () => {
  const visit = fingerprint(laptop())
  const keys = blockingKeys(visit, salt)
  const places = keys.map((_, place) => place)
  const score = (isEstablished: boolean, full: { full: readonly number[]; fullOfNew: readonly number[] }) => {
    const known = {
      fingerprint: fingerprint(laptop({ fonts: ['Arial'] })),
      shared: [],
      lastSeenAt: 0,
      device: deviceOf(1, { isEstablished }),
    }
    return decide(visit, keys, [known], full, 0, models[visit.family]).scored[0]!.score
  }
  const fullOfNew = { full: [], fullOfNew: places }
  assert.equal(score(true, fullOfNew), score(true, none))
  assert.notEqual(score(false, fullOfNew), score(false, none))
  assert.notEqual(score(true, { full: places, fullOfNew: places }), score(true, none))
})

test('counts a previous value as agreement, and stores a limited number of them', () => {
  const home = fingerprint(laptop())
  const away = updated(home, fingerprint(laptop({ timezone: 'Europe/Paris' }), workAddress))
  const back = compare(away, fingerprint(laptop()))
  assert.equal(back[place.zone], outcome.agreesWithFormer)
  assert.equal(back[place.address], outcome.agreesWithFormer)
  assert.equal(back[place.fonts], outcome.agrees)
  let known = home
  for (let day = 0; day < 50; day++) {
    known = updated(
      known,
      fingerprint(laptop({ timezone: `Zone/${day}`, fonts: [`${day}`], audio: day }), `10.${day}.0.1`),
    )
  }
  assert.equal(known.previous.get(place.zone)?.length, 3)
  assert.ok([...known.previous.values()].flat().length <= 24)
  assert.ok(packed(known).length < 300, String(packed(known).length))
  assert.ok(keysOfDevice(known, salt).size <= 7 + 3 * 3)
})

test('unpacks a packed fingerprint, and refuses other bytes', () => {
  const known = updated(fingerprint(laptop()), fingerprint(laptop({}, 151), workAddress))
  assert.deepEqual(unpacked(packed(known)), known)
  const shorter = packed(known)
  for (const broken of [new Uint8Array(), shorter.subarray(0, 40), new Uint8Array(200).fill(9)]) {
    assert.throws(() => unpacked(broken), /not a fingerprint/)
  }
})

test('keeps the known value of a component that a visit does not report', () => {
  const { fonts: _, ...silent } = laptop()
  const after = updated(fingerprint(laptop()), fingerprint(silent))
  assert.deepEqual(after.hashes, fingerprint(laptop()).hashes)
  assert.equal(after.previous.size, 0)
  const known = fingerprint(laptop())
  assert.deepEqual(updated(known, fingerprint({}, workAddress)), known, 'a visit without facts changes nothing')
})

const phone = (changes: WebFacts = {}) =>
  laptop({ userAgent: phoneAgent, maxTouchPoints: 5, screen: { width: 412, height: 915 }, ...changes })
const otherCard = { vendor: 'Google Inc. (NVIDIA)', renderer: 'ANGLE (NVIDIA, RTX 4070)' }

test('treats hardware that differs in two groups as another device, with a token and without', () => {
  const cases: [what: string, known: WebFacts, visit: WebFacts, isOther: boolean][] = [
    ['another card', laptop(), laptop({ webgl: otherCard }), false],
    ['more memory', laptop(), laptop({ deviceMemory: 16 }), false],
    ['card and memory', laptop(), laptop({ webgl: otherCard, deviceMemory: 16 }), true],
    ['card and cores', laptop(), laptop({ webgl: otherCard, hardwareConcurrency: 4 }), true],
    ['screen and memory', laptop(), laptop({ screen: { width: 1920, height: 1080 }, deviceMemory: 16 }), true],
    ['a dock: card and screen', laptop(), laptop({ webgl: otherCard, screen: { width: 1920, height: 1080 } }), false],
    ['card and screen of a phone', phone(), phone({ webgl: otherCard, screen: { width: 360, height: 800 } }), true],
    ['a larger display size of a phone', phone(), phone({ screen: { width: 360, height: 800 } }), false],
    ['cores and architecture, of one processor', laptop(), laptop({ hardwareConcurrency: 4, clientHints: {} }), false],
    ['a masked card', laptop(), laptop({ webgl: { renderer: 'WebKit WebGL' }, deviceMemory: 16 }), false],
    ['a missing card', laptop(), laptop({ webgl: {}, deviceMemory: 16 }), false],
    [
      'random cores and memory of a browser that alters pixels',
      laptop(),
      laptop({ hardwareConcurrency: 3, deviceMemory: 1, canvas: { geometry: '1', text: '2', isExact: false } }),
      false,
    ],
  ]
  for (const [what, known, visit, isOther] of cases) {
    const [one, other] = [fingerprint(known), fingerprint(visit)]
    assert.equal(contradicts(one, other), isOther, `${what}, with a token`)
    assert.equal(cannotBeOne(one, other, compare(one, other)), isOther, `${what}, without`)
  }
})

test('rejects a token with another system or model, or with two hardware differences', () => {
  const known = fingerprint(laptop())
  const fits: WebFacts[] = [
    laptop({ hardwareConcurrency: 4 }),
    laptop({ webgl: { renderer: 'the other graphics card' } }),
    laptop({ fonts: [], timezone: 'Europe/Paris', languages: ['fr'], screen: {}, audio: 1 }, 170),
    laptop({}, 140),
    {},
  ]
  for (const facts of fits)
    assert.equal(contradicts(known, fingerprint(facts, workAddress)), false, JSON.stringify(facts))
  const others: WebFacts[] = [
    laptop({ hardwareConcurrency: 4, deviceMemory: 2 }),
    laptop({ hardwareConcurrency: 4 }, 140),
    laptop({ userAgent: `${laptop().userAgent} Edg/150.0` }),
  ]
  for (const facts of others) assert.equal(contradicts(known, fingerprint(facts)), true, JSON.stringify(facts))
})

test('says how much of a device a visit shows', () => {
  const without = (...names: Component[]) => {
    const { hashes, ...visit } = fingerprint(laptop())
    const its = new Uint32Array(components.length).fill(1)
    for (const name of names) its[place[name]] = 0
    return completenessOf({ ...visit, hashes: its })
  }
  assert.equal(without(), 'all')
  assert.equal(without('fullVersion'), 'all')
  assert.equal(without('address', 'network', 'provider'), 'withoutAddress')
  const drawn: Component[] = ['gpu', 'image', 'canvasText', 'canvasShapes', 'parameters', 'extensions']
  assert.equal(without(...drawn), 'some')
  assert.equal(without(...drawn, 'address', 'network', 'provider'), 'some')
  assert.equal(without(...components.slice(0, 20)), 'few')
})

test('counts the age of a known device in three classes', () => {
  const day = 86_400_000
  assert.deepEqual([0, 2 * day, 2 * day + 1, 30 * day, 31 * day, 400 * day].map(ageClassOf), [0, 0, 1, 1, 2, 2])
  const { components: its } = weights['blink-desktop']
  const known = { fingerprint: fingerprint(laptop()), shared: [], lastSeenAt: 0, device: deviceOf(0) }
  const scoreAfter = (days: number) =>
    decide(known.fingerprint, [], [known], none, days * day, models['blink-desktop']).scored[0]!.score
  const outcomes = compare(known.fingerprint, known.fingerprint)
  const speakers = allParts.map((part) => speakerOf(part, outcomes)).filter((its) => its >= 0)
  const agreed = speakers.map((its) => components[its]!)
  const sumOf = (age: number) =>
    agreed.reduce((sum, name) => sum + its[name].agrees[age]!, weights['blink-desktop'].bias[age]!)
  for (const [age, days] of [1, 20, 90].entries()) assert.ok(Math.abs(scoreAfter(days) - sumOf(age)) < 1e-9)
})

test('has weights for every family and component, and rising calibration curves', () => {
  for (const family of families) {
    assert.equal(weights[family].bias.length, ages, family)
    for (const name of components) {
      const { agrees, agreesWithFormer, differs, source } = weights[family].components[name] as unknown as Record<
        string,
        unknown
      >
      for (const byAge of [agrees, agreesWithFormer, differs] as number[][]) {
        assert.equal(byAge.length, ages, `${family} ${name}`)
        assert.ok(byAge.every(Number.isFinite), `${family} ${name}`)
      }
      assert.ok(source, `${family} ${name}`)
    }
    for (const kind of ['known', 'new'] as const) {
      for (const known of [components.length, 25, 12]) {
        const visit = { ...fingerprint(laptop()), family, hashes: new Uint32Array(components.length).fill(1, 0, known) }
        const values = [-50, -2, 0, 1, 2, 3, 5, 8, 13, 50, Number.POSITIVE_INFINITY].map((at) =>
          confidenceOf(visit, kind, at),
        )
        assert.deepEqual(
          values,
          values.toSorted((a, b) => a - b),
        )
        for (const value of values) assert.ok(value >= 0 && value <= 1)
      }
    }
  }
  assert.equal(
    read(
      [
        [0, 0.2],
        [10, 0.8],
      ],
      5,
    ),
    0.5,
  )
})

test(`queries at most eight keys per visit, so at most ${8 * (mostDevicesOfAKey + 1)} rows`, () => {
  const gecko = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0'
  const mac =
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15'
  for (const userAgent of [laptop().userAgent!, phoneAgent, gecko, mac]) {
    const count = blockingKeys(fingerprint(laptop({ userAgent, clientHints: { model: 'Pixel 9' } })), salt).length
    assert.ok(count > 3 && count <= 8, String(count))
  }
})
