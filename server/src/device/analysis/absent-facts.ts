// Is a fact there, has this browser none, or is it missing? Only what is missing leaves a question open.

import type { Facts } from '@ringfence/contract'
import type { Evidence } from './evidence.ts'
import { isWhole } from './whole-facts.ts'

/** Only V8 has them. */
const ofChromium: readonly string[] = ['clientHints', 'connection', 'deviceMemory', 'inspection', 'keyboard']

type Sent = Pick<Evidence, 'facts' | 'notOwed' | 'platform'>

/** Not reported as a whole, nor excused: switched off by the app, not in this browser, or of another engine. */
export function isMissing(sent: Sent, name: keyof Facts): boolean {
  const { facts, notOwed = [] } = sent
  if (Object.hasOwn(facts, name)) return !isWhole(sent, name)
  return !notOwed.includes(name) && !(ofChromium.includes(name) && isOfOtherEngine(facts))
}

/** As its built-in functions show: a user agent is too easily forged. */
const isOfOtherEngine = ({ engine }: Facts) => engine?.isV8 === false

/**
 * The answer of a condition on these facts: true as soon as what was sent of them shows it; undefined while one of them is missing,
 * false where the browser has none.
 */
export function asked(
  sent: Sent,
  names: readonly (keyof Facts)[],
  holds: (facts: Facts) => boolean | undefined,
): boolean | undefined {
  const answer = hasAll(sent.facts, names) && holds(sent.facts)
  if (answer) return answer
  // Loops: a visit asks about a hundred times.
  for (const name of names) if (isMissing(sent, name)) return undefined
  return answer
}

function hasAll(facts: Facts, names: readonly (keyof Facts)[]): boolean {
  for (const name of names) if (!Object.hasOwn(facts, name)) return false
  return true
}
