// What is an attack on the identity of a device, and what damage does it do?

import type { Settings } from '../../../../server/src/core/config/settings.ts'
import { homeAddress } from '../../../../server/src/device/testdata/devices.ts'
import { type InstallationKey, newInstallationKey } from '../../../../server/src/testing/installation-key.ts'
import {
  installationOf,
  machine,
  openPerson,
  type Person,
  type Scene,
  type Seen,
  type Sent,
  visit,
} from './victim-and-attacker.ts'

export interface Attack {
  readonly name: string
  readonly settings?: Partial<Settings>
  readonly appSettings?: object
  run(stage: AttackStage): Promise<void>
}

export const attack = (
  name: string,
  run: Attack['run'],
  more: Pick<Attack, 'settings' | 'appSettings'> = {},
): Attack => ({
  ...{ name, run, ...more },
})

export interface AttackStage extends Scene {
  readonly full: boolean
  readonly damage: Damage
  unless(holds: boolean, complaint: () => string): void
}

/** Over all attacks. */
export interface Damage {
  visits: number
  tokensOfOthers: number
  pointsAdded: number
  scoresLowered: number
  idsOfVictim: number
  /** What an attack can do by design, by name. */
  limits: Record<string, number | string>
}

export const newDamage = (): Damage => ({
  visits: 0,
  tokensOfOthers: 0,
  pointsAdded: 0,
  scoresLowered: 0,
  idsOfVictim: 0,
  limits: {},
})

/** A visit of the attacker. A token of the victim's installation in its answer is a theft. */
export async function attackBy(stage: AttackStage, victim: Person, sent: Sent): Promise<Seen> {
  const seen = await visit(stage, sent)
  stage.damage.visits++
  const stolen = installationOf(seen.deviceToken)
  const isStolen = stolen !== undefined && victim.installations.has(stolen)
  if (isStolen) stage.damage.tokensOfOthers++
  stage.unless(!isStolen, () => 'the attacker receives a token of the installation of the victim')
  return seen
}

/** A person who has visited twice, a day apart, and whose user the backend has confirmed. */
export async function establishedPerson(
  stage: AttackStage,
  { facts, address, key }: { facts: Sent['facts']; address: string; key?: InstallationKey | undefined },
): Promise<{ victim: Person; before: Seen }> {
  const victim = openPerson(stage, { facts, address, key })
  await victim.visit()
  stage.service.clock.advance({ hours: 25 })
  const before = await victim.visit()
  stage.service.clock.advance({ hours: 1 })
  return { victim, before }
}

/** The same with an ordinary browser, which has a key, at home. */
export const establishedVictim = (stage: AttackStage) =>
  establishedPerson(stage, { facts: machine(), address: homeAddress, key: newInstallationKey() })

/** The next visit of the victim: it has its id, its token works, and its score is as before. */
export async function assertUnharmed(stage: AttackStage, victim: Person, before: Seen): Promise<Seen> {
  const after = await victim.visit()
  const { damage, unless } = stage
  const added = Math.max(0, after.risk - before.risk)
  damage.pointsAdded = Math.round((damage.pointsAdded + added) * 10) / 10
  unless(added === 0, () => `the victim goes from ${before.risk} to ${after.risk}`)
  // What others of its device did is at most a warning.
  const rules = after.rules.filter((name) => !before.rules.includes(name) && !name.startsWith('linked-'))
  unless(rules.length === 0, () => `rules apply to the victim: ${rules}`)
  assertSame(stage, victim, [before, after])
  const { by } = after.identification ?? {}
  const expected = victim.key ? 'key' : 'token'
  unless(by === expected, () => `the victim is identified by ${by}, not by its ${expected}`)
  return after
}

/** The victim keeps its id with its storage cleared. */
export async function assertHeals(stage: AttackStage, victim: Person, before: Seen, newKey?: InstallationKey) {
  const cleared = await victim.visitCleared(newKey)
  countIds(stage, [before, cleared])
}

/** One device, one installation. */
export function assertSame(stage: AttackStage, victim: Person, visits: readonly Seen[]): void {
  countIds(stage, visits)
  stage.unless(victim.installations.size === 1, () => `the victim has ${victim.installations.size} installations`)
}

function countIds({ damage, unless }: AttackStage, visits: readonly Seen[]): void {
  const ids = new Set(visits.map(({ deviceId }) => deviceId))
  damage.idsOfVictim = Math.max(damage.idsOfVictim, ids.size)
  unless(ids.size === 1, () => `the victim has ${ids.size} ids`)
}

/** The score of a fraudster's device must not fall. */
export function assertNotLowered({ damage, unless }: AttackStage, before: Seen, after: Seen): void {
  const isLowered = after.risk < before.risk
  if (isLowered) damage.scoresLowered++
  unless(!isLowered, () => `the score falls from ${before.risk} to ${after.risk}`)
}
