import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { WebFacts } from '@ringfence/contract'
import { keyring } from '../../core/crypto/keyring.ts'
import { tenantKeyring } from '../../core/crypto/tenant-keyring.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { testClock } from '../../testing/test-clock.ts'
import { homeAddress, laptop } from '../testdata/devices.ts'
import { storeInstallation } from './installation-change.ts'
import { recognise } from './recognise.ts'

const otherCard = {
  vendor: 'Google Inc. (NVIDIA)',
  renderer: 'ANGLE (NVIDIA, NVIDIA GeForce RTX 4070 (0x00002786) Direct3D11 vs_5_0 ps_5_0, D3D11)',
  parameters: '11',
  extensions: '12',
  image: '13',
}
const otherCanvas = { geometry: '21', text: '22', isStable: true, isExact: true }
const otherMachine: WebFacts = {
  webgl: otherCard,
  hardwareConcurrency: 4,
  deviceMemory: 4,
  clientHints: { platform: 'Windows', platformVersion: '15.0.0', architecture: 'arm', bitness: '64', model: '' },
}

/** How sure the answer may be that a visit is of the known laptop: 0 means another device. */
const strangers: readonly [what: string, facts: WebFacts, mostAtHome: number, mostElsewhere: number][] = [
  ['the laptop itself', {}, 1, 1],
  ['the name of another card alone', { webgl: { ...laptop().webgl, renderer: otherCard.renderer } }, 1, 0.9],
  ['another card', { webgl: otherCard }, 1, 0.9],
  ['another card and canvas', { webgl: otherCard, canvas: otherCanvas }, 1, 0.9],
  ['another card and screen', { webgl: otherCard, screen: { width: 2560, height: 1440 } }, 1, 0.9],
  ['another card, cores and memory', { webgl: otherCard, hardwareConcurrency: 4, deviceMemory: 4 }, 0, 0],
  ['another card, cores, memory and architecture', otherMachine, 0, 0],
  ['another card, canvas, cores, memory and architecture', { ...otherMachine, canvas: otherCanvas }, 0, 0],
]

eachDatabase(({ engine, open }) => {
  test(`takes other hardware for another machine, in the same network and another, with a token and without (${engine})`, async (t) => {
    const database = await open(t)
    const clock = testClock()
    const keys = tenantKeyring(database, keyring(randomBytes(32)), clock)
    const { id: tenantId } = await keys.createTenant('shop')
    const services = { clock, database, tenantKeyring: keys }
    const visit = (facts: WebFacts, address: string, installationId?: string) =>
      recognise({ tenantId, facts, address, ...(installationId && { token: { installationId, text: '' } }) }, services)
    const known = await visit(laptop(), homeAddress)
    await storeInstallation(database, known.change!)
    for (let days = 0; days < 2; days++) {
      clock.advance({ hours: 25 })
      const again = await visit(laptop(), homeAddress, known.installationId)
      await storeInstallation(database, again.change!)
    }
    clock.advance({ hours: 25 })
    for (const [what, changes, mostAtHome, mostElsewhere] of strangers) {
      for (const [where, address, most] of [
        ['at home', homeAddress, mostAtHome],
        ['elsewhere', '198.51.100.20', mostElsewhere],
      ] as const) {
        // Nothing is stored, so no stranger changes what the next one meets.
        const alone = await visit(laptop(changes), address)
        const isLaptop = alone.deviceId === known.deviceId
        assert.ok(
          !isLaptop || alone.confidence.score < most || most === 1,
          `${what}, ${where}: ${alone.confidence.score}`,
        )
        const withToken = await visit(laptop(changes), address, known.installationId)
        assert.equal(withToken.deviceId === known.deviceId, most > 0, `${what}, ${where}, with a token`)
        assert.equal(withToken.token, most > 0 ? undefined : 'foreign', `${what}, ${where}, with a token`)
      }
    }
  })
})
