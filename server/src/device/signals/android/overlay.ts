// Detects a window of another app over yours, as the last touch shows it.

import { flag } from '../../../core/path-types.ts'
import { mayReport } from '../../analysis/since-android.ts'
import { flagOf } from '../flag-of.ts'
import { type Finding, resultOf, signal } from '../signal.ts'
import type { FlagResult } from '../verdicts.ts'

/** Chat heads and filters for blue light cover apps too. It is of the moment: no score of the device, a decision weighs it. */
export const overlay = signal({
  name: 'overlay',
  question: 'Does a window of another app cover this one?',
  version: 1,
  platforms: ['ANDROID'],
  judge(evidence): Finding<FlagResult> | undefined {
    const { isObscured, isPartiallyObscured } = evidence.facts.touch ?? {}
    const reasons = [
      ...(isObscured ? ['the touched place was covered'] : []),
      ...(isPartiallyObscured ? ['another place was covered'] : []),
    ]
    const isOpen = isPartiallyObscured === undefined && mayReport(evidence, 10)
    return reasons.length === 0 && isOpen ? undefined : flagOf(evidence, ['touch'], reasons)
  },
  report: {
    field: 'overlay',
    value: resultOf,
    rule: { type: flag('A window of another app covers this one (Android)'), read: ({ overlay }) => overlay },
  },
})
