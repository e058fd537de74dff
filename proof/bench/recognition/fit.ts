// Which weights distinguish devices? `node proof/bench/recognition/fit.ts [DEVICES]` fits them to a simulated population: weights.json.

import { writeFileSync } from 'node:fs'
import { type KeyName, keyNamesOf } from '../../../server/src/device/identity/blocking-keys.ts'
import {
  allParts,
  type Component,
  components,
  type Family,
  families,
} from '../../../server/src/device/identity/components.ts'
import {
  ageClassOf,
  ages,
  type FamilyWeights,
  outcome,
  rarities,
  rarityOf,
  speakerOf,
} from '../../../server/src/device/identity/score.ts'
import { compact } from '../harness/compact.ts'
import { chosenThreshold } from './limits.ts'
import { type Pair, pairsOf } from './pairs.ts'
import { fittingRates } from './rates.ts'
import { logisticRegression, rising } from './regression.ts'
import { sources } from './sources.ts'
import { makeTrials, type Trial } from './trials.ts'

const devices = Number(process.argv[2] ?? 40_000)
const seed = 20_260_301

/** Part of the visits that are also fitted without their address and with half of their facts. */
const poor = 0.2
/** Each component has a weight for all ages, and a difference for each age class: rare comparisons share what they have. */
const byAge = components.length * 3
const keysAt = byAge * (1 + ages)

function featuresOf({ outcomes, shared, age }: Pair, keyNames: readonly KeyName[]): number[] {
  const its: number[] = []
  const differences = byAge * (1 + ageClassOf(age))
  for (const part of allParts) {
    const speaker = speakerOf(part, outcomes)
    if (speaker < 0) continue
    const feature = speaker * 3 + outcomes[speaker]! - 1
    its.push(feature, differences + feature)
  }
  for (const { name, devices } of shared) its.push(keysAt + keyNames.indexOf(name) * rarities + rarityOf(devices))
  return its
}

/**
 * Moves weights back into their bounds: agreement ≥ 0 ≥ difference, previous values between them; within a part, a member that says
 * more of the hardware weighs at least as much when it differs; a rarer key weighs at least as much, and a full one at least 0.
 */
function project(weights: Float64Array): void {
  for (let age = 1; age <= ages; age++) {
    const at = (component: number, one: number) => byAge * age + component * 3 + one - 1
    const read = (component: number, one: number) => weights[at(component, one)]! + weights[component * 3 + one - 1]!
    const write = (component: number, one: number, value: number) => {
      weights[at(component, one)] = value - weights[component * 3 + one - 1]!
    }
    for (const part of allParts) {
      const differing = rising(part.map((its) => read(its, outcome.differs)))
      const leastOfFormer = Math.min(0, differing.at(-1)!)
      for (const [index, its] of part.entries()) {
        const differs = Math.min(0, differing[index]!)
        const agrees = Math.max(0, read(its, outcome.agrees))
        write(its, outcome.differs, differs)
        write(its, outcome.agrees, agrees)
        const former = read(its, outcome.agreesWithFormer)
        // A part counts by a member that differs before one with a previous value, so this must not weigh less than any of those.
        write(its, outcome.agreesWithFormer, Math.min(agrees, Math.max(leastOfFormer, former)))
      }
    }
  }
  for (let from = keysAt; from < weights.length - 1; from += rarities) {
    const its = weights.subarray(from, from + rarities)
    // The last two: a full key that is shared, and one that is not.
    its.set(rising([...its].reverse()).reverse())
    for (let rarity = 0; rarity < rarities - 1; rarity++) its[rarity] = Math.max(0, its[rarity]!)
    its[rarities - 1] = Math.min(0, its[rarities - 1]!)
  }
}

const round = (value: number) => Number(value.toFixed(3)) + 0

/** How often a component agrees where both visits have it; informative only, the weights use more than this. */
function agreement(pairs: readonly Pair[], index: number): number {
  const known = pairs.filter(({ outcomes }) => outcomes[index] !== outcome.unknown)
  return round(known.filter(({ outcomes }) => outcomes[index] !== outcome.differs).length / (known.length || 1))
}

export function fitted(family: Family, trials: readonly Trial[]) {
  const keyNames = keyNamesOf(family)
  const pairs = trials.flatMap(pairsOf)
  const [same, different] = [
    pairs.filter(({ candidate }) => candidate.isOwn),
    pairs.filter(({ candidate }) => !candidate.isOwn),
  ]
  const examples = [
    ...same.map((pair) => ({ features: featuresOf(pair, keyNames), isSame: true })),
    ...different.map((pair) => ({ features: featuresOf(pair, keyNames), isSame: false })),
  ]
  const { bias, weights } = logisticRegression(examples, keysAt + keyNames.length * rarities, project)
  const weightsAt = (place: number) =>
    Array.from({ length: ages }, (_, age) => round(weights[place]! + weights[byAge * (1 + age) + place]!))
  const its: Omit<FamilyWeights, 'threshold'> = {
    bias: round(bias),
    components: Object.fromEntries(
      components.map((name: Component, index) => [
        name,
        {
          agrees: weightsAt(index * 3),
          agreesWithFormer: weightsAt(index * 3 + 1),
          differs: weightsAt(index * 3 + 2),
          agreesWhenSame: agreement(same, index),
          agreesWhenDifferent: agreement(different, index),
          source: sources[name],
        },
      ]),
    ) as unknown as FamilyWeights['components'],
    keys: Object.fromEntries(
      keyNames.map((name, index) => [
        name,
        Array.from({ length: rarities }, (_, rarity) => round(weights[keysAt + index * rarities + rarity]!)),
      ]),
    ),
  }
  console.log(`${same.length} pairs of one device, ${different.length} of two`)
  return { threshold: chosenThreshold(its, trials), ...its }
}

if (import.meta.main) {
  const trials = makeTrials(devices, seed, fittingRates, poor)
  const weights = families.map((family) => {
    console.log(family)
    return [
      family,
      fitted(
        family,
        trials.filter((trial) => trial.family === family),
      ),
    ]
  })
  const about = {
    revision: 'v3.0',
    source: `proof/bench/recognition/fit.ts: ${devices} devices, seed ${seed}, fittingRates of proof/bench/recognition/rates.ts; nats`,
    families: Object.fromEntries(weights),
  }
  const file = new URL('../../../server/src/device/identity/weights.json', import.meta.url)
  writeFileSync(file, `${compact(about)}\n`)
}
