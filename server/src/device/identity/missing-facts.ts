// Which facts did a visit not report, and does it lack most of those that matter?

import { type Facts, importantFacts, type WebFacts } from '@ringfence/contract'
import type { Family } from './components.ts'
import type { Identification, MissingBecause } from './identification.ts'

/**
 * Whether a visit says too little to recognise a device by: more than half of the important facts are missing. Client hints are not
 * missing in browsers other than Chromium.
 */
export function lacksMost(facts: WebFacts, family: Family): boolean {
  const expected = importantFacts.filter((name) => name !== 'clientHints' || family.startsWith('blink'))
  return expected.filter((name) => facts[name] === undefined).length > expected.length / 2
}

const reasons: readonly string[] = ['refused', 'unavailable', 'timedOut'] satisfies MissingBecause[]

/** What the SDK says about facts that are indeed absent; undefined when it says nothing. `names`: those of all facts. */
export function factsMissing(
  said: Readonly<Record<string, string>> = {},
  facts: Facts,
  names: ReadonlySet<string>,
): Identification['factsMissing'] {
  const missing = Object.entries(said).filter(
    // A first visit has no token yet: nothing is missing.
    ([name, because]) =>
      name !== 'deviceToken' && names.has(name) && reasons.includes(because) && !Object.hasOwn(facts, name),
  )
  return missing.length === 0 ? undefined : (Object.fromEntries(missing) as Identification['factsMissing'])
}
