// Is a fact there, has this browser none, or is it missing? Only what is missing leaves a question open.

import type { Facts } from '@ringfence/contract'
import type { Evidence } from './evidence.ts'

/** Only V8 has them. */
const ofChromium: readonly string[] = ['clientHints', 'connection', 'deviceMemory', 'inspection', 'keyboard']

type Sent = Pick<Evidence, 'facts' | 'notOwed'>

/** Neither reported nor excused: switched off by the app, not in this browser, or of another engine. */
export function isMissing({ facts, notOwed = [] }: Sent, name: keyof Facts): boolean {
  if (Object.hasOwn(facts, name) || notOwed.includes(name)) return false
  return !(ofChromium.includes(name) && isOfOtherEngine(facts))
}

/** As its built-in functions show: a user agent is too easily forged. */
const isOfOtherEngine = ({ engine }: Facts) => engine?.isV8 === false

/** The answer of a condition on these facts: undefined while one of them is missing, false where the browser has none. */
export function asked(
  sent: Sent,
  names: readonly (keyof Facts)[],
  holds: (facts: Facts) => boolean | undefined,
): boolean | undefined {
  if (names.some((name) => isMissing(sent, name))) return undefined
  return names.every((name) => Object.hasOwn(sent.facts, name)) ? holds(sent.facts) : false
}
