// Can somebody wash the history of a device, or spoil the history of a person? By floods of visits, users and labels.

import { endpoints } from '@ringfence/contract'
import { homeAddress } from '../../../../server/src/device/testdata/devices.ts'
import { newInstallationKey } from '../../../../server/src/testing/installation-key.ts'
import { sdkClient } from '../../../../server/src/testing/sdk-client.ts'
import {
  type Attack,
  type AttackStage,
  assertNotLowered,
  assertUnharmed,
  attack,
  attackBy,
  establishedVictim,
} from './attack.ts'
import { headersOf, machine, openPerson, type Person, reportOf, type Seen, visit } from './victim-and-attacker.ts'

const elsewhere = '198.51.100.66'
const knownBad = 'known-bad-device : Device used in earlier fraud'

/** A fraudster's browser, which 13 accounts have used today. */
async function fraudster(stage: AttackStage): Promise<{ person: Person; before: Seen }> {
  const person = openPerson(stage, { facts: machine(), address: elsewhere, key: newInstallationKey() })
  await person.visit()
  for (let index = 0; index < 13; index++) await visitAs(stage, person, `mule-${index}`)
  const before = await person.visit()
  stage.unless(before.risk > 30, () => `13 accounts on one device give only ${before.risk}`)
  return { person, before }
}

const visitAs = (stage: AttackStage, person: Person, userId?: string) =>
  visit(stage, {
    facts: person.facts,
    address: person.address,
    deviceToken: person.token(),
    ...(person.key && { key: person.key }),
    ...(userId !== undefined && { userId }),
  })

/** Visits in eight sessions at once. @returns their dfrIds */
async function flood(stage: AttackStage, person: Person, count: number, updateInfo?: (index: number) => object) {
  const { service, app, damage } = stage
  const token = person.token()
  const facts = { ...person.facts, ...(token !== undefined && { deviceToken: token }) }
  const dfrIds: string[] = []
  let next = 0
  async function session(): Promise<void> {
    const headers = headersOf(person.facts, person.address)
    const sdk = await sdkClient(service, { app, headers, ...(person.key && { key: person.key }) })
    for (let index = next++; index < count; index = next++) {
      const { requestId } = await sdk.analyse(facts, updateInfo ? { updateInfo: updateInfo(index) } : {})
      const push = await sdk.post(endpoints.pushFingerprint.path, sdk.pushBody(requestId))
      if (push.status !== 200) throw new Error(`the push is answered ${push.status} ${JSON.stringify(push.body)}`)
      dfrIds.push(push.body.dfrId)
      damage.visits++
    }
  }
  await Promise.all(Array.from({ length: 8 }, session))
  return dfrIds
}

async function label({ service, unless }: AttackStage, dfrIds: readonly string[], outcome: string): Promise<void> {
  for (let from = 0; from < dfrIds.length; from += 60) {
    const labels = dfrIds.slice(from, from + 60).map((dfrId) => ({ dfrId, outcome }))
    const { status, body } = await service.post(endpoints.labelReports.path, { labels })
    unless(
      status === 200 && body.accepted === labels.length,
      () => `labels are answered ${status} ${JSON.stringify(body)}`,
    )
  }
}

export const attacksOnHistory: readonly Attack[] = [
  attack('washing by 520 empty visits', async (stage) => {
    const { person, before } = await fraudster(stage)
    await flood(stage, person, 520)
    assertNotLowered(stage, before, await person.visit())
  }),
  attack('washing by many users', async (stage) => {
    const { person, before } = await fraudster(stage)
    await flood(stage, person, stage.full ? 2000 : 100, (index) => ({ userId: `passer-by-${index}` }))
    assertNotLowered(stage, before, await person.visit())
  }),
  attack('washing by clearing the storage', async (stage) => {
    const { person, before } = await fraudster(stage)
    const cleared = await person.visitCleared(newInstallationKey())
    stage.unless(cleared.deviceId === before.deviceId, () => 'a fraudster gets a new id by clearing storage')
    assertNotLowered(stage, before, cleared)
    // And once more without a key, from another network.
    const moved = await visit(stage, { facts: person.facts, address: '192.0.2.77' })
    assertNotLowered(stage, before, moved)
  }),
  attack('poisoning of a named user', async (stage) => {
    const { victim, before } = await establishedVictim(stage)
    for (let index = 0; index < 11; index++) {
      const facts = machine({
        screen: { ...machine().screen!, width: 1600 + index },
        fonts: [`Font ${index}`],
        languages: [`x-${index}`],
      })
      const seen = await attackBy(stage, victim, {
        facts: { ...facts, timezone: 'Europe/Bucharest', fontWidths: [index], hardwareConcurrency: 2 + index },
        address: `20.${index}.0.1`,
        userId: victim.userId,
        key: newInstallationKey(),
      })
      // The backend asks before the sign-in, which confirms nothing.
      await reportOf(stage, seen.dfrId, { userId: victim.userId, userVerified: false })
    }
    await assertUnharmed(stage, victim, before)
  }),
  attack('label crowding', async (stage) => {
    const person = openPerson(stage, { facts: machine(), address: elsewhere, key: newInstallationKey() })
    const bad = await person.visit()
    await label(stage, [bad.dfrId], 'fraud')
    const before = await person.visit()
    stage.unless(before.rules.includes(knownBad), () => `fraud is not remembered: ${before.rules}`)
    const good = await flood(stage, person, stage.full ? 1000 : 120)
    await label(stage, good, 'legitimate')
    const after = await person.visit()
    stage.unless(after.rules.includes(knownBad), () => `${good.length} good labels hide the fraud: ${after.rules}`)
    assertNotLowered(stage, before, after)
  }),
  attack('fraud of somebody who resembles the victim', async (stage) => {
    const { victim, before } = await establishedVictim(stage)
    // The attacker copies the facts and then commits fraud, so that the label reaches the device of the victim.
    const crimes: string[] = []
    for (let index = 0; index < 5; index++) {
      const sent = { facts: victim.facts, address: elsewhere, userId: `mule-${index}`, key: newInstallationKey() }
      crimes.push((await attackBy(stage, victim, sent)).dfrId)
    }
    await label(stage, crimes, 'fraud')
    await assertUnharmed(stage, victim, before)
    // Who resembles both has the history of both: clearing storage does not wash a fraudster.
    const resembling = await visit(stage, { facts: victim.facts, address: elsewhere })
    stage.unless(resembling.rules.includes(knownBad), () => `fraud is washed by clearing storage: ${resembling.rules}`)
  }),
  attack('framed before the first visit', async (stage) => {
    // The attacker knows the facts of somebody who has never been here, and comes first.
    for (let index = 0; index < 13; index++) {
      stage.damage.visits++
      await visit(stage, { facts: machine(), address: elsewhere, userId: `mule-${index}` })
    }
    const victim = openPerson(stage, { facts: machine(), address: homeAddress, key: newInstallationKey() })
    const first = await victim.visit()
    // By design: who clears storage after fraud looks the same. The confidence says how sure it is.
    stage.damage.limits['framed before the first visit: score'] = first.risk
    stage.damage.limits['framed before the first visit: confidence'] = `${first.identification?.confidence}`
  }),
]
