// Can somebody take over a device with copies? Of its facts, its token, both, or its whole profile.

import { randomUUID } from 'node:crypto'
import { endpoints } from '@ringfence/contract'
import { homeAddress } from '../../../../server/src/device/testdata/devices.ts'
import { type InstallationKey, newInstallationKey } from '../../../../server/src/testing/installation-key.ts'
import { sdkClient } from '../../../../server/src/testing/sdk-client.ts'
import {
  type Attack,
  type AttackStage,
  assertHeals,
  assertSame,
  assertUnharmed,
  attack,
  attackBy,
  establishedPerson,
} from './attack.ts'
import { headersOf, installationOf, machine, openPerson, type Person, visit } from './victim-and-attacker.ts'

/** The attacker's own network, far away, and its own machine. */
const elsewhere = '198.51.100.66'
const ownMachine = machine({
  timezone: 'Europe/Bucharest',
  languages: ['ro-RO', 'ro', 'en'],
  locale: 'ro-RO gregory latn h23',
  screen: { width: 1920, height: 1080, availWidth: 1920, availHeight: 1040, availLeft: 0, availTop: 0, colorDepth: 24 },
  devicePixelRatio: 1,
  hardwareConcurrency: 4,
  fonts: ['Arial', 'Bahnschrift', 'Calibri'],
  fontWidths: [120.1, 133.7],
  voices: [],
})
/** Signals that harm whoever they are counted for. */
const asBot = { automation: { webdriver: true } } as const

/** The attack on a victim with a key, and on one whose browser cannot make one. */
function onBoth(name: string, run: (stage: AttackStage, key: InstallationKey | undefined) => Promise<void>): Attack[] {
  return [
    attack(name, (stage) => run(stage, newInstallationKey())),
    attack(`${name}, of a browser without a key`, (stage) => run(stage, undefined)),
  ]
}

const established = (stage: AttackStage, key: InstallationKey | undefined) =>
  establishedPerson(stage, { facts: machine(), address: homeAddress, key })

export const attacksOnTokens: readonly Attack[] = [
  ...onBoth('replayed facts', async (stage, key) => {
    const { victim, before } = await established(stage, key)
    // 11 users, from another country and from the victim's own network; with and without a key of the attacker.
    for (let index = 0; index < 12; index++) {
      const address = index % 3 === 0 ? victim.address : elsewhere
      const userId = `mule-${index % 11}`
      const facts = index % 2 === 0 ? victim.facts : { ...victim.facts, ...asBot }
      const own = index % 4 === 0 ? { key: newInstallationKey() } : {}
      await attackBy(stage, victim, { facts, address, userId, ...own })
    }
    await assertUnharmed(stage, victim, before)
    await assertHeals(stage, victim, before)
  }),

  attack('copied token', async (stage) => {
    const { victim, before } = await established(stage, newInstallationKey())
    for (const own of [{}, { key: newInstallationKey() }]) {
      const sent = { facts: ownMachine, address: elsewhere, deviceToken: victim.token(), userId: 'mule', ...own }
      const seen = await attackBy(stage, victim, sent)
      stage.unless(seen.deviceId !== before.deviceId, () => 'a token alone passes for the victim')
      assertFlagged(stage, seen.identification?.token, 'copied')
    }
    await assertUnharmed(stage, victim, before)
  }),

  attack('copied token of a browser without a key', async (stage) => {
    const { victim, before } = await established(stage, undefined)
    const copied = { facts: ownMachine, address: elsewhere, deviceToken: victim.token() }
    // The first key binds an installation: another machine's key must not lock its owner out.
    await visit(stage, { ...copied, key: newInstallationKey() })
    assertSame(stage, victim, [before, await victim.visit()])
    const seen = await visit(stage, copied)
    stage.damage.limits['copied token, no key, other facts: identified by'] = `${seen.identification?.by}`
  }),

  attack('copied token and facts', async (stage) => {
    const { victim, before } = await established(stage, newInstallationKey())
    for (let index = 0; index < 12; index++) {
      const seen = await attackBy(stage, victim, {
        facts: { ...victim.facts, ...asBot },
        address: elsewhere,
        deviceToken: victim.token(),
        userId: `mule-${index}`,
        ...(index % 2 === 0 && { key: newInstallationKey() }),
      })
      assertFlagged(stage, seen.identification?.token, 'copied')
      stage.unless(
        seen.identification?.by !== 'key' && seen.identification?.by !== 'token',
        () => 'a copied token counts',
      )
    }
    await assertUnharmed(stage, victim, before)
    await assertHeals(stage, victim, before)
  }),

  attack('copied token and facts, of a browser without a key', async (stage) => {
    const { victim } = await established(stage, undefined)
    // The two look the same: the limit of a browser that cannot make a key. The attacker has the token already.
    const seen = await visit(stage, { facts: victim.facts, address: elsewhere, deviceToken: victim.token() })
    stage.damage.limits['copied token and facts, no key: identified by'] = `${seen.identification?.by}`
    // The first key binds the installation. The attacker cannot bind one that the victim has bound.
    const key = newInstallationKey()
    const bound = await visit(stage, {
      facts: victim.facts,
      address: victim.address,
      deviceToken: victim.token(),
      key,
    })
    stage.unless(victim.installations.has(installationOf(bound.deviceToken) ?? ''), () => 'a first key does not bind')
    const late = { facts: victim.facts, address: elsewhere, deviceToken: victim.token() }
    for (const own of [{}, { key: newInstallationKey() }]) {
      assertFlagged(stage, (await attackBy(stage, victim, { ...late, ...own })).identification?.token, 'copied')
    }
  }),

  attack('copied profile folder', async (stage) => {
    const { victim, before } = await established(stage, newInstallationKey())
    const { key } = victim
    const copy = { facts: victim.facts, address: elsewhere, deviceToken: victim.token(), ...(key && { key }) }
    const seen = await visit(stage, copy)
    // The limit that stays: the copy has the key. It is the same device, and never another one.
    stage.damage.limits['copied profile folder: identified by'] = `${seen.identification?.by}`
    stage.unless(seen.deviceId === before.deviceId, () => 'the copy of the profile makes another device')
  }),

  attack('proof of another call or key', async (stage) => {
    const { victim, before } = await established(stage, newInstallationKey())
    const stolen = { facts: victim.facts, address: elsewhere, deviceToken: victim.token() }
    const ownKey = newInstallationKey()
    const proofs: Record<string, (signed: Signed) => object> = {
      'a proof of another session': () => captured(victim),
      'the public key of the victim under the signature of another': (body) => ({
        ...ownKey.proofOf(body),
        publicKey: victim.key!.publicKey,
      }),
      'a signature over other facts': (body) => victim.key!.proofOf({ ...body, ...{ facts: {} } }),
      'a signature over another challenge': (body) => victim.key!.proofOf({ ...body, challenge: 'x' }),
      'a signature over another request': (body) => victim.key!.proofOf({ ...body, requestId: randomUUID() }),
      'no signature': () => ({ publicKey: victim.key!.publicKey }),
      'an empty proof': () => ({}),
      'members of wrong types': () => ({ publicKey: 7, signature: [] }),
    }
    for (const [what, proofOf] of Object.entries(proofs)) {
      // The attacker signs its own body, so it needs to know its challenge.
      const sdk = await sdkClient(stage.service, { app: stage.app, headers: headersOf(stolen.facts, elsewhere) })
      const body = sdk.engineBody({ ...stolen.facts, deviceToken: stolen.deviceToken })
      const { status, body: answer } = await sdk.post(endpoints.intelligence.path, { ...body, proof: proofOf(body) })
      stage.damage.visits++
      stage.unless(status === 200, () => `${what} is answered ${status}`)
      const isStolen = victim.installations.has(installationOf(answer.deviceToken) ?? '')
      if (isStolen) stage.damage.tokensOfOthers++
      stage.unless(!isStolen, () => `${what} gets a token of the victim`)
    }
    await assertUnharmed(stage, victim, before)
  }),

  attack('rotated, old, expired, changed and foreign tokens', async (stage) => {
    const { victim, before } = await established(stage, newInstallationKey())
    const old = victim.token()!
    stage.service.clock.advance({ hours: 49 })
    await victim.visit()
    stage.unless(victim.token() !== old, () => 'a token older than a day is not replaced')
    const attempt = (deviceToken: string) =>
      attackBy(stage, victim, { facts: victim.facts, address: elsewhere, deviceToken, key: newInstallationKey() })
    assertFlagged(stage, (await attempt(old)).identification?.token, 'copied')
    const [installation, issued, key, signature] = old.split('.') as [string, string, string, string]
    const changed = {
      'another installation': [randomUUID(), issued, key, signature],
      'a later time': [installation, (Number.parseInt(issued, 36) + 9e6).toString(36), key, signature],
      'without its key': [installation, issued, '-', signature],
      'in the old form': [installation, signature],
      'without a signature': [installation, issued, key, ''],
    }
    for (const [what, parts] of Object.entries(changed)) {
      const { token } = (await attempt(parts.join('.'))).identification ?? {}
      stage.unless(token === 'forged', () => `a token changed to ${what} is ${token}`)
    }
    await assertUnharmed(stage, victim, before)
    stage.service.clock.advance({ hours: 24 * 401 })
    assertFlagged(stage, (await attempt(victim.token()!)).identification?.token, 'expired')
  }),

  attack('first visit beside the victim', async (stage) => {
    const victim = openPerson(stage, { facts: machine(), address: homeAddress, key: newInstallationKey() })
    const beside = { facts: victim.facts, address: victim.address, userId: 'mule' }
    const attackers = [beside, { ...beside, key: newInstallationKey() }]
    const [first, ...others] = await Promise.all([victim.visit(), ...attackers.map((sent) => visit(stage, sent))])
    for (const { deviceToken } of others) {
      stage.damage.visits++
      const isStolen = victim.installations.has(installationOf(deviceToken) ?? '')
      if (isStolen) stage.damage.tokensOfOthers++
      stage.unless(!isStolen, () => 'a visit at the same moment receives a token of the victim')
    }
    for (let index = 0; index < 12; index++) await attackBy(stage, victim, { ...beside, userId: `mule-${index}` })
    await assertUnharmed(stage, victim, first)
  }),

  attack('two tabs at once', async (stage) => {
    const key = newInstallationKey()
    const victim = openPerson(stage, { facts: machine(), address: homeAddress, key })
    const [first, second] = await Promise.all([victim.visit(), victim.visit()])
    const count = () => victim.installations.size
    stage.unless(first.deviceId === second.deviceId, () => 'two tabs of a new browser are two devices')
    stage.unless(count() === 1, () => `two tabs of a new browser are ${count()} installations`)
    stage.service.clock.advance({ hours: 49 })
    await Promise.all([victim.visit(), victim.visit()])
    await assertUnharmed(stage, victim, first)
  }),
]

interface Signed {
  readonly tsId: string
  readonly challenge: string
  readonly requestId: string
}

/** What an attacker who listened once can replay: the proof of a session that is over. */
const captured = ({ key, facts }: Person) =>
  key!.proofOf({ tsId: randomUUID(), challenge: 'over', requestId: randomUUID(), ...{ facts } })

function assertFlagged({ unless }: AttackStage, token: string | undefined, expected: string): void {
  unless(token === expected, () => `the token is reported as ${token}, expected ${expected}`)
}
