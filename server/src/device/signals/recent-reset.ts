// Was the device reset shortly before, so that it forgot who it was?

import { flag } from '../../rules/path-types.ts'
import { resetTime } from './factory-reset.ts'
import { type Finding, resultOf, signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

const recentMs = 3 * 86_400_000

/** On iOS only where the keychain is new as well: a restored backup and an update make folders anew, and keep it. */
export const recentReset = signal({
  name: 'recentReset',
  question: 'Was the device reset recently, so that it lost its keys?',
  version: 1,
  platforms: ['IOS', 'ANDROID'],
  judge(evidence): Finding<FlagResult> | undefined {
    const at = resetTime(evidence)
    if (at === undefined) return undefined
    const isRecent = evidence.now - at < recentMs
    const forgot = evidence.platform === 'ANDROID' || evidence.facts.keychainId?.isNew === true
    return { verdict: { result: isRecent && forgot }, reasons: [new Date(at).toISOString()] }
  },
  weights: {
    factoryReset: { fires: resultOf, session: 0.2, because: 'the device was just reset, and knows its keys no more' },
  },
  report: {
    field: 'factoryReset',
    value: resultOf,
    rule: { type: flag('A suspicious factory reset was made'), read: ({ factoryReset }) => factoryReset },
  },
})
