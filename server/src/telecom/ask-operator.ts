// What does the operator of a number answer to a check? route → connector → answer, and which refusal a failure becomes.

import type { FailureName } from '@ringfence/contract'
import {
  type AnyCheck,
  type CheckAnswer,
  type CheckParams,
  type CheckQuestion,
  type Cost,
  checks,
  type OperatorCheckName,
  WindowTooLong,
} from '@ringfence/contract'
import { Refusal, type RefusalDetails } from '../errors.ts'
import { logged, UpstreamPaused, UpstreamRefusal } from '../upstream/upstream-error.ts'
import type { Answered, Named } from './answers.ts'
import type { CheckCall } from './check-call.ts'
import {
  type AnswerCheck,
  CheckUnsupported,
  ParametersUnsupported,
  type SupportedWindow,
  WindowUnsupported,
} from './connectors/connector.ts'
import { CostCapReached, loggedUnlessCapped } from './costs/costs.ts'
import { meter } from './costs/meter.ts'
import { observationOf } from './freshness/line.ts'
import type { Operator } from './operators.ts'
import { questionToOperator, readQuestionName } from './question-name.ts'
import type { TelecomNeeds } from './room.ts'
import { firstAnswer } from './routing/first-answer.ts'
import { type Route, routesFor } from './routing/router.ts'
import { operatorUnknown, type Subject } from './subject.ts'

interface CheckRefusals {
  readonly unsupported: FailureName
  readonly window: FailureName
  readonly failed: FailureName
}

const shared: CheckRefusals = {
  unsupported: 'checkUnsupported',
  window: 'checkWindowUnsupported',
  failed: 'checkFailed',
}

/** How a failure of a check is refused. Checks without a row of their own share three. */
const refusalsOf: Partial<Record<OperatorCheckName, CheckRefusals>> = {
  simSwap: { unsupported: 'simSwapUnsupported', window: 'simSwapWindowUnsupported', failed: 'simSwapFailed' },
  callForwarding: { ...shared, unsupported: 'callForwardingUnsupported', failed: 'callForwardingFailed' },
}

interface AnsweredByOperator<Name extends OperatorCheckName> {
  readonly answer: CheckAnswer<Name>
  readonly ageSeconds?: number
  /** The connector. */
  readonly source: string
  /** Absent: a price is not configured. */
  readonly cost?: Cost
}

/**
 * Asks the connectors that are configured for the number, in their order, within the deadline of the call. The `phoneDetail` of the
 * subject is returned with a failed check (specification 4.1.3, 4.2.3). Refuses with operatorUnknown, and with the check's own refusals.
 */
export async function askOperator<Name extends OperatorCheckName>(
  name: Name,
  params: CheckParams<Name>,
  subject: Subject,
  call: CheckCall,
  needs: TelecomNeeds,
): Promise<AnsweredByOperator<Name>> {
  const row: AnyCheck = checks[name]
  const { title } = row
  const refusals = refusalsOf[name] ?? shared
  const { phoneDetail, number } = subject
  const plan = needs.telecom.router.planOf(subject)
  if (!plan) throw operatorUnknown(subject)
  const routes = routesFor(plan, name)
  if (routes.length === 0) throw new Refusal(refusals.unsupported, { title })
  // A list never mixes a sandbox with real operators.
  if (routes[0]!.connector.sandbox) call.provenance.sandbox = true

  const question: CheckQuestion<Name> = fill(row, params, plan.operator, needs)
  const { requestId, caller } = call
  const { metrics, log, telecom } = needs
  const paid = meter({ costs: telecom.costs, metrics, log }, caller.tenantId, name)
  // Only a configured name is sure to be no phone number: a source may write anything as an operator.
  const label = plan.operator ? (plan.operator.entry?.name ?? 'other') : 'unknown'
  const count = (result: 'yes' | 'no' | 'unsupported' | 'failed' | 'capped', source: 'operator' | 'stored') =>
    metrics.count('checks', name, label, result, source)
  try {
    const { answer, ageSeconds, name: named } = await find()
    if (ageSeconds !== undefined) call.provenance.ageSeconds = ageSeconds
    count(row.isWarning(answer) ? 'yes' : 'no', ageSeconds === undefined ? 'operator' : 'stored')
    const cost = paid.cost()
    const source = readQuestionName(named)!.source
    return { answer, source, ...(ageSeconds !== undefined && { ageSeconds }), ...(cost && { cost }) }
  } catch (cause) {
    const cost = paid.cost()
    const isUnsupported = cause instanceof UpstreamRefusal
    const isCapped = cause instanceof CostCapReached
    count(isUnsupported ? 'unsupported' : isCapped ? 'capped' : 'failed', 'operator')
    if (isCapped) throw new Refusal('costCapReached', { phoneDetail, title, cost, cause })
    if (cause instanceof CheckUnsupported) throw new Refusal(refusals.unsupported, { title, cost, cause })
    if (cause instanceof WindowUnsupported)
      throw new Refusal(refusals.window, { ...windowDetails(cause.supported), cost, cause })
    if (cause instanceof ParametersUnsupported)
      throw new Refusal('checkParametersUnsupported', { title, hint: cause.hint, cost, cause })
    const connector = routes.map((route) => route.name).join(', ')
    log.warn({ connector, check: name, requestId, ...logged(cause) }, 'check failed')
    throw new Refusal(refusals.failed, { phoneDetail, title, cost, cause })
  }

  function find(): Promise<Answered<CheckAnswer<Name>> & Named<CheckAnswer<Name>>> {
    const key = row.keyOf?.(question)
    const nameOf = (route: Route) => questionToOperator(name, key ?? '', route.name)
    const query = async (signal: AbortSignal) => {
      const { answer, route } = await firstAnswer({ routes, signal, ask, onPassed, hedgeAfterMs })
      return { answer, name: nameOf(route), answeredAt: row.reportsChange && (await learnFrom(answer)) }
    }
    // A question with personal data is sent each time, and nothing of it is stored.
    if (key === undefined) return query(call.signal)
    const reuseSeconds = telecom.reuse.secondsOf(name, plan?.operator?.id)
    const { tenantId } = caller
    const operator = plan?.operator?.id
    const names = routes.map(nameOf)
    return telecom.answers.findAmong({ tenantId, digits: number.digits, names, operator, reuseSeconds, call }, query)
  }

  async function ask({ name: upstream, connector }: Route, signal: AbortSignal): Promise<CheckAnswer<Name>> {
    const answer = connector.checks[name] as AnswerCheck<Name>
    await call.beforeRequest?.()
    return paid.pay(upstream, signal, async () => {
      let startedAt = 0
      const { correlator, trace, consent } = call
      const send = () => {
        startedAt = performance.now()
        return answer(number, question, { signal, correlator, trace, consent })
      }
      const answered = await send().catch(async (error) => {
        // Another connector answers sooner than the pause of this one ends.
        const mayWait = routes.length === 1 && error instanceof UpstreamPaused
        if (!mayWait || !(await error.waitOut(signal))) throw error
        return send()
      })
      telecom.latencies.add(upstream, name, performance.now() - startedAt)
      return answered
    })
  }

  function hedgeAfterMs({ name: upstream, hedgeAfter }: Route): number | undefined {
    return hedgeAfter === 'p95' ? telecom.latencies.p95(upstream, name) : hedgeAfter
  }

  function onPassed({ name: connector }: Route, error: unknown) {
    log.info(
      { connector, check: name, requestId, ...loggedUnlessCapped(error) },
      'check passed on to the next connector',
    )
  }

  /** Before the answer is stored: those of before the change are older. Returns when that was, if it is new. */
  async function learnFrom(answer: CheckAnswer<Name>): Promise<number | undefined> {
    const observation = observationOf(name, row.isWarning(answer), answer, needs.clock.now())
    try {
      return await telecom.answers.lines.observe(caller.tenantId, number.digits, observation, plan?.operator?.id)
    } catch (error) {
      log.warn({ err: error }, 'cannot store that a line changed')
      return undefined
    }
  }

  function fill({ fill }: AnyCheck, params: unknown, operator: Operator | undefined, { settings }: TelecomNeeds) {
    if (!fill) return params as CheckQuestion<Name>
    try {
      const configured = operator?.entry?.[name as 'simSwap'] ?? {}
      return fill(params, configured, { maxAgeHours: settings.simSwapMaxAgeHours })
    } catch (error) {
      if (!(error instanceof WindowTooLong)) throw error
      throw new Refusal(refusals.window, windowDetails(error))
    }
  }
}

/** What to ask in place of this window. */
function windowDetails(supported: SupportedWindow): Pick<RefusalDetails, 'window' | 'limitHours'> {
  if ('onlyHours' in supported) {
    const { onlyHours } = supported
    if (onlyHours === undefined) return { window: 'answers for one window only, and does not say how long it is' }
    return { window: `answers for a window of ${onlyHours} hours only: send maxAge ${onlyHours}` }
  }
  const { limitHours } = supported
  if (limitHours === undefined) return { window: 'looks back less far: ask about a shorter time' }
  return { limitHours, window: `looks back at most ${limitHours} hours` }
}
