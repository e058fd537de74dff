// Which reasons are there? All of them, with the most that each weighs and an example of its text.

import type { Signal } from '../../device/signals/signal.ts'
import { inputOf } from '../cases.ts'
import { ruleReasonExample } from './deciding.ts'
import { deviceReasonsOf } from './device-reasons.ts'
import { inputReasons } from './input-reasons.ts'
import { listExamples, listReasons } from './list-reasons.ts'
import { notKnownExample, notKnownReasons } from './not-known.ts'
import type { Reason } from './reason.ts'

/** The reasons that only a decision gives: from its own input. */
export const decisionReasons: readonly Reason[] = [
  ...inputReasons.map(({ code, text, weight, source, cases }) => {
    const example = inputOf(cases.flatMap((each) => ('fires' in each ? [each.fires] : []))[0] ?? {})
    return { code, text: typeof text === 'string' ? text : text(example), weight, source }
  }),
  ...listReasons(listExamples),
  ...notKnownReasons(notKnownExample),
  ruleReasonExample,
]

/** Those, and the ones that a list of signals and the history of a device give to decisions and reports. */
export const reasonsWith = (list: readonly Signal[]): Reason[] => [...decisionReasons, ...deviceReasonsOf(list)]
