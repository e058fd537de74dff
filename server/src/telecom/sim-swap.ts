// 4.1 SIM swap check: has this number's SIM been swapped within the last `maxAge` hours?

import type { SimSwapPhoneDetail, SimSwapRequest, SimSwapResult } from '@ringfence/contract'
import type { CheckCall } from '../call.ts'
import { Refusal } from '../errors.ts'
import type { Platform } from '../platform.ts'
import { identifySubject, operatorToQuery, queryOperator } from './check.ts'
import { recordingCheck } from './check-events.ts'

/** A completed check, and its window in hours. */
export interface SimSwapAnswer {
  readonly swapped: boolean
  readonly maxAgeHours: number
  readonly phoneDetail: SimSwapPhoneDetail
}

/**
 * `swapped` true: a swap occurred within the window. false: the operator found none within it (4.1, rules 1 and 2).
 * Refuses as `simSwapWithin`.
 */
export async function checkSimSwap(body: SimSwapRequest, call: CheckCall, platform: Platform): Promise<SimSwapResult> {
  const { swapped, phoneDetail } = await simSwapWithin(body, call, platform)
  return { success: true, swapped, phoneDetail }
}

/**
 * The window is `maxAge`, else the operator's default, else the service's, and never longer than the operator's limit.
 * Refuses with invalidPhoneNumber, operatorUnknown, simSwapUnsupported, simSwapWindowUnsupported, simSwapFailed.
 */
export function simSwapWithin(body: SimSwapRequest, call: CheckCall, platform: Platform): Promise<SimSwapAnswer> {
  const { phoneNumber } = body
  const run = () => findSimSwap(body, call, platform)
  return recordingCheck({ check: 'simSwap', phoneNumber, run, isYes: ({ swapped }) => swapped }, call, platform)
}

async function findSimSwap(body: SimSwapRequest, call: CheckCall, platform: Platform): Promise<SimSwapAnswer> {
  const subject = await identifySubject(body.phoneNumber, call, platform)
  // The specification lists no isPorted in the phoneDetail of this check (2.1).
  const { isPorted: _, ...phoneDetail } = subject.phoneDetail
  const operator = operatorToQuery(subject, phoneDetail)

  const connector = platform.telecom.operators.connectorOf(operator)
  if (!connector?.simSwappedWithin) throw new Refusal('simSwapUnsupported')

  const { limitHours, defaultMaxAgeHours = platform.settings.simSwapMaxAgeHours } = operator.entry?.simSwap ?? {}
  const maxAgeHours = body.maxAge ?? Math.min(defaultMaxAgeHours, limitHours ?? Number.POSITIVE_INFINITY)
  if (limitHours !== undefined && maxAgeHours > limitHours)
    throw new Refusal('simSwapWindowUnsupported', { limitHours })

  const swapped = await queryOperator(
    {
      subject,
      operator,
      connector,
      question: `sim-swap:${maxAgeHours}`,
      reuseSeconds: platform.settings.simSwapReuseSeconds,
      refusals: {
        unsupported: 'simSwapUnsupported',
        // The operator itself refused the window and does not report its limit.
        window: 'simSwapWindowUnsupportedUnknownLimit',
        failed: 'simSwapFailed',
      },
      phoneDetail,
    },
    call,
    platform,
    (inquiry) => connector.simSwappedWithin!(subject.number, maxAgeHours, inquiry),
  )
  return { swapped, maxAgeHours, phoneDetail }
}
