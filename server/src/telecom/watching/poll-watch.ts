// What does one poll of a watched number find? Makes the checks that are due, each within the budget, and says what is new.

import { randomUUID } from 'node:crypto'
import type { WatchableCheck } from '@ringfence/contract'
import { Refusal, unsupportedBy } from '../../core/errors.ts'
import { parsePhoneNumber } from '../../phone/phone-number.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import type { CheckCall } from '../check-call.ts'
import { CostCapReached } from '../costs/costs.ts'
import type { AdmittedNumber } from '../operators.ts'
import { answerCheck } from '../run-check.ts'
import type { CheckNeeds } from '../steps/check-context.ts'
import { admitNumber, type Subject } from '../subject.ts'
import { type Change, type Learned, learnOperator, learnRecycling, learnSwap } from './changes.ts'
import { type Intervals, intervalOf, latestDueAt, requestsFor } from './pace.ts'
import { type CheckState, checksOf, type WatchContent } from './watch-record.ts'

/** What became of a check. `deferred`: the tenant may not make it any more today. */
export type PollOutcome = 'answered' | 'unsupported' | 'failed' | 'overloaded' | 'deferred'

export interface PolledCheck {
  readonly check: WatchableCheck
  readonly outcome: PollOutcome
  /** Who answered: a connector. */
  readonly source?: string
  /** Who serves the number, when it is known. */
  readonly operator?: string
  /** What is known now; absent: as before. */
  readonly state?: Omit<CheckState, 'dueAt'>
  readonly change?: Change
}

export interface PollResources {
  readonly needs: CheckNeeds
  readonly tenantId: string
  readonly signal: AbortSignal
  readonly intervals: Intervals
  /** How many requests find the operator of a number; 0: files of this server say it. */
  readonly lookUps: number
  /** Counts requests of the tenant, all or none; false: the budget of the day does not suffice. */
  takeRequests(count: number): Promise<boolean>
  giveBackRequests(count: number): Promise<void>
  /** Whether the tenant cannot pay this check today: then the look-up before it would be paid in vain. */
  isCapped(check: WatchableCheck): Promise<boolean>
}

class BudgetSpent extends Error {}

/** Makes the checks of this number that are due at `now`, side by side. Never throws for a check that fails. */
export async function pollWatch(content: WatchContent, now: number, resources: PollResources): Promise<PolledCheck[]> {
  const { needs, tenantId, signal, intervals, lookUps, isCapped } = resources
  const { purposes, operators } = needs.telecom
  const due = checksOf(content).filter((check) => {
    const state = content.states[check]!
    return state.dueAt <= now || state.dueAt > latestDueAt(now, intervalOf(state, intervals[check], now))
  })
  if (!parsePhoneNumber(content.digits)) return due.map((check) => ({ check, outcome: 'unsupported' }))
  const capped = await Promise.all(due.map(isCapped))
  const payable = due.filter((_, index) => !capped[index])
  // Taken together: a look-up without a request left for the check is of no use.
  let reserved = requestsFor(payable, lookUps)
  const isBudgetLeft = reserved === 0 || (await resources.takeRequests(reserved))
  if (!isBudgetLeft) reserved = 0
  const made = new Set(isBudgetLeft ? payable : payable.filter((check) => requestsFor([check], lookUps) === 0))
  const call: CheckCall = {
    requestId: randomUUID(),
    correlator: randomUUID(),
    signal,
    provenance: { sandbox: false },
    caller: { tenantId },
    maxAgeSeconds: 0,
    // A watch may be older than the configuration that requires a purpose.
    consent: content.consent ?? purposes.automatic(tenantId),
    async beforeRequest() {
      if (reserved > 0) reserved--
      else if (!(await resources.takeRequests(1))) throw new BudgetSpent('the requests of the day are spent')
    },
  }
  let subject: Promise<Subject> | undefined
  const identified = (admitted: AdmittedNumber) => (subject ??= operators.identify(admitted, call))
  const results = await Promise.all(
    due.map((check) => (made.has(check) ? polled(check) : { check, outcome: 'deferred' as const })),
  )
  if (reserved > 0) await resources.giveBackRequests(reserved)
  return results

  async function polled(check: WatchableCheck): Promise<PolledCheck> {
    try {
      const { learned, ...about } = await learn(check, admitNumber(content.digits, call, needs))
      const { state, change } = learned ?? {}
      return { check, outcome: 'answered', ...about, ...(state && { state }), ...(change && { change }) }
    } catch (error) {
      return { check, outcome: outcomeOf(error) }
    }
  }

  async function learn(
    check: WatchableCheck,
    admitted: AdmittedNumber,
  ): Promise<{ learned: Learned | undefined; source?: string; operator?: string }> {
    const known = content.states[check]!
    if (check === 'portability') {
      const found = await identified(admitted)
      const { operator } = found
      const learned = learnOperator(known, found, now)
      if (!learned) throw found.sourceFailure ?? new Refusal('operatorUnknown')
      return { learned, ...(operator && { operator: operator.name }) }
    }
    let source: string | undefined
    const ask = async (params: object) => {
      const answered = await answerCheck(check, params as never, await identified(admitted), call, needs)
      source = answered.source
      return { ...answered.answer, ...(source !== undefined && { source }) } as never
    }
    const learned =
      check === 'numberRecycling'
        ? await learnRecycling(known, (since) => ask({ since }), now)
        : await learnSwap(known, (maxAge) => askWindow(ask, maxAge), now)
    const { operator } = (await subject) ?? {}
    return { learned, ...(source !== undefined && { source }), ...(operator && { operator: operator.name }) }
  }
}

/** A window that the operator may not look back becomes its usual one: the best that it can answer. */
async function askWindow<Answer>(
  ask: (params: object) => Promise<Answer>,
  maxAge: number | undefined,
): Promise<Answer> {
  if (maxAge === undefined) return ask({})
  try {
    return await ask({ maxAge })
  } catch (error) {
    if (error instanceof Refusal && unsupportedBy(error) === 'window') return ask({})
    throw error
  }
}

function outcomeOf(error: unknown): PollOutcome {
  const cause = error instanceof Refusal ? error.cause : error
  if (cause instanceof BudgetSpent || cause instanceof CostCapReached) return 'deferred'
  if (cause instanceof UpstreamError) return cause.reason === 'overloaded' ? 'overloaded' : 'failed'
  if (!(error instanceof Refusal)) return 'failed'
  return error.failure === 'operatorUnknown' || unsupportedBy(error) !== undefined ? 'unsupported' : 'failed'
}
