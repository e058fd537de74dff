// How are the answers of the checks shown? As a table for people, as JSON for scripts.

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

export interface Asked {
  name: Check
  outcome: Answer<SimSwapResult | CallForwardingResult | PortabilityResult> | RingfenceError
}

const titles: Readonly<Record<Check, string>> = {
  simSwapCheck: 'SIM swap',
  callForwardingCheck: 'Call forwarding',
  portability: 'Portability',
}

/** Whether the check has a result: accepted, and completed. */
export function isAnswered({ outcome }: Asked): boolean {
  return !(outcome instanceof RingfenceError) && outcome.success
}

/** The bodies by the names of the calls, each with its `meta`. A call that was refused holds `error` and no `success`. */
export function asJson(asked: readonly Asked[]): Record<string, unknown> {
  return Object.fromEntries(
    asked.map(({ name, outcome }) => {
      if (!(outcome instanceof RingfenceError)) return [name, { ...outcome, meta: outcome.meta }]
      const { code, status, errorCode, message, description, requestId } = outcome
      return [name, { error: { code, status, errorCode, message, description }, meta: { requestId } }]
    }),
  )
}

/** The number, what is known of it, a row for each check, and under it why one has no result. */
export function asText(phoneNumber: string, asked: readonly Asked[]): string {
  const rows = asked.map(({ name, outcome }) => {
    const { operator, homeOperator, isPorted }: PhoneDetail = detailOf(outcome) ?? {}
    return [
      titles[name],
      findingOf(outcome),
      hasBody(outcome) ? shown(operator ?? 'unknown') : '',
      hasBody(outcome) ? shown(homeOperator ?? 'unknown') : '',
      isPorted === undefined ? '' : yesOrNo(isPorted),
      ageOf(outcome),
      hasBody(outcome) ? yesOrNo(outcome.meta.sandbox) : '',
    ]
  })
  const head = ['CHECK', 'ANSWER', 'OPERATOR', 'HOME OPERATOR', 'PORTED', 'AGE', 'SANDBOX']
  const madeUp = asked.some(({ outcome }) => isMadeUp(outcome))
  const remarks = [...asked.flatMap(failureOf), ...(madeUp ? ['What comes from the sandbox is made up.'] : [])]
  return [
    shown([phoneNumber, ...whereabouts(asked)].join(', ')),
    table(head, rows),
    ...(remarks.length > 0 ? [remarks.map(shown).join('\n')] : []),
  ].join('\n\n')
}

/** What others say is shown and not obeyed: no control sequence, line break or change of direction reaches the terminal. */
const shown = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd')

function findingOf(outcome: Asked['outcome']): string {
  if (outcome instanceof RingfenceError) return styleText('yellow', refusalOf(outcome))
  if (!outcome.success) return styleText('yellow', 'not completed')
  if ('swapped' in outcome) return finding(outcome.swapped, 'swapped')
  if ('callForwarding' in outcome) return finding(outcome.callForwarding, 'forwarded')
  return finding(outcome.phoneDetail.isPorted ?? false, 'ported')
}

/** An answer of the service that is none to the question, or no answer at all. */
function refusalOf({ code, status }: RingfenceError): string {
  if (code === 'unsupported_by_operator') return 'not supported'
  if (code === 'unexpected_response') return 'no answer'
  return status !== undefined && status < 500 ? 'refused' : 'no answer'
}

const finding = (isFound: boolean, what: string) => (isFound ? styleText('red', what) : `not ${what}`)
const yesOrNo = (value: boolean) => (value ? 'yes' : 'no')

function ageOf(outcome: Asked['outcome']): string {
  if (outcome instanceof RingfenceError) return ''
  const { ageSeconds } = outcome.meta
  return ageSeconds === undefined ? 'fresh' : `${ageSeconds} s`
}

function failureOf({ name, outcome }: Asked): string[] {
  if (outcome instanceof RingfenceError) {
    const { message, requestId } = outcome
    return [`${titles[name]}: ${message}${requestId === undefined ? '' : `, request ${requestId}`}`]
  }
  if (outcome.success) return []
  const { message, description, errorCode } = outcome.error
  return [`${titles[name]}: ${message}: ${description} (${errorCode}), request ${outcome.meta.requestId}`]
}

const hasBody = (outcome: Asked['outcome']): outcome is Exclude<Asked['outcome'], RingfenceError> =>
  !(outcome instanceof RingfenceError)

const isMadeUp = (outcome: Asked['outcome']) => hasBody(outcome) && outcome.meta.sandbox

const detailOf = (outcome: Asked['outcome']) => (outcome instanceof RingfenceError ? undefined : outcome.phoneDetail)

/** "MOBILE, IN, Asia/Calcutta": what does not depend on the check. */
function whereabouts(asked: readonly Asked[]): string[] {
  const detail = asked.map(({ outcome }) => detailOf(outcome)).find((known) => known !== undefined)
  if (!detail) return []
  const { type, country, location, timeZones = [] } = detail
  return [type, country, location, timeZones.length > 1 ? `${timeZones.length} time zones` : timeZones[0]].filter(
    (word) => word !== undefined,
  )
}
