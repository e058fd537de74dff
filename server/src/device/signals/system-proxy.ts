// Detects a proxy in the settings of the device.

import { flagOf } from './flag-of.ts'
import { type Finding, resultOf, signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

/** Companies set one too, so its weight is low. */
export const systemProxy = signal({
  name: 'systemProxy',
  question: 'Is the device set to send its traffic through a proxy?',
  version: 2,
  platforms: ['IOS', 'ANDROID'],
  judge(evidence): Finding<FlagResult> | undefined {
    const reasons = Object.entries(evidence.facts.proxy ?? {}).flatMap(([name, isSet]) => (isSet ? [name] : []))
    return flagOf(evidence, ['proxy'], reasons)
  },
  weights: {
    systemProxy: { fires: resultOf, session: 0.1, because: 'a proxy is set on the device; companies set one too' },
  },
  report: {
    field: 'proxy',
    value: resultOf,
  },
})
