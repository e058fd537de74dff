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
import { logisticRegression } from './regression.ts'
import { sources } from './sources.ts'
import { makeTrials, type Trial } from './trials.ts'

const devices = Number(process.argv[2] ?? 40_000)
const seed = 20_260_301

/** Part of the visits that are also fitted without their address and with half of their facts. */
const poor = 0.2
/** Each step has a weight for all ages, and more of it for each age class: rare comparisons share what they have. */
const stepsOfComponent = 3
const byAge = components.length * stepsOfComponent + allParts.length
const formerAt = components.length * stepsOfComponent
const keysAt = byAge * (1 + ages)
/** The first weight by age alone: a device that was there yesterday returns more often than one of last year. */
const agesAt = (keyNames: readonly KeyName[]) => keysAt + keyNames.length * rarities

/**
 * Each weight is a sum of steps, each of which is on one side of 0, so that every sum keeps the order of the weights: agreement ≥ 0 ≥
 * difference, previous values between them; within a part, a member that says more of the hardware weighs at least as much when it
 * differs; a rarer key weighs at least as much, and a full one at least 0.
 */
const step = { agreesMore: 0, former: 1, differsMore: 2 } as const
const isDifference = (place: number) => place >= formerAt || place % stepsOfComponent === step.differsMore

/** The steps that make the weight of one comparison of a component, without those of its age class. */
function stepsOf(part: number, speaker: number, one: number): number[] {
  const its = (component: number, which: number) => component * stepsOfComponent + which
  if (one === outcome.agrees) return [its(speaker, step.former), its(speaker, step.agreesMore)]
  // A part counts by a member that differs before one with a previous value, so this must not weigh less than any of those.
  if (one === outcome.agreesWithFormer) return [its(speaker, step.former), formerAt + part]
  const members = allParts[part]!
  const later = members.slice(members.indexOf(speaker)).map((member) => its(member, step.differsMore))
  return [...later, formerAt + part]
}

const stepsOfKey = (index: number, rarity: number) => {
  const at = keysAt + index * rarities
  // The last: a full key that is not shared.
  if (rarity === rarities - 1) return [at + rarity]
  return Array.from({ length: rarities - 1 - rarity }, (_, more) => at + rarity + more)
}

function featuresOf({ outcomes, shared, age }: Pair, keyNames: readonly KeyName[]): number[] {
  const ageClass = ageClassOf(age)
  const its = [agesAt(keyNames) + ageClass]
  for (const [part, members] of allParts.entries()) {
    const speaker = speakerOf(members, outcomes)
    if (speaker < 0) continue
    for (const one of stepsOf(part, speaker, outcomes[speaker]!)) its.push(one, byAge * (1 + ageClass) + one)
  }
  for (const { name, devices } of shared) its.push(...stepsOfKey(keyNames.indexOf(name), rarityOf(devices)))
  return its
}

/** On which side of 0 each weight stays: 1 above, -1 below, 0 on either. */
function sidesOf(keyNames: readonly KeyName[]): Int8Array {
  const sides = new Int8Array(agesAt(keyNames) + ages).fill(1)
  for (let at = 0; at < keysAt; at++) if (isDifference(at % byAge)) sides[at] = -1
  for (let index = 0; index < keyNames.length; index++) sides[keysAt + (index + 1) * rarities - 1] = -1
  return sides.fill(0, agesAt(keyNames))
}

const round = (value: number) => Number(value.toFixed(3)) + 0
const eachAge = (of: (age: number) => number) => Array.from({ length: ages }, (_, age) => round(of(age)))

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
  const { bias, weights } = logisticRegression(examples, sidesOf(keyNames))
  const sumOf = (places: readonly number[]) => places.reduce((sum, place) => sum + weights[place]!, 0)
  const weightsOf = (index: number, one: number) => {
    const part = allParts.findIndex((members) => members.includes(index))
    const steps = stepsOf(part, index, one)
    return eachAge((age) => sumOf([...steps, ...steps.map((place) => byAge * (1 + age) + place)]))
  }
  const its: Omit<FamilyWeights, 'threshold'> = {
    bias: eachAge((age) => bias + weights[agesAt(keyNames) + age]!),
    components: Object.fromEntries(
      components.map((name: Component, index) => [
        name,
        {
          agrees: weightsOf(index, outcome.agrees),
          agreesWithFormer: weightsOf(index, outcome.agreesWithFormer),
          differs: weightsOf(index, outcome.differs),
          agreesWhenSame: agreement(same, index),
          agreesWhenDifferent: agreement(different, index),
          source: sources[name],
        },
      ]),
    ) as unknown as FamilyWeights['components'],
    keys: Object.fromEntries(
      keyNames.map((name, index) => [
        name,
        Array.from({ length: rarities }, (_, rarity) => round(sumOf(stepsOfKey(index, rarity)))),
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
    revision: 'v3.1',
    source: `proof/bench/recognition/fit.ts: ${devices} devices, seed ${seed}, fittingRates of proof/bench/recognition/rates.ts; nats`,
    families: Object.fromEntries(weights),
  }
  const file = new URL('../../../server/src/device/identity/weights.json', import.meta.url)
  writeFileSync(file, `${compact(about)}\n`)
}
