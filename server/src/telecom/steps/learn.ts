// What does a new answer say about the line? Before it is stored: those of before a change are older.

import type { CheckAnswer, OperatorCheckName } from '@ringfence/contract'
import { observationOf } from '../freshness/line.ts'
import type { CheckContext } from './check-context.ts'

/** Returns when the line changed, if that is new. */
export async function learn<Name extends OperatorCheckName>(
  { name, row, subject, operator, call, needs: { telecom, clock, log } }: CheckContext<Name>,
  answer: CheckAnswer<Name>,
): Promise<number | undefined> {
  const observation = observationOf(name, row.isWarning(answer), answer, clock.now())
  try {
    const { digits } = subject.number
    const line = { tenantId: call.caller.tenantId, digits, lines: call.storing?.lines }
    return await telecom.answers.lines.observe(line, observation, operator?.id)
  } catch (error) {
    log.warn({ err: error }, 'cannot store that a line changed')
    return undefined
  }
}
