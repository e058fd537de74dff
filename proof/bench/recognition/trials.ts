// Which visits must recognition decide about? Those without a token, each with the devices that share a key with it.

import {
  blockingKeys,
  keysOfDevice,
  mostDevicesOfAKey,
  type NamedKey,
} from '../../../server/src/device/identity/blocking-keys.ts'
import { type Family, traitsOf } from '../../../server/src/device/identity/components.ts'
import { type Completeness, completenessOf } from '../../../server/src/device/identity/confidence.ts'
import type { Candidate, FullKeys } from '../../../server/src/device/identity/decide.ts'
import {
  type Fingerprint,
  fingerprintOf,
  type KnownFingerprint,
  updated,
} from '../../../server/src/device/identity/fingerprint.ts'
import { mostCandidates } from '../../../server/src/device/store/device-keys.ts'
import type { SimulatedDevice, Visit } from './device.ts'
import { halfOf } from './missing.ts'
import { fittingMix } from './mix.ts'
import { makePopulation } from './population.ts'
import { randomOf } from './random.ts'
import type { Rates } from './rates.ts'
import { type Appointment, scheduleOf } from './schedule.ts'

/** A visit as it came, without its address, or with half of its facts. */
export type Shown = 'as it came' | 'without address' | 'half of the facts'

export interface TrialCandidate extends Candidate {
  readonly isOwn: boolean
}

/** One visit without a token against a store that contains its device (a return) or does not (a first visit). */
export interface Trial {
  readonly family: Family
  readonly shown: Shown
  readonly completeness: Completeness
  readonly isReturn: boolean
  readonly visit: Fingerprint
  readonly keys: readonly NamedKey[]
  readonly candidates: readonly TrialCandidate[]
  readonly full: FullKeys
  /** Epoch milliseconds. */
  readonly now: number
}

interface Known {
  fingerprint: KnownFingerprint
  firstSeen: number
  lastSeen: number
  isEstablished: boolean
  keys: ReadonlySet<number>
}

/** The devices that have a key, as the two tables of the store have them. */
interface Holders {
  readonly established: Set<number>
  readonly fresh: Set<number>
}

const salt = 'bench'
const msOfDay = 86_400_000
const habits = { cleared: 0.4, privateWindows: 0.1 }
/** At most this many visits of a device; half of the devices come no more than half as often. */
const mostReturns = 8

/**
 * Plays the visits of a population in order of time. Every visit without a token is compared with what a service that never errs
 * would know at that moment, as one record for each device.
 * @param poor the part of these visits that is compared again without its address, and with half of its facts
 */
export function makeTrials(devices: number, seed: number, rates: Rates, poor: number): Trial[] {
  const random = randomOf(seed + 1)
  const population = makePopulation(devices, seed, rates, fittingMix)
  const store = makeStore()
  const trials: Trial[] = []
  for (const { device, index, appointment } of visitsInOrder(devices, () => population.newDevice(), random)) {
    const visit = device.visit(appointment.day, appointment.how)
    const fingerprint = seen(visit)
    if (fingerprint.isIndistinguishable) continue
    const now = appointment.day * msOfDay
    if (appointment.isCleared) {
      const add = (shown: Shown, its: Fingerprint) => trials.push(store.trialOf(shown, its, index, now))
      add('as it came', fingerprint)
      if (random.chance(poor)) {
        add('without address', seen({ ...visit, address: '' }))
        add('half of the facts', seen({ ...visit, facts: halfOf(visit.facts, random) }))
      }
    }
    if (completenessOf(fingerprint) !== 'few') store.remember(index, fingerprint, now)
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

function makeStore() {
  const known = new Map<number, Known>()
  const holders = new Map<number, Holders>()
  const holdersOf = (key: number): Holders => {
    const its = holders.get(key) ?? { established: new Set(), fresh: new Set() }
    holders.set(key, its)
    return its
  }

  return {
    remember(index: number, visit: Fingerprint, now: number): void {
      const before = known.get(index)
      const fingerprint = before ? updated(before.fingerprint, visit) : { ...visit, previous: new Map() }
      const firstSeen = before?.firstSeen ?? now
      const isEstablished = now >= firstSeen + msOfDay
      const keys = keysOfDevice(fingerprint, salt)
      for (const key of before?.keys ?? []) {
        const its = holdersOf(key)
        its.established.delete(index)
        its.fresh.delete(index)
      }
      for (const key of keys) holdersOf(key)[isEstablished ? 'established' : 'fresh'].add(index)
      known.set(index, { fingerprint, firstSeen, lastSeen: now, isEstablished, keys })
    },
    trialOf(shown: Shown, visit: Fingerprint, self: number, now: number): Trial {
      const keys = blockingKeys(visit, salt)
      const near = new Map<number, { place: number; devices: number; all: number }[]>()
      const full: { full: number[]; fullOfNew: number[] } = { full: [], fullOfNew: [] }
      for (const [place, { key }] of keys.entries()) {
        const its = holders.get(key)
        if (!its) continue
        const [established, all] = [its.established.size, its.established.size + its.fresh.size]
        if (established > mostDevicesOfAKey) full.full.push(place)
        if (all > mostDevicesOfAKey) full.fullOfNew.push(place)
        const add = (index: number, devices: number) => {
          const size = { place, devices, all: Math.min(all, mostDevicesOfAKey + 1) }
          const shared = near.get(index)
          if (shared) shared.push(size)
          else near.set(index, [size])
        }
        if (established <= mostDevicesOfAKey) for (const index of its.established) add(index, established)
        if (all <= mostDevicesOfAKey) for (const index of its.fresh) add(index, all)
      }
      const best = [...near]
        .map(([index, shared]) => ({ index, shared, rarity: rarityOf(shared) }))
        .sort((a, b) => b.rarity - a.rarity)
        .slice(0, mostCandidates)
      const candidates = best.map(({ index, shared }): TrialCandidate => {
        const { fingerprint, firstSeen, lastSeen, isEstablished } = known.get(index)!
        const device = { id: String(index), isEstablished, firstSeenAt: firstSeen, lastSeenAt: lastSeen }
        return { fingerprint, device, lastSeenAt: lastSeen, shared, isOwn: index === self }
      })
      const isReturn = known.has(self)
      const completeness = completenessOf(visit)
      return { family: visit.family, shown, completeness, isReturn, visit, keys, candidates, full, now }
    },
  }
}

const rarityOf = (shared: readonly { readonly devices: number }[]) =>
  shared.reduce((sum, { devices }) => sum + Math.log((2 * mostDevicesOfAKey) / devices), 0)
