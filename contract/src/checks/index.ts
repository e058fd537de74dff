// Which telecom checks exist? One line each.

import { callForwarding } from './call-forwarding.ts'
import type { AnswerOf, AnyCheck, ParamsOf, QuestionOf } from './check.ts'
import { deviceSwap } from './device-swap.ts'
import { kycMatch } from './kyc-match.ts'
import { locationVerification } from './location-verification.ts'
import { numberRecycling } from './number-recycling.ts'
import { portability } from './portability.ts'
import { reachability } from './reachability.ts'
import { roaming } from './roaming.ts'
import { simSwap } from './sim-swap.ts'
import { tenure } from './tenure.ts'

/** Every check, in the order in which documents show them. */
export const checks = {
  simSwap,
  deviceSwap,
  callForwarding,
  portability,
  numberRecycling,
  tenure,
  kycMatch,
  locationVerification,
  roaming,
  reachability,
} as const satisfies Record<string, AnyCheck>

export type Checks = typeof checks
export type CheckName = keyof Checks
export const checkNames = Object.keys(checks) as CheckName[]

export type CheckParams<Name extends CheckName = CheckName> = ParamsOf<Checks[Name]>
export type CheckQuestion<Name extends CheckName = CheckName> = QuestionOf<Checks[Name]>
export type CheckAnswer<Name extends CheckName = CheckName> = AnswerOf<Checks[Name]>

/** What is asked of operators and paid: the checks, and Number Verification, which is none (docs/decisions/0069). */
export const paidNames = [...checkNames, 'numberVerification'] as const
export type PaidName = (typeof paidNames)[number]

/** "SIM swap", "Number Verification": what people read. */
export const titleOf = (name: PaidName): string =>
  name === 'numberVerification' ? 'Number Verification' : checks[name].title

/** Those that operators answer; portability sources answer the other one. */
export type OperatorCheckName = Exclude<CheckName, 'portability'>
export const operatorCheckNames = checkNames.filter((name): name is OperatorCheckName => name !== 'portability')

/** The question needs nothing but the number, so a decision can ask it when its rules need the answer. */
export type TelecomCheck = { [Name in CheckName]: object extends CheckParams<Name> ? Name : never }[CheckName]
export const telecomChecks = checkNames.filter((name): name is TelecomCheck => {
  const { Params }: AnyCheck = checks[name]
  return (Params.required ?? []).length === 0 && Params.minProperties === undefined
})
