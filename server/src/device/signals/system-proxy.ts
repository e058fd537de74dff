// Detects a proxy in the settings of the device.

import { type Finding, resultOf, signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

/** Companies set one too, so its weight is low. */
export const systemProxy = signal({
  name: 'systemProxy',
  question: 'Is the device set to send its traffic through a proxy?',
  version: 1,
  platforms: ['IOS', 'ANDROID'],
  judge({ facts: { proxy } }): Finding<FlagResult> | undefined {
    if (!proxy) return undefined
    const reasons = Object.entries(proxy).flatMap(([name, isSet]) => (isSet ? [name] : []))
    return { verdict: { result: reasons.length > 0 }, reasons }
  },
  weights: {
    systemProxy: { fires: resultOf, session: 0.1, because: 'a proxy is set on the device; companies set one too' },
  },
  report: {
    field: 'proxy',
    value: resultOf,
  },
})
