// 4.2 Call forwarding check: are calls to this number forwarded?

import type { CallForwardingRequest, CallForwardingResult } from '@ringfence/contract'
import type { CheckCall } from '../call.ts'
import { Refusal } from '../errors.ts'
import type { Platform } from '../platform.ts'
import { identifySubject, operatorToQuery, queryOperator } from './check.ts'
import { recordingCheck } from './check-events.ts'

/**
 * `callForwarding` true: unconditional forwarding is active, or conditional forwarding if the operator's configuration counts it.
 * Either way the result has phoneDetail (4.2, rule 2).
 * Refuses with invalidPhoneNumber, operatorUnknown, callForwardingUnsupported, callForwardingFailed.
 */
export function checkCallForwarding(
  body: CallForwardingRequest,
  call: CheckCall,
  platform: Platform,
): Promise<CallForwardingResult> {
  const { phoneNumber } = body
  const run = () => findCallForwarding(body, call, platform)
  return recordingCheck(
    { check: 'callForwarding', phoneNumber, run, isYes: (result) => result.success && result.callForwarding },
    call,
    platform,
  )
}

async function findCallForwarding(
  body: CallForwardingRequest,
  call: CheckCall,
  platform: Platform,
): Promise<CallForwardingResult> {
  const subject = await identifySubject(body.phoneNumber, call, platform)
  const { phoneDetail } = subject
  const operator = operatorToQuery(subject, phoneDetail)

  const connector = platform.telecom.operators.connectorOf(operator)
  if (!connector?.isForwarded) throw new Refusal('callForwardingUnsupported')

  const conditional = operator.entry?.callForwarding?.conditional ?? false
  const callForwarding = await queryOperator(
    {
      subject,
      operator,
      connector,
      question: conditional ? 'call-forwarding:conditional' : 'call-forwarding',
      reuseSeconds: platform.settings.callForwardingReuseSeconds,
      refusals: { unsupported: 'callForwardingUnsupported', failed: 'callForwardingFailed' },
      phoneDetail,
    },
    call,
    platform,
    (inquiry) => connector.isForwarded!(subject.number, conditional, inquiry),
  )
  return { success: true, callForwarding, callForwardingType: callForwarding ? 'active' : 'inactive', phoneDetail }
}
