// Detects a clock or time zone that the user sets by hand.

import { flag } from '../../../core/path-types.ts'
import { flagOf } from '../flag-of.ts'
import { type Finding, resultOf, signal } from '../signal.ts'
import type { FlagResult } from '../verdicts.ts'

/** Some people do so, and games are cheated so. It weighs nothing: a time zone of another place is `vpn.timezoneMismatch`. */
export const manualClock = signal({
  name: 'manualClock',
  question: 'Does the user set the clock or the time zone by hand?',
  version: 1,
  platforms: ['ANDROID'],
  judge(evidence): Finding<FlagResult> | undefined {
    const { isAutomatic, isZoneAutomatic } = evidence.facts.clock ?? {}
    const reasons = [...(isAutomatic === false ? ['clock'] : []), ...(isZoneAutomatic === false ? ['time zone'] : [])]
    return flagOf(evidence, ['clock'], reasons)
  },
  report: {
    field: 'manualClock',
    value: resultOf,
    rule: {
      type: flag('The user sets the clock or the time zone by hand (Android)'),
      read: ({ manualClock }) => manualClock,
    },
  },
})
