// Does the app run on a simulator?

import type { Signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

/** Simulators tell the processor of their host where a device tells its model. */
const hostModel = /^(x86_64|i386|arm64)$/

export const simulator: Signal<FlagResult> = {
  version: 1,
  platforms: ['IOS'],
  judge({ facts: { simulator: told, deviceModel } }) {
    if (!told && !deviceModel) return undefined
    const reasons = [
      ...(told?.isTarget ? ['built for a simulator'] : []),
      ...(told?.hasEnvironment ? ['environment of a simulator'] : []),
      ...(hostModel.test(deviceModel?.identifier ?? '') ? [`model ${deviceModel?.identifier}`] : []),
    ]
    return { verdict: { result: reasons.length > 0 }, reasons }
  },
}
