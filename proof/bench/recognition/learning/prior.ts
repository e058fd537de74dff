// What is expected of a tenant before it has traffic? `node proof/bench/recognition/learning/prior.ts` plays many small tenants: prior.json.

import { writeFileSync } from 'node:fs'
import { type Component, components, families, traitsOf } from '../../../../server/src/device/identity/components.ts'
import {
  type Fingerprint,
  fingerprintOf,
  type KnownFingerprint,
  updated,
} from '../../../../server/src/device/identity/fingerprint.ts'
import { ages } from '../../../../server/src/device/identity/score.ts'
import {
  type CountsOfFamilies,
  eventOf,
  events,
  learnedParts,
  provenPairs,
} from '../../../../server/src/device/learning/proven-pairs.ts'
import { compact } from '../../harness/compact.ts'
import type { SimulatedDevice } from '../device.ts'
import { fittingMix, panelMix } from '../mix.ts'
import { makePopulation } from '../population.ts'
import { type Random, randomOf } from '../random.ts'
import { fittingRates, judgingRates } from '../rates.ts'
import { scheduleOf } from '../schedule.ts'

const tenants = Number(process.argv[2] ?? 32)
const devicesOfTenant = 1500
const seed = 80_001
const msOfDay = 86_400_000
/** A weight of which no simulated tenant knows anything moves by at most so much. */
const mostError = 1

/** A browser that never loses its key. */
const habits = { cleared: 0, privateWindows: 0 }
const mostReturns = 8

const seen = (device: SimulatedDevice, day: number): Fingerprint => {
  const { facts, address } = device.visit(day)
  return fingerprintOf(traitsOf(facts, address), 'bench')
}

function installationOf(device: SimulatedDevice, random: Random) {
  const days = scheduleOf({ ...habits, returns: 1 + random.below(mostReturns) }, random).map(({ day }) => day)
  let fingerprint: KnownFingerprint = { ...seen(device, days[0]!), previous: new Map() }
  for (const day of days.slice(1)) fingerprint = updated(fingerprint, seen(device, day))
  return {
    fingerprint,
    firstSeenAt: days[0]! * msOfDay,
    lastSeenAt: days.at(-1)! * msOfDay,
    accounts: new Set<string>(),
  }
}

function countsOfTenant(index: number): CountsOfFamilies {
  const random = randomOf(seed + 1000 + index)
  const rates = index % 2 === 0 ? fittingRates : judgingRates
  const { newDevice } = makePopulation(devicesOfTenant, seed + index, rates, index % 4 < 2 ? fittingMix : panelMix)
  const { counts, add } = provenPairs()
  for (let device = 0; device < devicesOfTenant; device++) add(installationOf(newDevice(), random))
  return counts
}

/** The share of each event among those of its part, as if each had been seen half a time more. */
function shares(counts: Uint32Array | Float64Array): Float64Array {
  const its = new Float64Array(events)
  for (const part of learnedParts) {
    const ofPart = part.flatMap((component) => [eventOf(component, false), eventOf(component, true)])
    const all = ofPart.reduce((sum, event) => sum + counts[event]! + 0.5, 0)
    for (const event of ofPart) its[event] = (counts[event]! + 0.5) / all
  }
  return its
}

const sumOf = (all: readonly Uint32Array[]) =>
  all.reduce((sum, one) => sum.map((count, event) => count + one[event]!), new Float64Array(events))

function spread(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1))
}

const round = (value: number) => Number(value.toPrecision(3))

function priorOf(family: (typeof families)[number], all: readonly CountsOfFamilies[]) {
  const different = shares(sumOf(all.map((its) => its[family].different)))
  const byAge = Array.from({ length: ages }, (_, age) => shares(sumOf(all.map((its) => its[family].same[age]!))))
  const weights = all.map((its) => {
    const two = shares(its[family].different)
    return its[family].same.map((same) => shares(same).map((share, event) => Math.log(share / two[event]!)))
  })
  const errorOf = (event: number, age: number) =>
    round(Math.min(mostError, spread(weights.map((its) => its[age]![event]!))))
  const learned = new Set(learnedParts.flat())
  const which = [
    ['agrees', false],
    ['differs', true],
  ] as const
  return Object.fromEntries(
    components.flatMap((name: Component, index) => {
      if (!learned.has(index)) return []
      const of = <T>(value: (event: number) => T) =>
        Object.fromEntries(which.map(([key, differs]) => [key, value(eventOf(index, differs))]))
      const eachAge = (value: (event: number, age: number) => number) =>
        of((event) => Array.from({ length: ages }, (_, age) => value(event, age)))
      const prior = {
        same: eachAge((event, age) => round(byAge[age]![event]!)),
        different: of((event) => round(different[event]!)),
        error: eachAge(errorOf),
      }
      return [[name, prior]]
    }),
  )
}

if (import.meta.main) {
  const all = Array.from({ length: tenants }, (_, index) => countsOfTenant(index))
  const about = {
    source: `proof/bench/recognition/learning/prior.ts: ${tenants} tenants of ${devicesOfTenant} devices, seed ${seed}, rates and visitors of two kinds each`,
    families: Object.fromEntries(families.map((family) => [family, priorOf(family, all)])),
  }
  const file = new URL('../../../../server/src/device/learning/prior.json', import.meta.url)
  writeFileSync(file, `${compact(about)}\n`)
  console.log(
    families.map((family) => `${family}: ${all.reduce((sum, its) => sum + its[family].pairs, 0)} pairs`).join('\n'),
  )
}
