// What do rules read about the detectors and the phone number of a session?

import { withoutUnknown } from '../../core/json/without-unknown.ts'
import type { KnownDetectors } from '../../device/analysis/views.ts'
import { signals } from '../../device/signals/index.ts'
import type { Signal } from '../../device/signals/signal.ts'
import type { KnownOfNumber } from '../../telecom/known-answers.ts'
import type { RuleInput } from './vocabulary.ts'

/** The values below `signals.` of a list of signals; a detector without an answer leaves its paths absent. */
export function inputOfDetectorsOf(list: readonly Signal[]) {
  const rules = list.flatMap(({ name, secureInfo }) =>
    Object.entries(secureInfo?.rules ?? {}).map(([path, { value }]) => ({ name, path, value })),
  )
  return (info: KnownDetectors): NonNullable<RuleInput['signals']> => {
    const values: Record<string, unknown> = {}
    for (const { name, path, value } of rules) {
      const detector: unknown = Reflect.get(info, name)
      if (detector !== undefined) values[path] = value(detector)
    }
    return withoutUnknown({ ...values, suspectScore: info.suspectScore?.result, confidence: info.confidence?.score })
  }
}

export const inputOfDetectors = inputOfDetectorsOf(signals)

/** The phone number of a session, and its latest checks. */
export function inputOfTelecom({ phoneDetail, ...checks }: KnownOfNumber): NonNullable<RuleInput['telecom']> {
  const { operator, homeOperator, countryCode, country, type } = phoneDetail
  return { ...withoutUnknown({ operator, homeOperator, countryCode, country, type }), ...checks }
}
