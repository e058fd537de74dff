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
import { Refusal, type RefusalDetails } from '../core/errors.ts'
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
import { type Meter, meter } from './costs/meter.ts'
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

const refusalsFor = (name: OperatorCheckName) => refusalsOf[name] ?? shared

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
  const plan = needs.telecom.router.planOf(subject)
  if (!plan) throw operatorUnknown(subject)
  const routes = routesFor(plan, name)
  if (routes.length === 0) throw new Refusal(refusalsFor(name).unsupported, { title: checks[name].title })
  // A list never mixes a sandbox with real operators.
  if (routes[0]!.connector.sandbox) call.provenance.sandbox = true
  const question = questionOf(name, params, plan.operator, needs)
  return new OperatorCheck({ name, question, subject, routes, operator: plan.operator }, call, needs).answered()
}

interface RoutedCheck<Name extends OperatorCheckName> {
  readonly name: Name
  readonly question: CheckQuestion<Name>
  readonly subject: Subject
  readonly routes: readonly Route[]
  /** The one that answers, as far as it is known. */
  readonly operator: Operator | undefined
}

/** A check that is routed: reuse, else pay, ask and learn; then record. */
class OperatorCheck<Name extends OperatorCheckName> {
  readonly #check: RoutedCheck<Name>
  readonly #row: AnyCheck
  readonly #call: CheckCall
  readonly #needs: TelecomNeeds
  readonly #paid: Meter

  constructor(check: RoutedCheck<Name>, call: CheckCall, needs: TelecomNeeds) {
    const { telecom, metrics, log } = needs
    this.#check = check
    this.#row = checks[check.name]
    this.#call = call
    this.#needs = needs
    this.#paid = meter({ costs: telecom.costs, metrics, log }, call.caller.tenantId, check.name)
  }

  async answered(): Promise<AnsweredByOperator<Name>> {
    try {
      const { answer, ageSeconds, name: named } = await this.#reuse()
      if (ageSeconds !== undefined) this.#call.provenance.ageSeconds = ageSeconds
      this.#record(this.#row.isWarning(answer) ? 'yes' : 'no', ageSeconds === undefined ? 'operator' : 'stored')
      const cost = this.#paid.cost()
      const source = readQuestionName(named)!.source
      return { answer, source, ...(ageSeconds !== undefined && { ageSeconds }), ...(cost && { cost }) }
    } catch (cause) {
      throw this.#refused(cause)
    }
  }

  #reuse(): Promise<Answered<CheckAnswer<Name>> & Named<CheckAnswer<Name>>> {
    const { name, question, subject, routes, operator: { id: operator } = {} } = this.#check
    const { signal, caller } = this.#call
    const key = this.#row.keyOf?.(question)
    // A question with personal data is sent each time, and nothing of it is stored.
    if (key === undefined) return this.#query('', signal)
    const { answers, reuse } = this.#needs.telecom
    const shared = {
      tenantId: caller.tenantId,
      digits: subject.number.digits,
      names: routes.map((route) => questionToOperator(name, key, route.name)),
      operator,
      reuseSeconds: reuse.secondsOf(name, operator),
      call: this.#call,
    }
    return answers.findAmong(shared, (signal) => this.#query(key, signal))
  }

  async #query(key: string, signal: AbortSignal): Promise<Named<CheckAnswer<Name>>> {
    const { name, routes } = this.#check
    const { answer, route } = await firstAnswer({
      routes,
      signal,
      ask: (route, signal) => this.#pay(route, signal),
      onPassed: (route, error) => this.#notePassed(route, error),
      hedgeAfterMs: ({ name: upstream, hedgeAfter }) =>
        hedgeAfter === 'p95' ? this.#needs.telecom.latencies.p95(upstream, name) : hedgeAfter,
    })
    const answeredAt = this.#row.reportsChange && (await this.#learn(answer))
    return { answer, name: questionToOperator(name, key, route.name), answeredAt }
  }

  async #pay(route: Route, signal: AbortSignal): Promise<CheckAnswer<Name>> {
    await this.#call.beforeRequest?.()
    return this.#paid.pay(route.name, signal, () => this.#ask(route, signal))
  }

  async #ask({ name: upstream, connector }: Route, signal: AbortSignal): Promise<CheckAnswer<Name>> {
    const { name, question, subject, routes } = this.#check
    const { correlator, trace, consent } = this.#call
    const answer = connector.checks[name] as AnswerCheck<Name>
    let startedAt = 0
    const send = () => {
      startedAt = performance.now()
      return answer(subject.number, question, { signal, correlator, trace, consent })
    }
    const answered = await send().catch(async (error) => {
      // Another connector answers sooner than the pause of this one ends.
      const mayWait = routes.length === 1 && error instanceof UpstreamPaused
      if (!mayWait || !(await error.waitOut(signal))) throw error
      return send()
    })
    this.#needs.telecom.latencies.add(upstream, name, performance.now() - startedAt)
    return answered
  }

  #notePassed({ name: connector }: Route, error: unknown): void {
    this.#needs.log.info(
      { connector, check: this.#check.name, requestId: this.#call.requestId, ...loggedUnlessCapped(error) },
      'check passed on to the next connector',
    )
  }

  /** Before the answer is stored: those of before the change are older. Returns when that was, if it is new. */
  async #learn(answer: CheckAnswer<Name>): Promise<number | undefined> {
    const { name, subject, operator } = this.#check
    const { telecom, clock, log } = this.#needs
    const observation = observationOf(name, this.#row.isWarning(answer), answer, clock.now())
    const { tenantId } = this.#call.caller
    try {
      return await telecom.answers.lines.observe(tenantId, subject.number.digits, observation, operator?.id)
    } catch (error) {
      log.warn({ err: error }, 'cannot store that a line changed')
      return undefined
    }
  }

  #record(result: 'yes' | 'no' | 'unsupported' | 'failed' | 'capped', source: 'operator' | 'stored'): void {
    const { name, operator } = this.#check
    // Only a configured name is sure to be no phone number: a source may write anything as an operator.
    const label = operator ? (operator.entry?.name ?? 'other') : 'unknown'
    this.#needs.metrics.count('checks', name, label, result, source)
  }

  #refused(cause: unknown): Refusal {
    const { name, subject, routes } = this.#check
    const { title } = this.#row
    const { phoneDetail } = subject
    const refusals = refusalsFor(name)
    const cost = this.#paid.cost()
    const isCapped = cause instanceof CostCapReached
    this.#record(cause instanceof UpstreamRefusal ? 'unsupported' : isCapped ? 'capped' : 'failed', 'operator')
    if (isCapped) return new Refusal('costCapReached', { phoneDetail, title, cost, cause })
    if (cause instanceof CheckUnsupported) return new Refusal(refusals.unsupported, { title, cost, cause })
    if (cause instanceof WindowUnsupported)
      return new Refusal(refusals.window, { ...windowDetails(cause.supported), cost, cause })
    if (cause instanceof ParametersUnsupported)
      return new Refusal('checkParametersUnsupported', { title, hint: cause.hint, cost, cause })
    const connector = routes.map((route) => route.name).join(', ')
    const { requestId } = this.#call
    this.#needs.log.warn({ connector, check: name, requestId, ...logged(cause) }, 'check failed')
    return new Refusal(refusals.failed, { phoneDetail, title, cost, cause })
  }
}

/** What the caller asks, with what the configuration says of the operator. */
function questionOf<Name extends OperatorCheckName>(
  name: Name,
  params: CheckParams<Name>,
  operator: Operator | undefined,
  { settings }: TelecomNeeds,
): CheckQuestion<Name> {
  const { fill }: AnyCheck = checks[name]
  if (!fill) return params as CheckQuestion<Name>
  try {
    const configured = operator?.entry?.[name as 'simSwap'] ?? {}
    return fill(params, configured, { maxAgeHours: settings.simSwapMaxAgeHours })
  } catch (error) {
    if (!(error instanceof WindowTooLong)) throw error
    throw new Refusal(refusalsFor(name).window, windowDetails(error))
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
