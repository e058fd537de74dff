// Can somebody make a device be lost? By crowding it out, by pulling its record away, or by a flood of new devices.

import type { WebFacts } from '@ringfence/contract'
import { newInstallationKey } from '../../../../server/src/testing/installation-key.ts'
import {
  type Attack,
  type AttackStage,
  assertHeals,
  assertUnharmed,
  attack,
  attackBy,
  establishedPerson,
  establishedVictim,
} from './attack.ts'
import { machine, type Person, visit } from './victim-and-attacker.ts'

/** The facts of the victim in an older version of its browser, each older than the last: none can be the same device. */
function fake(index: number): WebFacts {
  const facts = machine()
  const older = (text: string) => text.replaceAll(/(?<=Chrome\/)\d+/g, (version) => String(Number(version) - 1 - index))
  const { userAgent = '', workerScope, clientHints } = facts
  return {
    ...facts,
    userAgent: older(userAgent),
    workerScope: { ...workerScope, userAgent: older(workerScope?.userAgent ?? '') },
    ...(clientHints && { clientHints: { ...clientHints, brands: [], fullVersionList: [] } }),
  }
}

/** Each in another network: no two share a /16. */
const network = (index: number) => `${20 + Math.floor(index / 200)}.${index % 200}.${index % 250}.9`

async function crowd(stage: AttackStage, victim: Person, addressOf: (index: number) => string): Promise<void> {
  for (let index = 0; index < (stage.full ? 400 : 70); index++) {
    await attackBy(stage, victim, { facts: fake(index), address: addressOf(index), key: newInstallationKey() })
  }
}

export const attacksOnRecords: readonly Attack[] = [
  attack('key crowding from the network of the victim', async (stage) => {
    const { victim, before } = await establishedVictim(stage)
    await crowd(stage, victim, () => victim.address)
    await assertUnharmed(stage, victim, before)
    await assertHeals(stage, victim, before)
  }),
  attack('key crowding from many networks', async (stage) => {
    const { victim, before } = await establishedVictim(stage)
    await crowd(stage, victim, network)
    await assertUnharmed(stage, victim, before)
    await assertHeals(stage, victim, before)
  }),
  attack('key crowding before the victim comes', async (stage) => {
    const stranger = { installations: new Set<string>() } as unknown as Person
    for (let index = 0; index < 70; index++) {
      const sent = { facts: fake(index), address: network(index), key: newInstallationKey() }
      await attackBy(stage, stranger, sent)
    }
    const { victim, before } = await establishedVictim(stage)
    await assertHeals(stage, victim, before)
  }),
  attack('key crowding for days', async (stage) => {
    if (!stage.full) return
    const { victim, before } = await establishedVictim(stage)
    // Each fake has its key and token, and comes back a day later, so that it is an established device. Half are in the network.
    const fakes = Array.from({ length: 180 }, (_, index) => ({
      facts: fake(index),
      address: index % 2 === 0 ? network(index) : victim.address,
      key: newInstallationKey(),
    }))
    const tokens: (string | undefined)[] = []
    for (const sent of fakes) tokens.push((await attackBy(stage, victim, sent)).deviceToken)
    stage.service.clock.advance({ hours: 25 })
    for (const [index, sent] of fakes.entries()) await attackBy(stage, victim, { ...sent, deviceToken: tokens[index] })
    await assertUnharmed(stage, victim, before)
    const cleared = await victim.visitCleared()
    const isKept = cleared.deviceId === before.deviceId
    stage.damage.limits['180 fakes for two days: victim with storage cleared is'] = isKept ? 'known' : 'new'
  }),
  attack('facts that drift', async (stage) => {
    const { victim, before } = await establishedVictim(stage)
    let facts = victim.facts
    const steps: readonly WebFacts[] = [
      { languages: ['ro-RO', 'ro'] },
      { timezone: 'Europe/Bucharest' },
      {
        screen: {
          width: 1920,
          height: 1080,
          availWidth: 1920,
          availHeight: 1040,
          availLeft: 0,
          availTop: 0,
          colorDepth: 24,
        },
      },
      { devicePixelRatio: 1 },
      { fonts: ['Arial', 'Bahnschrift'], fontWidths: [101, 102] },
      { canvas: { geometry: 'd'.repeat(32), text: 'e'.repeat(32), isStable: true, isExact: true } },
      { voices: [], mediaDevices: { audioinput: 0 } },
      {
        webgl: {
          ...facts.webgl!,
          image: 'f'.repeat(32),
          renderer: 'ANGLE (NVIDIA, NVIDIA GeForce RTX 3060 Direct3D11)',
        },
      },
      { hardwareConcurrency: 4, deviceMemory: 4 },
      { locale: 'ro-RO gregory latn h23', keyboard: 'azerty' },
    ]
    for (const step of steps) {
      facts = { ...facts, ...step }
      // Each step twice, so that the record takes it for a change of the device.
      for (let again = 0; again < 2; again++) {
        await attackBy(stage, victim, { facts, address: '198.51.100.66' })
        stage.service.clock.advance({ seconds: 700 })
      }
    }
    await assertUnharmed(stage, victim, before)
    await assertHeals(stage, victim, before)
  }),
  attack('a visit that hides most facts', async (stage) => {
    const { victim, before } = await establishedVictim(stage)
    const { userAgent, platform, vendor, languages, timezone, clientHints } = victim.facts
    const few = { userAgent, platform, vendor, languages, timezone, clientHints } as WebFacts
    for (let index = 0; index < 5; index++) {
      const { identification } = await attackBy(stage, victim, {
        facts: few,
        address: victim.address,
        userId: `mule-${index}`,
      })
      stage.unless(
        (identification?.confidence ?? 1) <= 0.9,
        () => `few facts are matched with ${identification?.confidence}`,
      )
    }
    await assertUnharmed(stage, victim, before)
    await assertHeals(stage, victim, before)
  }),
  attack(
    'flood of new devices from one network',
    async (stage) => {
      const { victim, before } = await establishedVictim(stage)
      const flood = stage.full ? 600 : 60
      const sentBy = (index: number) => ({ facts: newMachine(index), address: `203.0.113.${index % 250}` })
      for (let index = 0; index < flood; index++) {
        await attackBy(stage, victim, { ...sentBy(index), key: newInstallationKey() })
      }
      // The first ones are devices as any; the last ones are beyond the limit of the network, and nobody is matched to them.
      const [early, late] = [await visit(stage, sentBy(1)), await visit(stage, sentBy(flood - 1))]
      stage.unless(
        early.identification?.by === 'similarity' || early.identification?.likely !== undefined,
        () => `an early device is identified by ${early.identification?.by}`,
      )
      stage.unless(
        late.identification?.by === 'none' && late.identification.likely === undefined,
        () => `device ${flood} of a network is identified by ${late.identification?.by}`,
      )
      await assertUnharmed(stage, victim, before)
      await assertHeals(stage, victim, before)
      // Somebody else's new device, on another network, becomes known as ever.
      const other = await establishedPerson(stage, {
        facts: newMachine(9999),
        address: '192.0.2.9',
        key: newInstallationKey(),
      })
      await assertHeals(stage, other.victim, other.before)
    },
    { settings: { newDevicesPerNetwork: 40 } },
  ),
]

/** A machine that resembles no other. */
function newMachine(index: number): WebFacts {
  const text = (of: string) => `${of}${index}`.padEnd(32, '0')
  return machine({
    canvas: { geometry: text('a'), text: text('b'), isStable: true, isExact: true },
    webgl: {
      vendor: 'Google Inc. (NVIDIA)',
      renderer: `ANGLE (NVIDIA, NVIDIA GeForce GTX ${index})`,
      parameters: text('c'),
      extensions: text('d'),
      image: text('e'),
    },
    fonts: ['Arial', `Font ${index}`],
    fontWidths: [index, index + 1],
    screen: {
      width: 1200 + index,
      height: 700 + index,
      availWidth: 1200,
      availHeight: 660 + index,
      availLeft: 0,
      availTop: 0,
      colorDepth: 24,
    },
    languages: ['en', `x-${index}`],
    voices: [`voice ${index}`],
    mediaDevices: { audioinput: index % 100 },
    hardwareConcurrency: 2 + (index % 60),
  })
}
