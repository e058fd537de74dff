// Is there an answer that may be reused? Otherwise operators are asked; equal questions at the same time share one answer.

import type { CheckAnswer, OperatorCheckName } from '@ringfence/contract'
import type { Answered, Named } from '../answers.ts'
import { questionToOperator } from '../question-name.ts'
import { ask } from './ask.ts'
import type { CheckContext } from './check-context.ts'

export function reuse<Name extends OperatorCheckName>(
  check: CheckContext<Name>,
): Promise<Answered<CheckAnswer<Name>> & Named<CheckAnswer<Name>>> {
  const { name, row, question, subject, routes, operator: { id: operator } = {}, call, needs } = check
  const key = row.keyOf?.(question)
  // A question with personal data is sent each time, and nothing of it is stored.
  if (key === undefined) return ask(check, '', call.signal)
  const { answers, reuse } = needs.telecom
  const shared = {
    tenantId: call.caller.tenantId,
    digits: subject.number.digits,
    names: routes.map((route) => questionToOperator(name, key, route.name)),
    operator,
    reuseSeconds: reuse.secondsOf(name, operator),
    call,
  }
  return answers.findAmong(shared, (signal) => ask(check, key, signal))
}
