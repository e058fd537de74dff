// Which visits name an account? Returns of its devices without storage, its other devices, and strangers with the same model.

import { type Family, traitsOf } from '../../../server/src/device/identity/components.ts'
import {
  type Fingerprint,
  fingerprintOf,
  type KnownFingerprint,
  updated,
} from '../../../server/src/device/identity/fingerprint.ts'
import { cannotBeOne, compare } from '../../../server/src/device/identity/score.ts'
import type { SimulatedDevice, Visit } from '../recognition/device.ts'
import { fittingMix } from '../recognition/mix.ts'
import { makePopulation } from '../recognition/population.ts'
import { randomOf } from '../recognition/random.ts'
import type { Rates } from '../recognition/rates.ts'
import { daysUntilReturn } from '../recognition/schedule.ts'

export type Visitor = 'own device' | 'other device' | 'stranger'

export interface AccountPair {
  readonly outcomes: Uint8Array
  readonly age: number
  readonly isSame: boolean
}

/** A visit that names an account, compared with each of its devices that the hard rules allow. */
export interface AccountTrial {
  readonly family: Family
  readonly visitor: Visitor
  readonly pairs: readonly AccountPair[]
}

const salt = 'bench'
const msOfDay = 86_400_000
const seen = ({ facts, address }: Visit) => fingerprintOf(traitsOf(facts, address), salt)

interface Known {
  readonly device: SimulatedDevice
  readonly fingerprint: KnownFingerprint
  readonly day: number
}

/** Each account has one to three devices. */
export function makeAccountTrials(accounts: number, seed: number, rates: Rates): AccountTrial[] {
  const random = randomOf(seed + 1)
  const population = makePopulation(2 * accounts, seed, rates, fittingMix)
  const trials: AccountTrial[] = []
  for (let left = accounts; left > 0; left--) {
    const household = population.newHousehold()
    const known: Known[] = []
    const first = population.newDevice(household)
    let day = random.below(30)
    for (let count = 1 + random.below(3); count > 0; count--) {
      const device = known.length === 0 ? first : population.newDevice(household)
      // A new device of the account: on its first visit it is none of those that are known.
      const visit = seen(device.visit(day))
      if (known.length > 0) trials.push(trialOf('other device', visit, known, undefined, day))
      let fingerprint: KnownFingerprint = { ...visit, previous: new Map() }
      for (let visits = random.below(5); visits > 0; visits--) {
        day += 1 + random.below(14)
        fingerprint = updated(fingerprint, seen(device.visit(day)))
      }
      known.push({ device, fingerprint, day })
      day += random.below(30)
    }
    const own = random.one(known)
    for (let returns = 2; returns > 0; returns--) {
      day += daysUntilReturn(random.next())
      const how = { isPrivate: random.chance(0.15) }
      trials.push(trialOf('own device', seen(own.device.visit(day, how)), known, own, day))
    }
    // Whoever tries a stolen password may have the same model.
    const stranger = population.newDevice(undefined, own.device)
    trials.push(trialOf('stranger', seen(stranger.visit(day)), known, undefined, day))
  }
  return trials.filter((trial) => trial !== undefined)
}

function trialOf(visitor: Visitor, visit: Fingerprint, known: readonly Known[], own: Known | undefined, day: number) {
  if (visit.isIndistinguishable) return undefined as never
  const pairs = known.flatMap((one): AccountPair[] => {
    const outcomes = compare(one.fingerprint, visit)
    if (cannotBeOne(one.fingerprint, visit, outcomes)) return []
    return [{ outcomes, age: (day - one.day) * msOfDay, isSame: one === own }]
  })
  return { family: visit.family, visitor, pairs }
}
