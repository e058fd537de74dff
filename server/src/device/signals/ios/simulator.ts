// Detects the iOS simulator, by its build target, environment and model.

import { flag } from '../../../core/path-types.ts'
import { flagOf } from '../flag-of.ts'
import { type Finding, resultOf, signal } from '../signal.ts'
import type { FlagResult } from '../verdicts.ts'

/** A simulator reports the processor of its host instead of a device model. */
const hostModel = /^(x86_64|i386|arm64)$/

export const simulator = signal({
  name: 'simulator',
  question: 'Does the app run on a simulator?',
  version: 3,
  platforms: ['IOS'],
  judge(evidence): Finding<FlagResult> | undefined {
    const { simulator: traces, deviceModel } = evidence.facts
    const reasons = [
      ...(traces?.isTarget ? ['built for a simulator'] : []),
      ...(traces?.hasEnvironment ? ['simulator environment variables'] : []),
      ...(hostModel.test(deviceModel?.identifier ?? '') ? [`model ${deviceModel?.identifier}`] : []),
    ]
    return flagOf(evidence, ['simulator', 'deviceModel'], reasons)
  },
  weights: {
    simulator: { fires: resultOf, session: 0.55, because: 'the app runs on a simulator, not on a device' },
  },
  report: {
    field: 'simulator',
    value: resultOf,
    rule: { type: flag('Runs on a simulator'), read: ({ simulator }) => simulator },
  },
})
