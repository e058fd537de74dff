// Detects a recent reset that erased the keys by which the device is recognised.

import { flag } from '../../core/path-types.ts'
import { isMissing } from '../analysis/absent-facts.ts'
import { resetTime } from './factory-reset.ts'
import { type Finding, resultOf, signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

const recentMs = 3 * 86_400_000

/** On iOS the keychain must be new too: a restored backup or an update creates the folders again and keeps the keychain. */
export const recentReset = signal({
  name: 'recentReset',
  question: 'Was the device reset recently, so that it lost its keys?',
  version: 2,
  platforms: ['IOS', 'ANDROID'],
  judge(evidence): Finding<FlagResult> | undefined {
    const at = resetTime(evidence)
    if (at === undefined) return undefined
    const isRecent = evidence.now - at < recentMs
    const hasLostKeys = evidence.platform === 'ANDROID' || evidence.facts.keychainId?.isNew === true
    if (isRecent && !hasLostKeys && isMissing(evidence, 'keychainId')) return undefined
    return { verdict: { result: isRecent && hasLostKeys }, reasons: [new Date(at).toISOString()] }
  },
  weights: {
    factoryReset: { fires: resultOf, session: 0.2, because: 'the device was reset recently and lost its keys' },
  },
  report: {
    field: 'factoryReset',
    value: resultOf,
    rule: { type: flag('The device was reset recently and lost its keys'), read: ({ factoryReset }) => factoryReset },
  },
})
