// What does the operator of a number answer to a check? operator → connector → answer, and which refusal a failure becomes.

import {
  type AnyCheck,
  type CheckAnswer,
  type CheckParams,
  type CheckQuestion,
  checks,
  type OperatorCheckName,
  WindowTooLong,
} from '@ringfence/contract'
import type { CheckCall } from '../call.ts'
import { type FailureName, Refusal } from '../errors.ts'
import type { Platform } from '../platform.ts'
import { logged } from '../upstream/upstream-error.ts'
import type { Answered } from './answers.ts'
import { type AnswerCheck, CheckUnsupported, WindowUnsupported } from './connectors/connector.ts'
import type { Operator } from './operators.ts'
import { questionToOperator } from './question-name.ts'
import { reuseSecondsOf } from './reuse.ts'
import { operatorToQuery, type Subject } from './subject.ts'

/** How a failure of a check is refused, by its name in the contract. Checks without a row of their own share three. */
const refusalsOf: Partial<Record<OperatorCheckName, CheckRefusals>> = {
  simSwap: {
    unsupported: 'simSwapUnsupported',
    window: 'simSwapWindowUnsupported',
    // The operator itself refused the window and does not report its limit.
    windowWithoutLimit: 'simSwapWindowUnsupportedUnknownLimit',
    failed: 'simSwapFailed',
  },
  callForwarding: { ...shared(), unsupported: 'callForwardingUnsupported', failed: 'callForwardingFailed' },
}

interface CheckRefusals {
  readonly unsupported: FailureName
  readonly window: FailureName
  readonly windowWithoutLimit: FailureName
  readonly failed: FailureName
}

function shared(): CheckRefusals {
  return {
    unsupported: 'checkUnsupported',
    window: 'checkWindowUnsupported',
    windowWithoutLimit: 'checkWindowUnsupported',
    failed: 'checkFailed',
  }
}

interface AnsweredByOperator<Name extends OperatorCheckName> {
  readonly answer: CheckAnswer<Name>
  readonly ageSeconds?: number
  /** The connector. */
  readonly source: string
}

/**
 * Asks the operator that serves the number, within the deadline of the call. The `phoneDetail` of the subject is returned with a failed
 * check (specification 4.1.3, 4.2.3). Refuses with operatorUnknown, and with the check's own refusals.
 */
export async function askOperator<Name extends OperatorCheckName>(
  name: Name,
  params: CheckParams<Name>,
  subject: Subject,
  call: CheckCall,
  platform: Platform,
): Promise<AnsweredByOperator<Name>> {
  const row: AnyCheck = checks[name]
  const { title } = row
  const refusals = refusalsOf[name] ?? shared()
  const { phoneDetail, number } = subject
  const operator = operatorToQuery(subject)
  const connector = platform.telecom.operators.connectorOf(operator)
  const ask = connector?.checks[name] as AnswerCheck<Name> | undefined
  if (!connector || !ask) throw new Refusal(refusals.unsupported, { title })
  if (connector.sandbox) call.provenance.sandbox = true

  const question: CheckQuestion<Name> = fill(row, params, operator, platform)
  const { tenantId } = call.caller
  const count = (result: 'yes' | 'no' | 'unsupported' | 'failed', source: 'operator' | 'stored') =>
    platform.metrics.count('checks', name, operator.name, result, source)
  try {
    const { answer, ageSeconds } = await find()
    if (ageSeconds !== undefined) call.provenance.ageSeconds = ageSeconds
    count(row.isWarning(answer) ? 'yes' : 'no', ageSeconds === undefined ? 'operator' : 'stored')
    return { answer, source: connector.name, ...(ageSeconds !== undefined && { ageSeconds }) }
  } catch (cause) {
    const isUnsupported = cause instanceof CheckUnsupported || cause instanceof WindowUnsupported
    count(isUnsupported ? 'unsupported' : 'failed', 'operator')
    if (cause instanceof CheckUnsupported) throw new Refusal(refusals.unsupported, { title, cause })
    if (cause instanceof WindowUnsupported) throw new Refusal(refusals.windowWithoutLimit, { title, cause })
    const { requestId } = call
    platform.log.warn({ connector: connector.name, check: name, requestId, ...logged(cause) }, 'check failed')
    throw new Refusal(refusals.failed, { phoneDetail, title, cause })
  }

  function find(): Promise<Answered<CheckAnswer<Name>>> {
    const query = (signal: AbortSignal) =>
      ask!(number, question, { signal, correlator: call.correlator, trace: call.trace })
    const key = row.keyOf?.(question)
    // A question with personal data is asked anew each time, and nothing of it is stored.
    if (key === undefined) return query(call.signal).then((answer) => ({ answer }))
    const named = questionToOperator(name, key, connector!.name)
    const reuseSeconds = reuseSecondsOf(name, platform.settings)
    return platform.telecom.answers.find({ tenantId, digits: number.digits, name: named, reuseSeconds, call }, query)
  }

  function fill({ fill }: AnyCheck, params: unknown, { entry }: Operator, { settings }: Platform) {
    if (!fill) return params as CheckQuestion<Name>
    try {
      return fill(params, entry?.[name as 'simSwap'] ?? {}, { maxAgeHours: settings.simSwapMaxAgeHours })
    } catch (error) {
      if (!(error instanceof WindowTooLong)) throw error
      throw new Refusal(refusals.window, { title, limitHours: error.limitHours })
    }
  }
}
