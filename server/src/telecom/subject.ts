// Whose number is this, and what is known of it before a check?

import { type Cost, checks } from '@ringfence/contract'
import { Refusal } from '../core/errors.ts'
import { explainInvalidPhoneNumber } from '../phone/explain-invalid.ts'
import { type PhoneNumber, parsePhoneNumber } from '../phone/phone-number.ts'
import type { CheckCall } from './check-call.ts'
import { CostCapReached } from './costs/costs.ts'
import type { AdmittedNumber, Subject } from './operators.ts'
import type { StatedIn } from './purpose/purposes.ts'
import type { TelecomNeeds } from './room.ts'

export type { Subject }

/** What to refuse when no source says who serves the number. `cost`: of the check. */
export function operatorUnknown({ phoneDetail, sourceFailure: cause }: Subject, cost?: Cost): Refusal {
  if (!(cause instanceof CostCapReached)) return new Refusal('operatorUnknown', { phoneDetail, cost, cause })
  return new Refusal('costCapReached', { phoneDetail, title: checks.portability.title, cost, cause })
}

/**
 * The first step of each check, without which no number is identified: may this call ask about it? Refuses with `consentRequired` or
 * `consentNotAllowed`, then with `invalidPhoneNumber`. Who stores something, uses something up or answers with parts that are missing
 * refuses earlier, by `purposes.admit`.
 */
export function admitNumber(
  phoneNumber: string | PhoneNumber,
  { caller, consent }: Pick<CheckCall, 'caller' | 'consent'>,
  { telecom }: Pick<TelecomNeeds, 'telecom'>,
  statedIn?: StatedIn,
): AdmittedNumber {
  telecom.purposes.admit(caller.tenantId, consent, statedIn)
  if (typeof phoneNumber !== 'string') return phoneNumber as AdmittedNumber
  const number = parsePhoneNumber(phoneNumber)
  if (number) return number as AdmittedNumber
  throw new Refusal('invalidPhoneNumber', { mistake: explainInvalidPhoneNumber(phoneNumber, 'phoneNumber') })
}

/** Collects what is known about the number of a body. Refuses as `admitNumber` does. */
export async function identifySubject(
  phoneNumber: string,
  call: CheckCall,
  needs: Pick<TelecomNeeds, 'telecom'>,
): Promise<Subject> {
  return needs.telecom.operators.identify(admitNumber(phoneNumber, call, needs), call)
}
