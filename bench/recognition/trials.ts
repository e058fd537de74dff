// Which pairs does recognition have to tell apart? Those that share a key: a visit with its own device, and with others.

import {
  blockingKeys,
  keysOfDevice,
  mostDevicesOfAKey,
  type NamedKey,
} from '../../server/src/device/recognition/blocking-keys.ts'
import { type Family, traitsOf } from '../../server/src/device/recognition/components.ts'
import { type KnownPortrait, portraitOf, updated } from '../../server/src/device/recognition/portrait.ts'
import { cannotBeOne, compare, type SharedKey } from '../../server/src/device/recognition/score.ts'
import type { SimulatedDevice, Visit } from './device.ts'
import { makePopulation, type Population, type Rates } from './population.ts'
import { type Random, randomOf } from './random.ts'

export interface Pair {
  readonly outcomes: Uint8Array
  readonly shared: readonly SharedKey[]
}

/** One visit against a store in which its device is (a return) or is not (a first visit). */
export interface Trial {
  readonly family: Family
  readonly isReturn: boolean
  /** With its own device, where that is among the candidates. */
  readonly own: Pair | undefined
  readonly others: readonly Pair[]
}

interface Seen {
  readonly portrait: KnownPortrait
  readonly keys: readonly NamedKey[]
}

interface Known {
  readonly device: SimulatedDevice
  readonly first: Seen
  readonly portrait: KnownPortrait
  /** Of the last visit that had a token. */
  readonly day: number
}

const salt = 'bench'
const candidates = 16
const returnsOfOne = 2

function seen({ facts, address }: Visit): Seen | undefined {
  const traits = traitsOf(facts, address)
  if (traits.isUniform) return undefined
  const portrait = { ...portraitOf(traits, salt), former: new Map() }
  return { portrait, keys: blockingKeys(portrait, salt) }
}

/** Days until a return: from half a day to 180, each order of magnitude as likely. */
export const daysUntilReturn = (chance: number) => 0.5 * 360 ** chance

/**
 * A device of a population after one to five visits with its token, which is how a service knows it when storage is cleared.
 * `undefined` for one that nothing tells from others (iPhones).
 */
function knownDevice(population: Population, random: Random): Known | undefined {
  const device = population.newDevice()
  let day = random.below(30)
  const first = seen(device.visit(day))
  if (!first) return undefined
  let { portrait } = first
  for (let visits = 1 + random.below(5); visits > 1; visits--) {
    day += 1 + random.below(14)
    const next = seen(device.visit(day))
    if (next) portrait = updated(portrait, next.portrait)
  }
  return { device, first, portrait, day }
}

/** Every device as new, and twice as returning with storage cleared; nothing is learned in between. */
export function makeTrials(devices: number, seed: number, rates: Rates): Trial[] {
  const random = randomOf(seed + 1)
  const population = makePopulation(devices, seed, rates)
  const known = Array.from({ length: devices }, () => knownDevice(population, random)).filter(
    (one) => one !== undefined,
  )
  const holders = new Map<number, number[]>()
  for (const [index, { portrait }] of known.entries()) {
    for (const key of keysOfDevice(portrait, salt)) {
      const its = holders.get(key)
      if (its) its.push(index)
      else holders.set(key, [index])
    }
  }

  const trialOf = (visit: Seen, self: number, isReturn: boolean): Trial => {
    const near = new Map<number, SharedKey[]>()
    const crowded: SharedKey[] = []
    for (const { name, key } of visit.keys) {
      const all = holders.get(key) ?? []
      const its = isReturn ? all : all.filter((index) => index !== self)
      if (its.length > mostDevicesOfAKey) {
        crowded.push({ name, devices: its.length })
        continue
      }
      for (const index of its) {
        const shared = near.get(index)
        if (shared) shared.push({ name, devices: its.length })
        else near.set(index, [{ name, devices: its.length }])
      }
    }
    const best = [...near].sort(([, a], [, b]) => rarity(b) - rarity(a)).slice(0, candidates)
    let own: Pair | undefined
    const others: Pair[] = []
    for (const [index, shared] of best) {
      const outcomes = compare(known[index]!.portrait, visit.portrait)
      if (cannotBeOne(known[index]!.portrait, visit.portrait, outcomes)) continue
      const pair = { outcomes, shared: [...shared, ...crowded] }
      if (index === self) own = pair
      else others.push(pair)
    }
    return { family: visit.portrait.family, isReturn, own, others }
  }

  const trials: Trial[] = []
  for (const [index, { device, first, day }] of known.entries()) {
    trials.push(trialOf(first, index, false))
    for (let i = 0, at = day; i < returnsOfOne; i++) {
      at += daysUntilReturn(random.next())
      const visit = seen(device.visit(at))
      if (visit) trials.push(trialOf(visit, index, true))
    }
  }
  return trials
}

const rarity = (shared: readonly SharedKey[]) =>
  shared.reduce((sum, { devices }) => sum + Math.log((2 * mostDevicesOfAKey) / devices), 0)
