// What is known of a number without asking anybody? What operators and portability sources answered this tenant before.

import type { PhoneDetail } from '@ringfence/contract'
import { parsePhoneNumber } from '../phone/phone-number.ts'
import type { Platform } from '../platform.ts'
import type { Answered } from './answers.ts'
import type { PortabilityAnswer } from './portability-sources/source.ts'

/** A check that was not made, or too long ago, is absent. */
export interface KnownOfNumber {
  readonly phoneDetail: PhoneDetail
  readonly simSwap?: { readonly swapped: boolean; readonly maxAgeHours: number; readonly ageSeconds: number }
  readonly callForwarding?: { readonly active: boolean; readonly ageSeconds: number }
  /** `ageSeconds` where a remote source was asked: local data are always known. */
  readonly portability?: { readonly ported: boolean; readonly ageSeconds?: number }
}

/** Digits with country code; undefined for what is no valid number. Costs one look into the store. */
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
    // As check.ts and operators.ts name what they ask.
    const [, check, rest = ''] = /^([a-z-]+):?(.*)$/.exec(name) ?? []
    if (check === 'sim-swap') {
      swaps.push({ swapped: answer as boolean, maxAgeHours: Number.parseInt(rest, 10), ageSeconds })
    } else if (check === 'call-forwarding') forwardings.push({ active: answer as boolean, ageSeconds })
    else if (check === 'portability') portability.set(rest, { answer: answer as PortabilityAnswer, ageSeconds })
  }
  // A swap that a long window has found is not undone by a short one that has not.
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
