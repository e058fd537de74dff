// Does an account learn the habits of its person, and is nobody flagged who only travels, commutes or changes networks?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { laptop } from '../device/testdata/devices.ts'
import { fewestForNew } from '../rules/pending-checks.ts'
import { eachDatabase } from '../testing/databases.ts'
import { createApp } from '../testing/sdk-client.ts'
import { fewestForRare } from './habits.ts'
import { browserIn, decide, type NetworkName, startWorld } from './testing/world.ts'

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(it('says nothing of the habits of an account before it has some'), async (t) => {
    const service = await startWorld(t, await open(t))
    for (let session = 0; session < fewestForNew; session++) {
      const { input } = await decide(service, 'home', { phoneNumber: '917020141726', operator: 'JIO' })
      assert.equal(input.sessions, session)
      for (const path of [
        'newCountry',
        'rareCountry',
        'newNetwork',
        'newNumber',
        'newOperator',
        'unusualHour',
      ] as const) {
        assert.equal(input[path], undefined, path)
      }
      service.clock.advance({ hours: 24 })
    }
    const { input } = await decide(service, 'paris', { phoneNumber: '33612345678', operator: 'ORANGE' })
    const { newCountry, newNetwork, newNumber, newOperator, rareCountry, sessions } = input
    assert.deepEqual([newCountry, newNetwork, newNumber, newOperator], [true, true, true, true])
    assert.deepEqual([rareCountry, sessions], [undefined, fewestForNew])
    assert.deepEqual([input.ageDays, input.daysSinceLastSession], [3, 1])
    service.clock.advance({ hours: 24 })
    const again = await decide(service, 'paris', { phoneNumber: '33612345678', operator: 'ORANGE' })
    assert.deepEqual([again.input.newCountry, again.input.newNumber, again.input.newOperator], [false, false, false])
  })

  test(it('a commuter with three networks is never flagged after the first days'), async (t) => {
    const service = await startWorld(t, await open(t))
    const day: [NetworkName, number][] = [
      ['home', 2],
      ['mobileInMumbai', 1],
      ['office', 4],
      ['mobileInDelhi', 5],
      ['home', 12],
    ]
    for (let days = 0; days < 20; days++) {
      for (const [network, hours] of day) {
        service.clock.advance({ hours })
        const { input } = await decide(service, network)
        const { newCountry, newNetwork, rareCountry, rareNetwork, unusualHour, travel } = input
        assert.notEqual(travel?.impossible, true, `${network} on day ${days}`)
        const flags = { newCountry, newNetwork, rareCountry, rareNetwork, unusualHour }
        const raised = Object.entries(flags).filter(([, flag]) => flag === true)
        if (days >= 2) assert.deepEqual(raised, [], `${network} on day ${days}`)
      }
    }
  })

  test(it('flags a place that a person cannot have reached, and not a flight'), async (t) => {
    const service = await startWorld(t, await open(t))
    await decide(service, 'home')
    service.clock.advance({ hours: 4 })
    const flight = await decide(service, 'hotelInDelhi')
    const { distanceKm, speedKmh, impossible } = flight.input.travel!
    // 1,148 km, less two radii of 28 km.
    assert.ok(Math.abs(distanceKm! - 1092) < 20, `${distanceKm}`)
    assert.deepEqual([speedKmh, impossible], [Math.round(distanceKm! / 4), false])
    service.clock.advance({ hours: 1 })
    const { input } = await decide(service, 'paris', { action: 'CHALLENGE' })
    assert.ok(input.travel!.impossible && input.travel!.speedKmh! > 6000, JSON.stringify(input.travel))
    service.clock.advance({ hours: 12 })
    assert.equal((await decide(service, 'paris')).input.travel!.impossible, false, 'a flight takes less')
  })

  test(it('takes neither commuting nor a clock that stands still for travel'), async (t) => {
    const service = await startWorld(t, await open(t))
    await decide(service, 'home')
    const nearby = (await decide(service, 'office')).input.travel!
    assert.ok(
      nearby.speedKmh! > 1000 && nearby.distanceKm! < 300 && nearby.impossible === false,
      JSON.stringify(nearby),
    )
    const far = (await decide(service, 'paris', { action: 'BLOCK' })).input.travel!
    assert.deepEqual([far.impossible, Number.isFinite(far.speedKmh)], [true, true])
    service.clock.advance({ hours: -2 })
    const earlier = (await decide(service, 'paris', { action: 'BLOCK' })).input
    assert.equal(earlier.travel!.speedKmh, Math.round(earlier.travel!.distanceKm! / 2), 'whichever was first')
    assert.deepEqual([earlier.ageDays, earlier.daysSinceLastSession], [0, 0])
  })

  test(it('knows no place of a VPN and of a mobile network, and no country of a VPN'), async (t) => {
    const service = await startWorld(t, await open(t))
    for (let session = 0; session < 4; session++) {
      await decide(service, 'home')
      service.clock.advance({ hours: 1 })
    }
    const { input: byVpn } = await decide(service, 'vpn')
    assert.deepEqual([byVpn.travel, byVpn.newCountry, byVpn.newNetwork], [undefined, undefined, true])
    const { input: byPhone } = await decide(service, 'mobileInDelhi')
    assert.deepEqual([byPhone.travel, byPhone.newCountry], [undefined, false])
    const { input: fromNowhere } = await decide(service, undefined)
    assert.deepEqual(
      [fromNowhere.travel, fromNowhere.newCountry, fromNowhere.newNetwork],
      [undefined, undefined, undefined],
    )
  })

  for (const lists of ['none', 'noVpn'] as const) {
    test(
      it(`judges no travel without a list of VPNs: any IP address may be that of one (lists: ${lists})`),
      async (t) => {
        const service = await startWorld(t, await open(t), { lists })
        await decide(service, 'home')
        service.clock.advance({ hours: 1 })
        const { input, shown } = await decide(service, 'paris')
        assert.deepEqual([input.travel, shown.place, shown.country], [undefined, undefined, 'FR'])
      },
    )
  }

  test(it('takes the company VPN of an established device for what it is, and not that of a new one'), async (t) => {
    const service = await startWorld(t, await open(t))
    const app = await createApp(service)
    const [own, phone] = [browserIn(service, app), browserIn(service, app, laptop())]
    const session = async (browser: typeof own, network: NetworkName, more = {}) => {
      service.clock.advance({ hours: 1 })
      const { analysis, dfrId } = await browser.visits(network)
      const { input } = await decide(service, network, { analysis, ...more })
      await confirm(service, dfrId)
      return input
    }
    await session(own, 'home')
    assert.equal((await session(own, 'companyVpn')).travel?.impossible, true, 'the device is an hour old')
    service.clock.advance({ hours: 72 })
    await session(own, 'home')
    const { travel, knownDevice } = await session(own, 'companyVpn')
    assert.equal(knownDevice, 'yes')
    assert.ok(travel!.speedKmh! > 1000)
    assert.equal(travel!.impossible, undefined)
    // The phone of the same person, at home meanwhile: it is new, so nothing explains it yet.
    assert.equal((await session(phone, 'home')).travel?.impossible, true)
    service.clock.advance({ hours: 72 })
    await session(phone, 'home')
    await session(own, 'companyVpn')
    assert.equal((await session(phone, 'home')).travel?.impossible, undefined, 'two devices side by side')
  })

  test(it('an attacker who first signs in near by is flagged when he then comes from far away'), async (t) => {
    const service = await startWorld(t, await open(t))
    const app = await createApp(service)
    const [own, thief] = [browserIn(service, app), browserIn(service, app, laptop())]
    for (let day = 0; day < 5; day++) {
      const { analysis } = await own.visits('home')
      await decide(service, 'home', { analysis })
      service.clock.advance({ hours: 24 })
    }
    const near = await thief.visits('neighbour')
    const first = await decide(service, 'neighbour', { analysis: near.analysis })
    assert.deepEqual([first.input.travel!.impossible, first.input.knownDevice], [false, 'no'])
    await confirm(service, near.dfrId)
    service.clock.advance({ hours: 1 })
    const far = await thief.visits('paris')
    const { input } = await decide(service, 'paris', { analysis: far.analysis, action: 'CHALLENGE' })
    assert.deepEqual([input.knownDevice, input.travel!.impossible], ['yes', true])
    assert.deepEqual([input.newCountry, input.newNetwork], [true, true])
  })

  test(it('a family shares its devices, its number and its hours'), async (t) => {
    const service = await startWorld(t, await open(t))
    const home = browserIn(service, await createApp(service))
    const number = { phoneNumber: '917020141726' }
    for (const [place, userId] of ['asha', 'ben', 'cleo'].entries()) {
      service.clock.advance({ hours: 1 })
      const { analysis, dfrId } = await home.visits('home')
      const { input } = await decide(service, 'home', { userId, analysis, ...(place < 2 && number) })
      assert.equal(input.linkedAccounts, place, userId)
      await confirm(service, dfrId, userId)
    }
    assert.equal((await decide(service, 'home', number)).input.linkedAccounts, 1, 'by number alone')
    assert.equal((await decide(service, 'home')).input.linkedAccounts, undefined, 'nothing is shared that is unknown')
  })

  test(it('finds an unusual hour around the clock, in UTC wherever the person is'), async (t) => {
    const service = await startWorld(t, await open(t))
    service.clock.advance({ hours: 11 })
    for (let session = 0; session < fewestForRare; session++) {
      const { input } = await decide(service, 'home')
      assert.equal(input.unusualHour, undefined)
      service.clock.advance({ hours: 24 })
    }
    const at = async (hours: number) => {
      service.clock.advance({ hours })
      const { input } = await decide(service, 'home', { action: 'BLOCK' })
      service.clock.advance({ hours: -hours })
      return input.unusualHour
    }
    assert.deepEqual([await at(0), await at(2), await at(-2)], [false, false, false], '23:00, 1:00, 21:00')
    assert.deepEqual([await at(3), await at(-3), await at(12)], [true, true, true])
  })

  test(it('finds a rare network, and takes one that becomes a habit as usual'), async (t) => {
    const service = await startWorld(t, await open(t))
    const session = async (network: NetworkName) => {
      service.clock.advance({ hours: 12 })
      return (await decide(service, network)).input
    }
    for (let count = 0; count < 190; count++) await session('home')
    assert.deepEqual([(await session('paris')).rareNetwork, (await session('home')).rareNetwork], [true, false])
    const rare: (boolean | undefined)[] = []
    for (let count = 0; count < 7; count++) rare.push((await session('paris')).rareCountry)
    assert.ok(rare[0] === true && rare.at(-1) === false, rare.join())
  })
})

/** The backend reads the report for the user who signed in. */
async function confirm(service: Awaited<ReturnType<typeof startWorld>>, dfrId: string, userId = 'asha') {
  const { status } = await service.post('/client/v1/device-fingerprint', { dfrId, deviceType: 'WEB', userId })
  assert.equal(status, 200)
}
