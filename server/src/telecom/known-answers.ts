// What does this tenant already know about a number? Stored answers of operators and portability sources; it calls none.

import {
  type CheckAnswer,
  type CheckName,
  type Consent,
  checks,
  type OperatorCheckName,
  type PhoneDetail,
} from '@ringfence/contract'
import { parsePhoneNumber } from '../phone/phone-number.ts'
import type { Answered } from './answers.ts'
import type { LinesOfCall } from './freshness/line-store.ts'
import type { PortabilityAnswer } from './portability-sources/source.ts'
import { readQuestionName } from './question-name.ts'
import type { TelecomNeeds } from './room.ts'

/** An answer with its age; local portability data are always current, and have none. */
export type KnownAnswers = { readonly [Name in CheckName]?: CheckAnswer<Name> & { readonly ageSeconds?: number } }

/** Leaves out checks that were not made, or too long ago. */
export interface KnownOfNumber extends KnownAnswers {
  readonly phoneDetail: PhoneDetail
}

/** Who reads what is stored. */
export interface NumberReader {
  readonly tenantId: string
  readonly consent: Consent | 'any' | undefined
  /** Of the call: its checks need not read the line again. */
  readonly lines?: LinesOfCall | undefined
}

/**
 * Reads the database once. Returns undefined for an invalid number. Where the tenant requires purposes, an answer for another purpose than
 * that of the reader is not read; without `consent`, `any` is.
 *
 * @param digits with country code
 */
export async function knownOfNumber(
  digits: string,
  { tenantId, consent, lines }: NumberReader,
  { telecom: { answers, operators } }: Pick<TelecomNeeds, 'telecom'>,
): Promise<KnownOfNumber | undefined> {
  const number = parsePhoneNumber(digits)
  if (!number) return undefined
  const known: Partial<Record<OperatorCheckName, { ageSeconds: number }>> = {}
  const portability = new Map<string, Answered<PortabilityAnswer>>()
  const stored = (await answers.known(tenantId, number.digits, consent, lines)).map((each) => ({
    ...each,
    ...readQuestionName(each.name),
  }))
  for (const { check, source = '', answer, ageSeconds, isOutdated } of stored) {
    if (check === 'portability' && !isOutdated)
      portability.set(source, { answer: answer as PortabilityAnswer, ageSeconds })
  }
  const { phoneDetail, ported, ageSeconds, operator: serving } = await operators.recall(number, portability)
  // Number data that were imported since may say that it was ported.
  const isPorted = serving?.id !== undefined && stored.some(({ operator }) => operator && operator !== serving.id)
  if (isPorted) await answers.lines.servedBy({ tenantId, digits: number.digits, lines }, serving.id!)
  for (const { check, answer, ageSeconds, isOutdated = isPorted } of stored) {
    if (check && check !== 'portability') {
      const found = { ...(answer as object), ageSeconds }
      // What spoke against the number still does after a change of its line; nothing else of before counts.
      if (isOutdated && !isWarning(check, found)) continue
      // Newest first. An answer for a short window does not contradict a warning for a long one.
      if (!known[check] || (!isWarning(check, known[check]) && isWarning(check, found))) known[check] = found
    }
  }
  return {
    phoneDetail,
    ...(known as KnownAnswers),
    ...(ported !== undefined && { portability: { ported, ...(ageSeconds !== undefined && { ageSeconds }) } }),
  }
}

const isWarning = (check: OperatorCheckName, answer: unknown): boolean => checks[check].isWarning(answer as never)
