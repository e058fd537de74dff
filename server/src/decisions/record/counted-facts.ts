// What of a decision is counted that its event does not say? It is sealed beside the event, so that the fold opens no decision.

import { type Decision, telecomChecks } from '@ringfence/contract'
import type { Settings } from '../../core/config/settings.ts'
import type { RuleInput } from '../../rules/language/vocabulary.ts'
import type { OperatorCall } from '../parts/parts.ts'
import type { DecisionBasis } from './record.ts'

export type CheckOutcome = 'answered' | 'timeout' | 'failed'

/** An operator that the decision called. */
export interface CountedCheck extends OperatorCall {
  readonly check: string
  readonly operator: string
  readonly outcome: CheckOutcome
}

/** What is not known is left out. */
export interface CountedFacts {
  readonly app?: string
  /** Of the IP address, else of that of the sign-in, else of the phone number. */
  readonly country?: string
  readonly decisive?: string
  /** Which params are its amount: settings may change. */
  readonly amountOf: string
  readonly paid?: { readonly currency: string; readonly hundredths: number }
  readonly checks?: readonly CountedCheck[]
  /** The end of its challenge; present when it has one. */
  readonly challengeUntil?: number
}

type AmountSettings = Pick<Settings, 'amountParam' | 'currencyParam'>

/** The names of the two params, as one text to compare with. */
export const amountOf = ({ amountParam, currencyParam }: AmountSettings): string => `${amountParam} ${currencyParam}`

/** Names of rules are chosen by people. */
export const longestRuleName = 100
/** Sums stay exact numbers. */
const mostPaid = 1e11

/** A country is that of the IP address, else of the sign-in, else of the number. */
export function countedFacts(
  decision: Decision,
  input: RuleInput,
  { appId: app, calls, challenge }: DecisionBasis,
  settings: AmountSettings,
): CountedFacts {
  const {
    params = {},
    ipDetails,
    login,
  } = input as {
    params?: Record<string, unknown>
    ipDetails?: { country?: string }
    login?: { country?: string }
  }
  const country = ipDetails?.country ?? login?.country ?? decision.phone?.phoneDetail.country
  const decisive = decision.rules.decisive?.slice(0, longestRuleName)
  const paid = paidOf(params[settings.amountParam], params[settings.currencyParam])
  const checks = checksOf(decision, calls)
  return {
    ...(app !== undefined && { app }),
    ...(country !== undefined && { country }),
    ...(decisive !== undefined && { decisive }),
    amountOf: amountOf(settings),
    ...(paid && { paid }),
    ...(checks.length > 0 && { checks }),
    ...(challenge && { challengeUntil: challenge.expiresAt }),
  }
}

function paidOf(amount: unknown, currency: unknown): CountedFacts['paid'] {
  if (typeof amount !== 'number' || !(amount > 0)) return undefined
  const isCode = typeof currency === 'string' && /^[A-Za-z]{3}$/.test(currency)
  return { currency: isCode ? currency.toUpperCase() : '', hundredths: Math.round(Math.min(amount, mostPaid) * 100) }
}

const outcomes: Readonly<Record<string, CheckOutcome>> = {
  'operator-timeout': 'timeout',
  deadline: 'timeout',
  'operator-failed': 'failed',
}

/** An answer for which no operator was called was stored before. */
function checksOf({ phone, missing }: Decision, calls: NonNullable<DecisionBasis['calls']> = {}): CountedCheck[] {
  if (missing.length === 0 && Object.keys(calls).length === 0) return []
  const operator = phone?.phoneDetail.operator ?? ''
  return telecomChecks.flatMap((check) => {
    const why = missing.find(({ what }) => what === check)?.why
    const call = calls[check]
    const outcome = why === undefined ? call?.ms !== undefined && 'answered' : outcomes[why]
    return outcome ? [{ operator, ...call, check, outcome }] : []
  })
}
