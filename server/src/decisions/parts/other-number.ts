// Who receives a code to a phone number that a decision is not about? A sign-in with it proves the person only while nobody diverted it.

import type { Identity } from '@ringfence/contract'
import type { Call } from '../../clients/call.ts'
import type { RuleInput } from '../../rules/language/vocabulary.ts'
import type { LoadedRules } from '../../rules/loaded-rules.ts'
import type { KnownOfNumber } from '../../telecom/known-answers.ts'
import type { DecisionsNeeds } from '../room.ts'
import type { Parts } from './parts.ts'
import { type CodesReach, codesReach, type PhoneInquiry, queryChecks, storedOfNumber, withAnswers } from './phone.ts'

export interface OtherNumber {
  readonly known: KnownOfNumber
  readonly codes: CodesReach
}

/** The only proof of a sign-in, where that is another number than the one that the decision is about. */
export function otherNumberIn(identities: readonly Identity[], digits: string | undefined): string | undefined {
  const proved = identities.filter(({ verified }) => verified)
  if (proved.some(({ identityType, identityValue }) => identityType !== 'MOBILE' || identityValue === digits)) {
    return undefined
  }
  return proved[0]?.identityValue
}

/**
 * Makes the checks that the rules in force would make of this number and that say who receives a code. `input`: what they read of the
 * decision.
 */
export async function otherNumber(
  digits: string,
  {
    live,
    input,
    ...asked
  }: Omit<PhoneInquiry, 'digits' | 'simSwapMaxAgeHours'> & { live: LoadedRules; input: RuleInput },
  parts: Pick<Parts, 'apart'>,
  call: Call,
  needs: DecisionsNeeds,
): Promise<OtherNumber | undefined> {
  const { telecom: _, missing: __, ...unasked } = input
  const wanted = live.pendingChecks(unasked).intersection(ofCodes)
  const own = parts.apart()
  const reader = { tenantId: call.caller.tenantId, consent: asked.consent, lines: asked.storing?.lines }
  const inquiry = { digits, simSwapMaxAgeHours: undefined, ...asked }
  const stored = await storedOfNumber(digits, reader, needs)
  // A backend may have issued the token with any text.
  if (!stored) return undefined
  const known = withAnswers(stored, await queryChecks([...wanted], inquiry, own, call, needs))
  const missing = Object.fromEntries(own.missing.map(({ what, why }) => [what, why])) as RuleInput['missing']
  return { known, codes: codesReach(known, stored, missing) }
}

const ofCodes = new Set(['simSwap', 'callForwarding'] as const)

/** What rules read of the number of the decision, with what speaks against another one. */
export function withWarnings(
  telecom: NonNullable<RuleInput['telecom']>,
  { known: { simSwap, callForwarding } }: OtherNumber,
): NonNullable<RuleInput['telecom']> {
  return { ...telecom, ...(simSwap?.swapped && { simSwap }), ...(callForwarding?.active && { callForwarding }) }
}
