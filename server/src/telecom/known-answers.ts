// What does this tenant already know about a number? Stored answers of operators and portability sources; it calls none.

import type { PhoneDetail } from '@ringfence/contract'
import { parsePhoneNumber } from '../phone/phone-number.ts'
import type { Platform } from '../platform.ts'
import type { Answered } from './answers.ts'
import type { PortabilityAnswer } from './portability-sources/source.ts'

/** Leaves out checks that were not made, or too long ago. */
export interface KnownOfNumber {
  readonly phoneDetail: PhoneDetail
  readonly simSwap?: { readonly swapped: boolean; readonly maxAgeHours: number; readonly ageSeconds: number }
  readonly callForwarding?: { readonly active: boolean; readonly ageSeconds: number }
  /** `ageSeconds` only for a remote source: local data are always current. */
  readonly portability?: { readonly ported: boolean; readonly ageSeconds?: number }
}

/**
 * Reads the database once. Returns undefined for an invalid number.
 *
 * @param digits with country code
 */
export async function knownOfNumber(
  digits: string,
  tenantId: string,
  { telecom: { answers, operators } }: Pick<Platform, 'telecom'>,
): Promise<KnownOfNumber | undefined> {
  const number = parsePhoneNumber(digits)
  if (!number) return undefined
  const swaps: NonNullable<KnownOfNumber['simSwap']>[] = []
  const forwardings: NonNullable<KnownOfNumber['callForwarding']>[] = []
  const portability = new Map<string, Answered<PortabilityAnswer>>()
  for (const { name, answer, ageSeconds } of await answers.known(tenantId, number.digits)) {
    // The names that check.ts and operators.ts give to questions.
    const [, check, rest = ''] = /^([a-z-]+):?(.*)$/.exec(name) ?? []
    if (check === 'sim-swap') {
      swaps.push({ swapped: answer as boolean, maxAgeHours: Number.parseInt(rest, 10), ageSeconds })
    } else if (check === 'call-forwarding') forwardings.push({ active: answer as boolean, ageSeconds })
    else if (check === 'portability') portability.set(rest, { answer: answer as PortabilityAnswer, ageSeconds })
  }
  // A short window without a swap does not contradict a long window with one.
  const simSwap = swaps.find(({ swapped }) => swapped) ?? swaps[0]
  const [callForwarding] = forwardings
  const { phoneDetail, ported, ageSeconds } = await operators.recall(number, portability)
  return {
    phoneDetail,
    ...(simSwap && { simSwap }),
    ...(callForwarding && { callForwarding }),
    ...(ported !== undefined && { portability: { ported, ...(ageSeconds !== undefined && { ageSeconds }) } }),
  }
}
