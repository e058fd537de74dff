// Which pairs must recognition distinguish? Those that share a key: a visit with its own device, and with others.

import {
  blockingKeys,
  type KeyName,
  keysOfDevice,
  mostDevicesOfAKey,
} from '../../server/src/device/identity/blocking-keys.ts'
import { type Family, traitsOf } from '../../server/src/device/identity/components.ts'
import {
  type Fingerprint,
  fingerprintOf,
  type KnownFingerprint,
  updated,
} from '../../server/src/device/identity/fingerprint.ts'
import { cannotBeOne, compare, fullKeys, type SharedKey } from '../../server/src/device/identity/score.ts'
import { mostCandidates } from '../../server/src/storage/devices.ts'
import type { Visit } from './device.ts'
import { makePopulation, type Population } from './population.ts'
import { type Random, randomOf } from './random.ts'
import type { Rates } from './rates.ts'

export interface Pair {
  readonly outcomes: Uint8Array
  readonly shared: readonly SharedKey[]
}

/** One visit against a store that contains its device (a return) or does not (a first visit). */
export interface Trial {
  readonly family: Family
  readonly isReturn: boolean
  /** With its own device, where that is among the candidates. */
  readonly own: Pair | undefined
  readonly others: readonly Pair[]
}

/** What a service knows about a device when its storage is cleared, and what the device shows then. */
export interface Life {
  /** Known after its first visit and the visits with its token. */
  readonly known: KnownFingerprint
  readonly first: Fingerprint
  readonly returns: readonly Fingerprint[]
}

const salt = 'bench'
const returnsOfOne = 2

/** `undefined` for a device that is indistinguishable from others (iPhones). */
function seen({ facts, address }: Visit): Fingerprint | undefined {
  const traits = traitsOf(facts, address)
  return traits.isIndistinguishable ? undefined : fingerprintOf(traits, salt)
}

/** Days until a return: from half a day to 180, each order of magnitude equally likely. */
export const daysUntilReturn = (chance: number) => 0.5 * 360 ** chance

/** Devices after one to five visits with their token, then twice with storage cleared; nothing is learned in between. */
export function livesOf(devices: number, seed: number, rates: Rates): Life[] {
  const random = randomOf(seed + 1)
  const population = makePopulation(devices, seed, rates)
  return Array.from({ length: devices }, () => lifeOf(population, random)).filter((one) => one !== undefined)
}

function lifeOf(population: Population, random: Random): Life | undefined {
  const device = population.newDevice()
  let day = random.below(30)
  const first = seen(device.visit(day))
  if (!first) return undefined
  let known: KnownFingerprint = { ...first, previous: new Map() }
  for (let visits = 1 + random.below(5); visits > 1; visits--) {
    day += 1 + random.below(14)
    const next = seen(device.visit(day))
    if (next) known = updated(known, next)
  }
  const returns: Fingerprint[] = []
  for (let i = 0; i < returnsOfOne; i++) {
    day += daysUntilReturn(random.next())
    const next = seen(device.visit(day))
    if (next) returns.push(next)
  }
  return { known, first, returns }
}

/** Every device as new and as returning, against a store with all other devices. */
export function trialsOf(lives: readonly Life[]): Trial[] {
  const holders = new Map<number, number[]>()
  for (const [index, { known }] of lives.entries()) {
    for (const key of keysOfDevice(known, salt)) {
      const its = holders.get(key)
      if (its) its.push(index)
      else holders.set(key, [index])
    }
  }

  const trialOf = (visit: Fingerprint, self: number, isReturn: boolean): Trial => {
    const near = new Map<number, SharedKey[]>()
    const crowded: KeyName[] = []
    for (const { name, key } of blockingKeys(visit, salt)) {
      const all = holders.get(key) ?? []
      const its = isReturn ? all : all.filter((index) => index !== self)
      if (its.length > mostDevicesOfAKey) {
        crowded.push(name)
        continue
      }
      for (const index of its) {
        const shared = near.get(index)
        if (shared) shared.push({ name, devices: its.length })
        else near.set(index, [{ name, devices: its.length }])
      }
    }
    const best = [...near].sort(([, a], [, b]) => rarity(b) - rarity(a)).slice(0, mostCandidates)
    let own: Pair | undefined
    const others: Pair[] = []
    for (const [index, shared] of best) {
      const { known } = lives[index]!
      const outcomes = compare(known, visit)
      if (cannotBeOne(known, visit, outcomes)) continue
      const pair = { outcomes, shared: [...shared, ...fullKeys(visit.family, crowded, outcomes)] }
      if (index === self) own = pair
      else others.push(pair)
    }
    return { family: visit.family, isReturn, own, others }
  }

  return lives.flatMap(({ first, returns }, index) => [
    trialOf(first, index, false),
    ...returns.map((visit) => trialOf(visit, index, true)),
  ])
}

/** Trials of a whole population. */
export const makeTrials = (devices: number, seed: number, rates: Rates) => trialsOf(livesOf(devices, seed, rates))

const rarity = (shared: readonly SharedKey[]) =>
  shared.reduce((sum, { devices }) => sum + Math.log((2 * mostDevicesOfAKey) / devices), 0)
