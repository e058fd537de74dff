// Is the request of a decision complete, and what does it name? Wrong fields of the backend are errors; what a page chose is not.

import { type DecisionRequest, decisionParamLimits, type TelecomCheck } from '@ringfence/contract'
import { type Address, parseAddress } from '../core/address/address.ts'
import { nat64Prefixes } from '../core/address/nat64-prefixes.ts'
import type { Settings } from '../core/config/settings.ts'
import { Refusal } from '../core/errors.ts'
import { exceededLimit } from '../core/json/json-size.ts'
import { readEmailAddress } from '../email/email-address.ts'
import { explainInvalidPhoneNumber } from '../phone/explain-invalid.ts'
import { parsePhoneNumber } from '../phone/phone-number.ts'

export interface CheckedRequest extends Pick<DecisionRequest, 'action' | 'consent' | 'simSwapMaxAgeHours'> {
  /** The integrator's, where it is known. */
  readonly userId: string | undefined
  readonly token: string | undefined
  readonly dfrId: string | undefined
  /** Of the phone number, with country code. */
  readonly digits: string | undefined
  /** In its canonical form. */
  readonly email: string | undefined
  readonly ip: Address | undefined
  readonly params: Readonly<Record<string, unknown>>
  /** To make in any case. */
  readonly checks: ReadonlySet<TelecomCheck>
  readonly deadlineMs: number
}

const subjects = ['userId', 'phoneNumber', 'email', 'ip', 'token', 'dfrId'] as const

/** `waitMs`: how long the header of the call lets it wait. Refuses with `fieldInvalid` or `invalidPhoneNumber`. */
export function checkRequest(
  body: DecisionRequest,
  settings: Pick<Settings, 'nat64Prefixes' | 'decisionDeadlineMs'>,
  waitMs?: number,
): CheckedRequest {
  const { userId, phoneNumber, email, ip, params = {}, checks = [], deadlineMs, token, dfrId, ...rest } = body
  if (subjects.every((name) => body[name] === undefined)) {
    throw mistake(`name at least one of ${subjects.join(', ')}`)
  }
  if (phoneNumber !== undefined && !parsePhoneNumber(phoneNumber)) {
    throw new Refusal('invalidPhoneNumber', { mistake: explainInvalidPhoneNumber(phoneNumber, 'phoneNumber') })
  }
  const read = email === undefined ? undefined : readEmailAddress(email)
  if (read?.mistake !== undefined) {
    throw mistake(`email ${read.mistake}`)
  }
  const address = ip === undefined ? undefined : parseAddress(ip, nat64Prefixes(settings))
  if (ip !== undefined && !address) throw mistake('ip must be an IPv4 or IPv6 address')
  const otherwise = settings.decisionDeadlineMs
  const limit = exceededLimit([params], decisionParamLimits)
  if (limit !== undefined) throw mistake(`params may ${limit}`)
  return {
    ...rest,
    userId,
    // What your page must send and did not: unknown, as an empty text is.
    token: token === null ? '' : token,
    dfrId: dfrId === null ? '' : dfrId,
    digits: phoneNumber,
    email: read?.address,
    ip: address,
    params,
    checks: new Set(checks),
    // One value: the header and the field say the same; where both are sent, the shorter one counts.
    deadlineMs: Math.min(deadlineMs ?? waitMs ?? otherwise, waitMs ?? deadlineMs ?? otherwise),
  }
}

const mistake = (text: string) => new Refusal('fieldInvalid', { mistake: text })
