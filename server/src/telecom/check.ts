// What do the three checks have in common? number → operator → connector → result, and which refusal a failure becomes.

import type { PhoneDetail } from '@ringfence/contract'
import type { CheckCall } from '../call.ts'
import { type FailureName, Refusal } from '../errors.ts'
import { explainInvalidPhoneNumber } from '../phone/explain-invalid.ts'
import { parsePhoneNumber } from '../phone/phone-number.ts'
import type { Platform } from '../platform.ts'
import { logged } from '../upstream/upstream-error.ts'
import { CheckUnsupported, type Connector, type Inquiry, WindowUnsupported } from './connectors/connector.ts'
import type { Operator, Subject } from './operators.ts'

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
export function operatorToQuery(
  { operator, homeOperator, ported, sourceFailure }: Subject,
  phoneDetail: PhoneDetail,
): Operator {
  if (operator) return operator
  if (homeOperator?.entry?.assumeHomeOperator && !ported) return homeOperator
  throw new Refusal('operatorUnknown', { phoneDetail, cause: sourceFailure })
}

export interface Check {
  subject: Subject
  operator: Operator
  connector: Connector
  /** Identifies the check and its parameters, e.g. `sim-swap:240`. */
  question: string
  reuseSeconds: number
  refusals: {
    unsupported: FailureName
    failed: FailureName
    /** For a window that is longer than the operator may look back. */
    window?: FailureName
  }
  /** Returned with a failed check (specification 4.1.3, 4.2.3). */
  phoneDetail: PhoneDetail
}

/** Queries the operator within the deadline of the call, and maps its errors to refusals. */
export async function queryOperator(
  { subject, operator, connector, question, reuseSeconds, refusals, phoneDetail }: Check,
  call: CheckCall,
  platform: Platform,
  query: (inquiry: Inquiry) => Promise<boolean>,
): Promise<boolean> {
  if (connector.sandbox) call.provenance.sandbox = true
  const count = (result: 'yes' | 'no' | 'unsupported' | 'failed', source: 'operator' | 'stored') => {
    const [check = question] = question.split(':', 1)
    platform.metrics.count('checks', check, operator.name, result, source)
  }
  try {
    const { answer, ageSeconds } = await platform.telecom.answers.find(
      {
        tenantId: call.caller.tenantId,
        digits: subject.number.digits,
        name: `${question}@${connector.name}`,
        reuseSeconds,
        call,
      },
      (signal) => query({ signal, correlator: call.correlator, trace: call.trace }),
    )
    if (ageSeconds !== undefined) call.provenance.ageSeconds = ageSeconds
    count(answer ? 'yes' : 'no', ageSeconds === undefined ? 'operator' : 'stored')
    return answer
  } catch (cause) {
    const isUnsupported = cause instanceof CheckUnsupported || cause instanceof WindowUnsupported
    count(isUnsupported ? 'unsupported' : 'failed', 'operator')
    if (cause instanceof CheckUnsupported) throw new Refusal(refusals.unsupported, { cause })
    if (cause instanceof WindowUnsupported && refusals.window) throw new Refusal(refusals.window, { cause })
    const { requestId } = call
    platform.log.warn({ connector: connector.name, question, requestId, ...logged(cause) }, 'check failed')
    throw new Refusal(refusals.failed, { phoneDetail, cause })
  }
}
