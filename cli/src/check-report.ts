// How are the results of the checks shown? As a table for people, as JSON for scripts.

import { styleText } from 'node:util'
import {
  type Answer,
  type CallForwardingResult,
  type Calls,
  type PhoneDetail,
  type PortabilityResult,
  RingfenceError,
  type SimSwapResult,
} from '@ringfence/node'
import { table } from './table.ts'

type Check = keyof Pick<Calls, 'simSwapCheck' | 'callForwardingCheck' | 'portability'>

export interface CheckCall {
  name: Check
  /** What the client returned or threw. */
  result: Answer<SimSwapResult | CallForwardingResult | PortabilityResult> | RingfenceError
}

const titles: Readonly<Record<Check, string>> = {
  simSwapCheck: 'SIM swap',
  callForwardingCheck: 'Call forwarding',
  portability: 'Portability',
}

/** Whether the service accepted the call and completed the check. */
export function isAnswered({ result }: CheckCall): boolean {
  return !(result instanceof RingfenceError) && result.success
}

/** The response of each call by name, with its `meta`. A refused call has `error` and no `success`. */
export function asJson(calls: readonly CheckCall[]): Record<string, unknown> {
  return Object.fromEntries(
    calls.map(({ name, result }) => {
      if (!(result instanceof RingfenceError)) return [name, { ...result, meta: result.meta }]
      const { code, status, errorCode, message, description, notice, requestId } = result
      return [name, { error: { code, status, errorCode, message, description, notice }, meta: { requestId } }]
    }),
  )
}

/** The number with its details, a row for each check, and the reason for each check without a result. */
export function asText(phoneNumber: string, calls: readonly CheckCall[]): string {
  const rows = calls.map(({ name, result }) => {
    const { operator, homeOperator, isPorted }: PhoneDetail = detailOf(result) ?? {}
    return [
      titles[name],
      findingOf(result),
      hasBody(result) ? shown(operator ?? 'unknown') : '',
      hasBody(result) ? shown(homeOperator ?? 'unknown') : '',
      isPorted === undefined ? '' : yesOrNo(isPorted),
      ageOf(result),
      hasBody(result) ? yesOrNo(result.meta.sandbox) : '',
    ]
  })
  const head = ['CHECK', 'ANSWER', 'OPERATOR', 'HOME OPERATOR', 'PORTED', 'AGE', 'SANDBOX']
  const madeUp = calls.some(({ result }) => isMadeUp(result))
  const remarks = [...failuresOf(calls), ...(madeUp ? ['Answers of the sandbox are made up.'] : [])]
  return [
    shown([phoneNumber, ...whereabouts(calls)].join(', ')),
    table(head, rows),
    ...(remarks.length > 0 ? [remarks.map(shown).join('\n')] : []),
  ].join('\n\n')
}

/** Text of others must not control the terminal: replaces control characters, line breaks and changes of direction. */
const shown = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd')

function findingOf(result: CheckCall['result']): string {
  if (result instanceof RingfenceError) return styleText('yellow', refusalOf(result))
  if (!result.success) return styleText('yellow', 'not completed')
  if ('swapped' in result) return finding(result.swapped, 'swapped')
  if ('callForwarding' in result) return finding(result.callForwarding, 'forwarded')
  return finding(result.phoneDetail.isPorted ?? false, 'ported')
}

/** Why there is no result: the service refused the call, or did not answer. */
function refusalOf({ code, status }: RingfenceError): string {
  if (code === 'unsupported_by_operator') return 'not supported'
  if (code === 'unexpected_response') return 'no answer'
  return status !== undefined && status < 500 ? 'refused' : 'no answer'
}

const finding = (isFound: boolean, what: string) => (isFound ? styleText('red', what) : `not ${what}`)
const yesOrNo = (value: boolean) => (value ? 'yes' : 'no')

function ageOf(result: CheckCall['result']): string {
  if (result instanceof RingfenceError) return ''
  const { ageSeconds } = result.meta
  return ageSeconds === undefined ? 'fresh' : `${ageSeconds} s`
}

/** A line for each check without a result; one line in all when every check was refused for the same reason. */
function failuresOf(calls: readonly CheckCall[]): string[] {
  const refusals = calls.map(({ result }) => result).filter((result) => result instanceof RingfenceError)
  const reasons = new Set(refusals.map(reasonOf))
  if (refusals.length < 2 || refusals.length < calls.length || reasons.size > 1) return calls.flatMap(failureOf)
  const ids = refusals.flatMap(({ requestId }) => requestId ?? [])
  return [`All checks: ${reasonOf(refusals[0]!)}${ids.length === 0 ? '' : `, requests ${ids.join(', ')}`}`]
}

/** The error of the service, and its notice, which names the field and what to send. */
const reasonOf = ({ message, notice }: RingfenceError) => (notice === undefined ? message : `${message}; ${notice}`)

function failureOf({ name, result }: CheckCall): string[] {
  if (result instanceof RingfenceError) {
    const { requestId } = result
    return [`${titles[name]}: ${reasonOf(result)}${requestId === undefined ? '' : `, request ${requestId}`}`]
  }
  if (result.success) return []
  const { message, description, errorCode } = result.error
  return [`${titles[name]}: ${message}: ${description} (${errorCode}), request ${result.meta.requestId}`]
}

const hasBody = (result: CheckCall['result']): result is Exclude<CheckCall['result'], RingfenceError> =>
  !(result instanceof RingfenceError)

const isMadeUp = (result: CheckCall['result']) => hasBody(result) && result.meta.sandbox

const detailOf = (result: CheckCall['result']) => (result instanceof RingfenceError ? undefined : result.phoneDetail)

/** "MOBILE, IN, Asia/Kolkata": details that are the same for every check. */
function whereabouts(calls: readonly CheckCall[]): string[] {
  const detail = calls.map(({ result }) => detailOf(result)).find((found) => found !== undefined)
  if (!detail) return []
  const { type, country, location, timeZones = [] } = detail
  return [type, country, location, timeZones.length > 1 ? `${timeZones.length} time zones` : timeZones[0]].filter(
    (word) => word !== undefined,
  )
}
