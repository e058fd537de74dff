// Whose number is this? What is known of it before a check, and which operator a check has to ask.

import type { CheckCall } from '../call.ts'
import { Refusal } from '../errors.ts'
import { explainInvalidPhoneNumber } from '../phone/explain-invalid.ts'
import { parsePhoneNumber } from '../phone/phone-number.ts'
import type { Platform } from '../platform.ts'
import type { Operator, Subject } from './operators.ts'

export type { Subject }

/** Parses the number of the body and collects what is known about it. Refuses with `invalidPhoneNumber`. */
export async function identifySubject(phoneNumber: string, call: CheckCall, platform: Platform): Promise<Subject> {
  const number = parsePhoneNumber(phoneNumber)
  if (!number)
    throw new Refusal('invalidPhoneNumber', { mistake: explainInvalidPhoneNumber(phoneNumber, 'phoneNumber') })
  return platform.telecom.operators.identify(number, call)
}

/**
 * Returns the operator to query: the one that serves the number, or its home operator if that one's configuration says
 * `assumeHomeOperator` and no source says that the number was ported. Refuses with `operatorUnknown`; its cause is the failure of a source.
 */
export function operatorToQuery({ operator, homeOperator, ported, sourceFailure, phoneDetail }: Subject): Operator {
  if (operator) return operator
  if (homeOperator?.entry?.assumeHomeOperator && !ported) return homeOperator
  throw new Refusal('operatorUnknown', { phoneDetail, cause: sourceFailure })
}
