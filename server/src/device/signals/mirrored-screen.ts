// Detects a mirrored or recorded screen.

import { flag } from '../../core/path-types.ts'
import { flagOf } from './flag-of.ts'
import { type Finding, resultOf, signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

/** The system does not tell mirroring from recording, so it is also true while the user records the screen. */
export const mirroredScreen = signal({
  name: 'mirroredScreen',
  question: 'Is the screen mirrored or recorded?',
  version: 2,
  platforms: ['IOS', 'ANDROID'],
  judge(evidence): Finding<FlagResult> | undefined {
    const reasons = Object.entries(evidence.facts.screenCapture ?? {}).flatMap(([name, holds]) => (holds ? [name] : []))
    return flagOf(evidence, ['screenCapture'], reasons)
  },
  weights: {
    mirroredScreen: { fires: resultOf, session: 0.15, because: 'the screen is mirrored or recorded' },
  },
  report: {
    field: 'mirroredScreen',
    value: resultOf,
    rule: { type: flag('The screen is mirrored or recorded'), read: ({ mirroredScreen }) => mirroredScreen },
  },
})
