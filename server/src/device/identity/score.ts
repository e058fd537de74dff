// How likely are two visits of one device? The log-odds: a sum over components that agree or differ, and over rare keys.

import { type KeyName, mostDevicesOfAKey, placesOfKey } from './blocking-keys.ts'
import { allParts, type Component, components, type Family, families, lastingParts, place } from './components.ts'
import type { Fingerprint, KnownFingerprint } from './fingerprint.ts'
import fitted from './weights.json' with { type: 'json' }

/** How a component of a visit compares with the known device. */
export const outcome = { unknown: 0, agrees: 1, agreesWithFormer: 2, differs: 3 } as const

/** FP-STALKER, rule 3: a device with more changed parts than this is another one. */
const mostChanges = 5

/** Weights of one component in nats when its part counts by it, by age class of the known device: `agrees` ≥ 0 ≥ `differs`. */
export interface ComponentWeight {
  readonly agrees: readonly number[]
  /** Agrees with a previous value: there are several, and one may agree by chance. */
  readonly agreesWithFormer: readonly number[]
  readonly differs: readonly number[]
}

const day = 86_400_000
/** Weights fade with the time since the last visit of the known device: up to two days, up to thirty, more. */
const ageLimits = [2 * day, 30 * day]
export const ages = ageLimits.length + 1

/** The age class of a known device, by the milliseconds since its last visit. */
export function ageClassOf(age: number): number {
  const its = ageLimits.findIndex((limit) => age <= limit)
  return its < 0 ? ageLimits.length : its
}

/** The weights of one family of browsers in weights.json. */
export interface FamilyWeights {
  /** By age class: of the devices that resemble a visit, one that was there yesterday is more often the right one. */
  readonly bias: readonly number[]
  /** In nats: below it, a visit is of a new device. */
  readonly threshold: number
  readonly components: Readonly<Record<Component, ComponentWeight>>
  /** Weight of a shared key by the number of its devices: 1, 2–3, 4–7, … 64; the last for a full key. */
  readonly keys: Readonly<Partial<Record<KeyName, readonly number[]>>>
}

export const weights = fitted.families as unknown as Readonly<Record<Family, FamilyWeights>>
export const revision = fitted.revision

/** A shared key and the number of its devices; `Infinity` for a full key that the candidate does not have. */
export interface SharedKey {
  readonly name: KeyName
  readonly devices: number
}

/** Full keys give no candidates; the components show whether a record has such a key. One that lacks a component says nothing of it. */
export function fullKeys(family: Family, names: readonly KeyName[], outcomes: Uint8Array): SharedKey[] {
  return names
    .filter((name) => placesOfKey(family, name).every((its) => outcomes[its] !== outcome.unknown))
    .map((name) => ({
      name,
      devices: sharesKey(family, name, outcomes) ? mostDevicesOfAKey + 1 : Number.POSITIVE_INFINITY,
    }))
}

/** Whether a record has the same key as the visit, as far as both have its components. */
export const sharesKey = (family: Family, name: KeyName, outcomes: Uint8Array): boolean =>
  placesOfKey(family, name).every((its) => outcomes[its] !== outcome.differs)

/** The comparison of each component, by place. */
export function compare(known: KnownFingerprint, visit: Fingerprint): Uint8Array {
  const outcomes = new Uint8Array(components.length)
  for (let index = 0; index < components.length; index++) {
    const before = known.hashes[index]!
    const now = visit.hashes[index]!
    if (before === 0 || now === 0) continue
    if (before === now) outcomes[index] = outcome.agrees
    else outcomes[index] = known.previous.get(index)?.includes(now) ? outcome.agreesWithFormer : outcome.differs
  }
  return outcomes
}

/**
 * Hardware that neither its user nor an update changes, in groups that change together. Cards and screens of a desktop are one
 * group, since a dock changes both: of 41 real desktops with another card, 12 had another screen too (FP-STALKER's public pairs).
 */
const desktopHardware: readonly (readonly Component[])[] = [
  ['gpu', 'screen', 'touch'],
  ['cores', 'architecture', 'platform'],
  ['memory'],
]
const phoneHardware: typeof desktopHardware = [['gpu'], ['screen', 'touch'], ...desktopHardware.slice(1)]
const placesIn = (groups: typeof desktopHardware) => groups.map((group) => group.map((name) => place[name]))
const [groupsOfDesktop, groupsOfPhone] = [placesIn(desktopHardware), placesIn(phoneHardware)]

/** In how many groups the hardware differs. A component that one of the two does not report, or masks, does not differ. */
export function otherHardware(family: Family, outcomes: Uint8Array): number {
  // The name of a model says all of it.
  if (outcomes[place.model] === outcome.differs) return groupsOfPhone.length
  const groups = family === 'blink-mobile' ? groupsOfPhone : groupsOfDesktop
  return groups.filter((its) => its.some((component) => outcomes[component] === outcome.differs)).length
}

const inside = (['gpu', 'cores', 'architecture', 'memory'] as const).map((name) => place[name])
/** Whether what is inside of the device differs; its screen may be outside. */
export const hasOtherInside = (outcomes: Uint8Array): boolean => inside.some((its) => outcomes[its] === outcome.differs)

/** Hardware that differs in so many groups is another device. One may be a second graphics card, or more memory. */
export const mostOtherHardware = 1

/** Whether these cannot be one device: another system, engine, browser or hardware, an older version, or too many changes. */
export function cannotBeOne(known: Fingerprint, visit: Fingerprint, outcomes: Uint8Array): boolean {
  if (known.platformKey !== visit.platformKey || known.isIndistinguishable || visit.isIndistinguishable) return true
  if (visit.version < known.version && visit.version !== 0) return true
  return otherHardware(visit.family, outcomes) > mostOtherHardware || changedParts(outcomes) > mostChanges
}

/** How many parts of the device or browser differ; a part may have several components. */
const changedParts = (outcomes: Uint8Array): number =>
  lastingParts.filter((part) => part.some((its) => outcomes[its] === outcome.differs)).length

/** The component that a part counts by; -1 when none is known in both. */
export function speakerOf(part: readonly number[], outcomes: Uint8Array): number {
  let [former, agreeing] = [-1, -1]
  for (const its of part) {
    const one = outcomes[its]
    if (one === outcome.differs) return its
    if (one === outcome.agrees) agreeing = its
    else if (one === outcome.agreesWithFormer && former < 0) former = its
  }
  return former < 0 ? agreeing : former
}

/** ln P(one device) − ln P(two devices) of a candidate, in nats. `age`: milliseconds since its last visit. */
export type Scorer = (outcomes: Uint8Array, shared: readonly SharedKey[], age: number) => number

/**
 * Fellegi and Sunter (1969): a weight for the comparison of each part, and a weight for the rarity of each shared key. Logistic
 * regression fits all weights together, within bounds: a difference never speaks for one device, an agreement never against it.
 */
export function scorerOf({ bias, components: its, keys }: Omit<FamilyWeights, 'threshold'>): Scorer {
  // One array per age class by place and comparison, of which the first (unknown) weighs 0: a visit needs no look-up by name.
  const rows = Array.from({ length: ages }, (_, age) =>
    Float64Array.from(
      components.flatMap((name) => {
        const { agrees, agreesWithFormer, differs } = its[name]
        return [0, agrees[age]!, agreesWithFormer[age]!, differs[age]!]
      }),
    ),
  )
  return (outcomes, shared, age) => {
    const ageClass = ageClassOf(age)
    const row = rows[ageClass]!
    let sum = bias[ageClass]!
    for (const part of allParts) {
      const speaker = speakerOf(part, outcomes)
      if (speaker >= 0) sum += row[4 * speaker + outcomes[speaker]!]!
    }
    for (const { name, devices } of shared) sum += keys[name]?.[rarityOf(devices)] ?? 0
    return sum
  }
}

/** How one family of browsers is judged: by weights.json, or by a tenant's own weights. */
export interface Model {
  readonly score: Scorer
  /** In nats: below it, a visit is of a new device. */
  readonly threshold: number
}

/** The models of weights.json. */
export const models = Object.fromEntries(
  families.map((family): [Family, Model] => [
    family,
    { score: scorerOf(weights[family]), threshold: weights[family].threshold },
  ]),
) as Readonly<Record<Family, Model>>

/** 0 for one device, 1 for 2–3, 2 for 4–7 … 6 for 64, 7 for more; 8 when a full key is not shared. */
export function rarityOf(devices: number): number {
  if (devices > mostDevicesOfAKey) return devices === Number.POSITIVE_INFINITY ? 8 : 7
  return 31 - Math.clz32(Math.max(1, devices))
}
/** The number of rarity classes. */
export const rarities = 9
