// What became of a telecom check? An event, while a receiver wants it or when a person ordered it; a check writes nothing else.

import {
  type AnyCheck,
  type CheckName,
  type Cost,
  checks,
  type EventData,
  failures,
  type PaidName,
} from '@ringfence/contract'
import type { Core } from '../core/core.ts'
import { Refusal } from '../core/errors.ts'
import { parsePhoneNumber } from '../phone/phone-number.ts'
import type { CheckCall } from './check-call.ts'

type Completed = EventData<'telecom.check.completed'>

/** Runs the check, and records its result or failure before it returns. An invalid number or a wrong field is no check. */
export function recordingCheck<Result extends Recordable>(
  check: CheckName,
  phoneNumber: string,
  call: CheckCall,
  needs: Pick<Core, 'events' | 'database'>,
  run: () => Promise<Result>,
): Promise<Result> {
  const { isWarning }: AnyCheck = checks[check]
  return recordingAnswer({ check, phoneNumber, isWarning }, call, needs, run)
}

interface Recordable<Answer = unknown> {
  answer: Answer
  cost?: Cost
  lookUpCost?: Cost
  phoneDetail: { operator?: string }
}

/** The same for what is no check, but is asked of operators too. */
export async function recordingAnswer<Answer, Result extends Recordable<Answer>>(
  about: About<Answer>,
  call: CheckCall,
  needs: Pick<Core, 'events' | 'database'>,
  run: () => Promise<Result>,
): Promise<Result> {
  const isWanted = call.isByHand || (await needs.events.wants(call.caller.tenantId, 'telecom.check.completed'))
  return isWanted ? recorded(about, call, needs, run) : run()
}

interface About<Answer> {
  readonly check: PaidName
  readonly phoneNumber: string
  isWarning(answer: Answer): boolean
}

async function recorded<Answer, Result extends Recordable<Answer>>(
  { check, phoneNumber, isWarning }: About<Answer>,
  { caller: { tenantId, clientId: by }, requestId, isByHand = false, consent }: CheckCall,
  { events, database }: Pick<Core, 'events' | 'database'>,
  run: () => Promise<Result>,
): Promise<Result> {
  const digits = parsePhoneNumber(phoneNumber)?.digits
  const record = async (found: Pick<Completed, 'result' | 'failure' | 'operator' | 'cost' | 'lookUpCost'>) => {
    if (digits === undefined) return
    const data = { check, phoneNumber: digits, ...found, consent, by }
    const subjects = { phoneNumber: digits, requestId }
    const event = {
      type: 'telecom.check.completed',
      data,
      orderedBy: `number ${digits}`,
      subjects,
      isAlwaysRecorded: isByHand,
    } as const
    await database.batch(await events.statements(tenantId, [{ ...event, outcome: found.result }]))
  }
  try {
    const result = await run()
    const { operator } = result.phoneDetail
    const outcome = isWarning(result.answer) ? 'yes' : 'no'
    await record({ result: outcome, ...(operator !== undefined && { operator }), ...costsOf(result) })
    return result
  } catch (error) {
    if (error instanceof Refusal) {
      await record({ result: 'unknown', failure: failures[error.failure].errorCode, ...costsOf(error.details) })
    }
    throw error
  }
}

const costsOf = ({ cost, lookUpCost }: { cost?: Cost | undefined; lookUpCost?: Cost | undefined }) => ({
  ...(cost && { cost }),
  ...(lookUpCost && { lookUpCost }),
})
