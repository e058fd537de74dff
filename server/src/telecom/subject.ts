// Whose number is this, and what is known of it before a check?

import { type Cost, checks } from '@ringfence/contract'
import { Refusal } from '../errors.ts'
import { explainInvalidPhoneNumber } from '../phone/explain-invalid.ts'
import { parsePhoneNumber } from '../phone/phone-number.ts'
import type { CheckCall } from './check-call.ts'
import { CostCapReached } from './costs/costs.ts'
import type { Subject } from './operators.ts'
import type { TelecomNeeds } from './room.ts'

export type { Subject }

/** What to refuse when no source says who serves the number. `cost`: of the check. */
export function operatorUnknown({ phoneDetail, sourceFailure: cause }: Subject, cost?: Cost): Refusal {
  if (!(cause instanceof CostCapReached)) return new Refusal('operatorUnknown', { phoneDetail, cost, cause })
  return new Refusal('costCapReached', { phoneDetail, title: checks.portability.title, cost, cause })
}

/**
 * Parses the number of the body and collects what is known about it: no check is made without. Refuses with `invalidPhoneNumber`, and
 * with `consentRequired` or `consentNotAllowed` before anybody is asked.
 */
export async function identifySubject(phoneNumber: string, call: CheckCall, needs: TelecomNeeds): Promise<Subject> {
  needs.telecom.purposes.admit(call.caller.tenantId, call.consent)
  const number = parsePhoneNumber(phoneNumber)
  if (!number)
    throw new Refusal('invalidPhoneNumber', { mistake: explainInvalidPhoneNumber(phoneNumber, 'phoneNumber') })
  return needs.telecom.operators.identify(number, call)
}
