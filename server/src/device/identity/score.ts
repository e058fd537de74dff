// How likely are two visits of one device? The log-odds: a sum over what agrees, what differs and how rare it is.

import { type KeyName, mostDevicesOfAKey, placesOfKey } from './blocking-keys.ts'
import { type Component, components, type Family, families, parts } from './components.ts'
import type { Fingerprint, KnownFingerprint } from './fingerprint.ts'
import fitted from './weights.json' with { type: 'json' }

/** How a component of a visit stands to what is known of a device. */
export const outcome = { untold: 0, agrees: 1, agreesWithFormer: 2, differs: 3 } as const

/** FP-STALKER's rule 3: a device that has changed in more parts than this is another one. */
const mostChanges = 5

/** In nats, for one component. */
export interface ComponentWeight {
  readonly agrees: number
  /** With an earlier value: there are several of these, of which one could agree by chance. */
  readonly agreesWithFormer: number
  readonly differs: number
}

/** What is in weights.json for one family of browsers. */
export interface FamilyWeights {
  readonly bias: number
  /** In nats: below it a visit is of no known device. */
  readonly threshold: number
  /** In nats: so much better than the next one the best must be. */
  readonly lead: number
  readonly components: Readonly<Record<Component, ComponentWeight>>
  /** For a key that is shared: a weight by how many devices share it, 1, 2–3, 4–7, … 64; the last for one that is full. */
  readonly keys: Readonly<Partial<Record<KeyName, readonly number[]>>>
}

export const weights = fitted.families as unknown as Readonly<Record<Family, FamilyWeights>>
export const revision = fitted.revision

/** A key that a candidate shares with the visit, and how many devices have it; `Infinity` for a full one that it has not. */
export interface SharedKey {
  readonly name: KeyName
  readonly devices: number
}

/** Keys that too many devices have give no candidates; whether one has them is told by its components. */
export function fullKeys(family: Family, names: readonly KeyName[], outcomes: Uint8Array): SharedKey[] {
  return names.map((name) => ({
    name,
    devices: placesOfKey(family, name).every((its) => outcomes[its] !== outcome.differs)
      ? mostDevicesOfAKey + 1
      : Number.POSITIVE_INFINITY,
  }))
}

/** Each component's outcome, by place. */
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

/** Can the two not be one device, however alike they are? Other system, engine or browser; an older version; too many changes. */
export function cannotBeOne(known: Fingerprint, visit: Fingerprint, outcomes: Uint8Array): boolean {
  if (known.platformKey !== visit.platformKey || known.isIndistinguishable || visit.isIndistinguishable) return true
  if (visit.version < known.version && visit.version !== 0) return true
  return changedParts(outcomes) > mostChanges
}

/** How many parts of the device or browser differ; a part may have several components. */
export function changedParts(outcomes: Uint8Array): number {
  const changed = new Set<string>()
  for (let index = 0; index < components.length; index++) {
    if (outcomes[index] === outcome.differs && parts[index] !== undefined) changed.add(parts[index]!)
  }
  return changed.size
}

/** ln P(one device) − ln P(two devices) of a candidate, in nats. */
export type Scorer = (outcomes: Uint8Array, shared: readonly SharedKey[]) => number

/**
 * The form is that of Fellegi and Sunter (1969): one weight for each component by its outcome, and one for the rarity of each
 * combination that is shared. The weights are fitted together (logistic regression), since a graphics card and what it draws
 * agree together and would count many times over.
 */
export function scorerOf({ bias, components: its, keys }: Omit<FamilyWeights, 'threshold' | 'lead'>): Scorer {
  // In one row, by place and outcome, of which the first, untold, weighs nothing: names are looked up once and not for each visit.
  const row = Float64Array.from(
    components.flatMap((name) => [0, its[name].agrees, its[name].agreesWithFormer, its[name].differs]),
  )
  return (outcomes, shared) => {
    let sum = bias
    for (let index = 0; index < outcomes.length; index++) sum += row[4 * index + outcomes[index]!]!
    for (const { name, devices } of shared) sum += keys[name]?.[rarityOf(devices)] ?? 0
    return sum
  }
}

/** Of the weights in weights.json. */
export const scorers = Object.fromEntries(families.map((family) => [family, scorerOf(weights[family])])) as Readonly<
  Record<Family, Scorer>
>

/** 0 for one device, 1 for 2–3, 2 for 4–7 … 6 for 64, 7 for more; 8 where a full key is not shared. */
export function rarityOf(devices: number): number {
  if (devices > mostDevicesOfAKey) return devices === Number.POSITIVE_INFINITY ? 8 : 7
  return 31 - Math.clz32(Math.max(1, devices))
}
/** How many kinds of rarity there are. */
export const rarities = 9
