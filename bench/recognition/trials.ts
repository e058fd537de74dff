// Which pairs must recognition distinguish? Those that share a key: a visit with its own device, and with others.

import {
  blockingKeys,
  type KeyName,
  keysOfDevice,
  mostDevicesOfAKey,
} from '../../server/src/device/identity/blocking-keys.ts'
import { type Family, traitsOf } from '../../server/src/device/identity/components.ts'
import { type Completeness, completenessOf } from '../../server/src/device/identity/confidence.ts'
import {
  type Fingerprint,
  fingerprintOf,
  type KnownFingerprint,
  updated,
} from '../../server/src/device/identity/fingerprint.ts'
import { cannotBeOne, compare, fullKeys, type SharedKey } from '../../server/src/device/identity/score.ts'
import { mostCandidates } from '../../server/src/storage/devices/device-keys.ts'
import type { SimulatedDevice, Visit } from './device.ts'
import { halfOf } from './missing.ts'
import { makePopulation } from './population.ts'
import { randomOf } from './random.ts'
import type { Rates } from './rates.ts'
import { type Appointment, scheduleOf } from './schedule.ts'

export interface Pair {
  readonly outcomes: Uint8Array
  readonly shared: readonly SharedKey[]
  /** Milliseconds since the last visit of the known device. */
  readonly age: number
}

/** A visit as it came, without its address, or with half of its facts. */
export type Shown = 'as it came' | 'without address' | 'half of the facts'

/** One visit without a token against a store that contains its device (a return) or does not (a first visit). */
export interface Trial {
  readonly family: Family
  readonly shown: Shown
  readonly completeness: Completeness
  readonly isReturn: boolean
  /** With its own device, where that is among the candidates. */
  readonly own: Pair | undefined
  readonly others: readonly Pair[]
}

interface Known {
  fingerprint: KnownFingerprint
  lastSeen: number
  keys: ReadonlySet<number>
}

const salt = 'bench'
const msOfDay = 86_400_000
const habits = { cleared: 0.4, privateWindows: 0.1 }
/** At most this many visits of a device; half of the devices come no more than half as often. */
const mostReturns = 8

/**
 * Plays the visits of a population in order of time. Every visit without a token is compared with what a service that never errs
 * would know at that moment.
 * @param poor the part of these visits that is compared again without its address, and with half of its facts
 */
export function makeTrials(devices: number, seed: number, rates: Rates, poor: number): Trial[] {
  const random = randomOf(seed + 1)
  const population = makePopulation(devices, seed, rates)
  const store = new Map<number, Known>()
  const holders = new Map<number, Set<number>>()
  const trials: Trial[] = []

  for (const { device, index, appointment } of visitsInOrder(devices, () => population.newDevice(), random)) {
    const visit = device.visit(appointment.day, appointment.how)
    const fingerprint = seen(visit)
    if (fingerprint.isIndistinguishable) continue
    const isReturn = store.has(index)
    const now = appointment.day * msOfDay
    if (appointment.isCleared) {
      const add = (shown: Shown, its: Fingerprint) =>
        trials.push(trialOf({ shown, fingerprint: its, self: index, isReturn, now, store, holders }))
      add('as it came', fingerprint)
      if (random.chance(poor)) {
        add('without address', seen({ facts: visit.facts, address: '' }))
        add('half of the facts', seen({ ...visit, facts: halfOf(visit.facts, random) }))
      }
    }
    if (completenessOf(fingerprint) !== 'few') remember(index, fingerprint, now, store, holders)
  }
  return trials
}

function visitsInOrder(devices: number, newDevice: () => SimulatedDevice, random: ReturnType<typeof randomOf>) {
  const all: { device: SimulatedDevice; index: number; appointment: Appointment }[] = []
  for (let index = 0; index < devices; index++) {
    const device = newDevice()
    for (const appointment of scheduleOf({ ...habits, returns: random.below(mostReturns + 1) }, random)) {
      all.push({ device, index, appointment })
    }
  }
  return all.sort((a, b) => a.appointment.day - b.appointment.day)
}

const seen = ({ facts, address }: Visit) => fingerprintOf(traitsOf(facts, address), salt)

function remember(
  index: number,
  visit: Fingerprint,
  now: number,
  store: Map<number, Known>,
  holders: Map<number, Set<number>>,
): void {
  const before = store.get(index)
  const fingerprint = before ? updated(before.fingerprint, visit) : { ...visit, previous: new Map() }
  const keys = keysOfDevice(fingerprint, salt)
  for (const key of before?.keys ?? []) if (!keys.has(key)) holders.get(key)?.delete(index)
  for (const key of keys) {
    const its = holders.get(key)
    if (its) its.add(index)
    else holders.set(key, new Set([index]))
  }
  store.set(index, { fingerprint, lastSeen: now, keys })
}

interface Asked {
  shown: Shown
  fingerprint: Fingerprint
  self: number
  isReturn: boolean
  now: number
  store: ReadonlyMap<number, Known>
  holders: ReadonlyMap<number, ReadonlySet<number>>
}

function trialOf({ shown, fingerprint: visit, self, isReturn, now, store, holders }: Asked): Trial {
  const near = new Map<number, SharedKey[]>()
  const crowded: KeyName[] = []
  for (const { name, key } of blockingKeys(visit, salt)) {
    const its = holders.get(key)
    if (!its) continue
    if (its.size > mostDevicesOfAKey) {
      crowded.push(name)
      continue
    }
    for (const index of its) {
      const shared = near.get(index)
      if (shared) shared.push({ name, devices: its.size })
      else near.set(index, [{ name, devices: its.size }])
    }
  }
  const best = [...near].sort(([, a], [, b]) => rarity(b) - rarity(a)).slice(0, mostCandidates)
  let own: Pair | undefined
  const others: Pair[] = []
  for (const [index, shared] of best) {
    const { fingerprint, lastSeen } = store.get(index)!
    const outcomes = compare(fingerprint, visit)
    if (cannotBeOne(fingerprint, visit, outcomes)) continue
    const pair = { outcomes, shared: [...shared, ...fullKeys(visit.family, crowded, outcomes)], age: now - lastSeen }
    if (index === self) own = pair
    else others.push(pair)
  }
  return { family: visit.family, shown, completeness: completenessOf(visit), isReturn, own, others }
}

const rarity = (shared: readonly SharedKey[]) =>
  shared.reduce((sum, { devices }) => sum + Math.log((2 * mostDevicesOfAKey) / devices), 0)
