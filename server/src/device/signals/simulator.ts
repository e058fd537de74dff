// Does the app run on a simulator?

import { flag } from '../../rules/path-types.ts'
import { type Finding, resultOf, signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

/** Simulators tell the processor of their host where a device tells its model. */
const hostModel = /^(x86_64|i386|arm64)$/

export const simulator = signal({
  name: 'simulator',
  question: 'Does the app run on a simulator?',
  version: 1,
  platforms: ['IOS'],
  judge({ facts: { simulator: told, deviceModel } }): Finding<FlagResult> | undefined {
    if (!told && !deviceModel) return undefined
    const reasons = [
      ...(told?.isTarget ? ['built for a simulator'] : []),
      ...(told?.hasEnvironment ? ['environment of a simulator'] : []),
      ...(hostModel.test(deviceModel?.identifier ?? '') ? [`model ${deviceModel?.identifier}`] : []),
    ]
    return { verdict: { result: reasons.length > 0 }, reasons }
  },
  weights: {
    simulator: { fires: resultOf, session: 0.55, because: 'a simulator, not a device' },
  },
  report: {
    field: 'simulator',
    value: resultOf,
    rule: { type: flag('Runs on a simulator'), read: ({ simulator }) => simulator },
  },
})
