// How are the results of the checks shown? As a table for people, as JSON for scripts.

import { styleText } from 'node:util'
import { type AnyCheck, type CheckName, checks, type TelecomChecksResult } from '@ringfence/contract'
import { type Answer, RingfenceError } from '@ringfence/node'
import { table } from '../table.ts'
import { amountText } from './amount.ts'
import { answerText } from './answer-text.ts'

/** What the client returned or threw. */
export type ChecksCall = Answer<TelecomChecksResult> | RingfenceError

type CheckResult = NonNullable<TelecomChecksResult['checks'][CheckName]>

/** Whether the service accepted the call and completed every check. */
export const isAnswered = (call: ChecksCall): boolean =>
  !(call instanceof RingfenceError) && Object.values(call.checks).every(({ success }) => success)

/** The response with its `meta`. A refused call has `error` and no `checks`. */
export function asJson(call: ChecksCall): Record<string, unknown> {
  if (!(call instanceof RingfenceError)) return { ...call, meta: call.meta }
  const { code, status, errorCode, message, description, notice, requestId } = call
  return { error: { code, status, errorCode, message, description, notice }, meta: { requestId } }
}

/** The number with its details, a row for each check, and the reason for each check without an answer. */
export function asText(phoneNumber: string, call: ChecksCall): string {
  if (call instanceof RingfenceError) return `${shown(phoneNumber)}\n\n${shown(reasonOf(call))}`
  const { phoneDetail, checks: results, meta } = call
  const { operator, homeOperator, isPorted } = phoneDetail
  const ported = isPorted === undefined ? 'not known whether ported' : isPorted ? 'ported' : 'not ported'
  const about = [`operator ${operator ?? 'not known'}`, `home operator ${homeOperator ?? 'not known'}`, ported]
  const entries = Object.entries(results) as [CheckName, CheckResult][]
  const isPriced = entries.some(([, { cost }]) => cost)
  const remarks = [
    ...entries.flatMap(([name, result]) => failureOf(name, result)),
    ...(call.lookUpCost?.micros ? [`Finding the operator cost ${amountText(call.lookUpCost)}.`] : []),
    ...(meta.sandbox ? ['Answers of the sandbox are made up.'] : []),
  ]
  return [
    [[phoneNumber, ...whereabouts(phoneDetail)], about].map((words) => shown(words.join(', '))).join('\n'),
    table(
      ['CHECK', 'ANSWER', 'AGE', 'FROM', ...(isPriced ? ['COST'] : [])],
      entries.map(([name, result]) => [titleOf(name), ...cellsOf(name, result), costOf(result)]),
    ),
    ...(remarks.length > 0 ? [remarks.join('\n')] : []),
  ].join('\n\n')
}

function cellsOf(name: CheckName, result: CheckResult): string[] {
  if (!result.success) return [styleText('yellow', 'not known'), '', '']
  const { success: _, ageSeconds, source, cost: _cost, ...answer } = result
  const { isWarning }: AnyCheck = checks[name]
  const text = shown(answerText(answer))
  return [
    isWarning(answer) ? styleText('red', text) : text,
    ageSeconds === 0 ? 'fresh' : `${ageSeconds} s`,
    shown(source ?? ''),
  ]
}

const costOf = ({ cost }: CheckResult) => (cost ? amountText(cost) : '')

function failureOf(name: CheckName, result: CheckResult): string[] {
  if (result.success) return []
  const { message, description, errorCode } = result.error
  return [shown(`${titleOf(name)}: ${message}: ${description} (${errorCode})`)]
}

const reasonOf = ({ message, requestId }: RingfenceError) =>
  [message, ...(requestId === undefined ? [] : [`request ${requestId}`])].join(', ')

function titleOf(name: CheckName): string {
  const { title } = checks[name]
  return title.charAt(0).toUpperCase() + title.slice(1)
}

/** Text of others must not control the terminal: replaces control characters, line breaks and changes of direction. */
const shown = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd')

/** "MOBILE, IN, India, Asia/Kolkata" */
function whereabouts({ type, country, location, timeZones = [] }: TelecomChecksResult['phoneDetail']): string[] {
  const zone = timeZones.length > 1 ? `${timeZones.length} time zones` : timeZones[0]
  return [type, country, location, zone].filter((word) => word !== undefined)
}
