// Detects open developer tools in Chromium, and developer mode on Android.

import { flag } from '../../core/path-types.ts'
import { isMissing } from '../analysis/absent-facts.ts'
import { engineOf } from '../analysis/engine.ts'
import type { Evidence } from '../analysis/evidence.ts'
import { inspectorOf } from '../analysis/inspection.ts'
import { isWhole } from '../analysis/whole-facts.ts'
import { flagOf } from './flag-of.ts'
import { type Finding, resultOf, signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

/**
 * Among browsers only Chromium shows it, for docked and separate windows alike. Android reports it to apps; iOS does not.
 */
export const developerTools = signal({
  name: 'developerTools',
  question: 'Are developer tools open, or is the phone in developer mode?',
  version: 5,
  platforms: ['WEB', 'ANDROID'],
  judge(evidence): Finding<FlagResult> | undefined {
    if (evidence.platform === 'ANDROID') return ofAndroid(evidence)
    if (!isWhole(evidence, 'inspection') || engineOf(evidence) !== 'chromium') return undefined
    const isOpen = inspectorOf(evidence.facts) === 'developer tools'
    const { stacksWritten, awaitRatio } = evidence.facts.inspection!
    // A docked panel shows in the size of the window.
    const isOpenQuestion = awaitRatio === undefined || isMissing(evidence, 'windowGeometry')
    if (!isOpen && stacksWritten && isOpenQuestion) return undefined
    return { verdict: { result: isOpen }, reasons: [`stacks written ${stacksWritten}, awaits ${awaitRatio}`] }
  },
  weights: {
    developerTools: {
      fires: resultOf,
      session: 0.1,
      because: 'developer tools are open, or the phone is in developer mode',
    },
  },
  secureInfo: {
    returnedBy: 'secure-info',
    unknown: { result: false },
    rules: {
      developerTools: {
        type: flag('Developer tools are open, or developer mode is on'),
        value: resultOf,
        read: ({ signals }) => signals?.developerTools,
      },
    },
  },
})

/** A computer can turn on USB debugging while the developer options are off; wireless debugging needs them. */
function ofAndroid(evidence: Evidence): Finding<FlagResult> | undefined {
  const { isEnabled, isAdbEnabled, isWirelessDebuggingEnabled } = evidence.facts.developerOptions ?? {}
  const reasons = [
    ...(isEnabled ? ['developer options'] : []),
    ...(isAdbEnabled ? ['USB debugging'] : []),
    ...(isWirelessDebuggingEnabled ? ['wireless debugging'] : []),
  ]
  return flagOf(evidence, ['developerOptions'], reasons)
}
