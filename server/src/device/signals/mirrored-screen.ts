// Detects a mirrored or recorded screen.

import { flag } from '../../core/path-types.ts'
import { mayReport } from '../analysis/since-android.ts'
import { flagOf } from './flag-of.ts'
import { type Finding, resultOf, signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

/** The system does not tell mirroring from recording, so it is also true while the user records the screen. */
export const mirroredScreen = signal({
  name: 'mirroredScreen',
  question: 'Is the screen mirrored or recorded?',
  version: 3,
  platforms: ['IOS', 'ANDROID'],
  judge(evidence): Finding<FlagResult> | undefined {
    const { screenCapture = {} } = evidence.facts
    const reasons = Object.entries(screenCapture).flatMap(([name, holds]) => (holds ? [name] : []))
    const isOpen = evidence.platform === 'ANDROID' && screenCapture.isRecorded === undefined && mayReport(evidence, 15)
    return reasons.length === 0 && isOpen ? undefined : flagOf(evidence, ['screenCapture'], reasons)
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
