// Which facts are missing at a visit? None, one that timed out, several on a slow machine, or most.

import type { WebFacts } from '@ringfence/contract'
import type { Random } from './random.ts'

/** Facts that take time to collect, the slowest first: they run into the time limit. */
const slow = [
  'fonts',
  'voices',
  'audio',
  'webgl',
  'canvas',
  'fontWidths',
  'clientHints',
  'mediaDevices',
  'permissions',
  'keyboard',
  'codecs',
  'math',
] as const satisfies readonly (keyof WebFacts)[]

export type Missing = 'none' | 'one' | 'several' | 'most'

/** Removes facts. `half` of what can be compared is missing with `several`, all slow facts with `most`. */
export function without(facts: WebFacts, missing: Missing, random: Random): WebFacts {
  if (missing === 'none') return facts
  const its = { ...facts }
  if (missing === 'one') delete its[random.one(slow.slice(0, 6))]
  else if (missing === 'most') for (const name of slow) delete its[name]
  else {
    // The slowest fail first, but not always.
    const count = 3 + random.below(4)
    for (let left = count; left > 0; left--) delete its[slow[Math.min(random.below(9), random.below(9))]!]
  }
  return its
}

/** One visit in fifty is on a slow machine; of these, half miss one fact, a third several and the rest most of them. */
export function missingAt(slowVisits: number, random: Random): Missing {
  if (!random.chance(slowVisits)) return 'none'
  const at = random.next()
  return at < 0.5 ? 'one' : at < 0.83 ? 'several' : 'most'
}

/** Half of the comparable facts, drawn at random: for the calibration of poor visits. */
export function halfOf(facts: WebFacts, random: Random): WebFacts {
  const its = { ...facts }
  for (const name of halved) if (random.chance(0.5)) delete its[name]
  return its
}
const halved = [
  ...slow,
  'languages',
  'timezone',
  'timezoneOffset',
  'screen',
  'devicePixelRatio',
  'mediaQueries',
  'hardwareConcurrency',
  'deviceMemory',
  'plugins',
  'locale',
  'windowGeometry',
] as const satisfies readonly (keyof WebFacts)[]
