// What does a round of overload show? The capacity and the excess are measured one after the other, so that noise hits both.

import { median } from '../../../quantiles.ts'
import type { LoadResult } from '../load.ts'

/** Goals of a full run. */
export const goals = { goodput: 0.85, acceptedRatio: 2, refusedMs: 50, refusalUs: 15 }
/** Fewer refusals give no figure for one of them. */
const leastRefusals = 500

export interface Measured extends LoadResult {
  /** CPU time of the service, all threads. */
  readonly serverSeconds: number
}

export interface Round {
  readonly capacity: Measured
  readonly excess: Measured
}

/** The medians of some rounds. */
export interface Measures {
  readonly capacity: number
  readonly offered: number
  readonly accepted: number
  readonly goodput: number
  readonly capacityP99Ms: number
  readonly acceptedP99Ms: number
  readonly acceptedRatio: number
  readonly refused: number
  readonly refusedP99Ms: number
  /** Undefined when hardly anything was refused. */
  readonly refusalUs: number | undefined
  readonly failed: number
}

export function measuresOf(rounds: readonly Round[]): Measures {
  const of = (value: (round: Round) => number) => median(rounds.map(value))
  const costs = rounds.map(refusalUsOf).filter((us) => us !== undefined)
  return {
    capacity: of(({ capacity }) => rate(capacity)),
    offered: of(({ capacity, excess }) => (excess.sent * 1000) / excess.runMs / rate(capacity)),
    accepted: of(({ excess }) => rate(excess)),
    goodput: of(({ capacity, excess }) => rate(excess) / rate(capacity)),
    capacityP99Ms: of(({ capacity }) => capacity.succeeded.p99Ms),
    acceptedP99Ms: of(({ excess }) => excess.succeeded.p99Ms),
    acceptedRatio: of(({ capacity, excess }) => excess.succeeded.p99Ms / capacity.succeeded.p99Ms),
    refused: of(({ excess }) => ((refusedOf(excess)?.count ?? 0) * 1000) / excess.elapsedMs),
    refusedP99Ms: of(({ excess }) => refusedOf(excess)?.p99Ms ?? 0),
    refusalUs: costs.length === 0 ? undefined : median(costs),
    failed: rounds.reduce((sum, { excess }) => sum + excess.failed.count, 0),
  }
}

/** One row of the table, in its order. */
export const rowOf = (what: string, measures: Measures): Record<string, string | number> => ({
  load: what,
  'capacity/s': Math.round(measures.capacity),
  'sent, × capacity': measures.offered.toFixed(1),
  'accepted/s': Math.round(measures.accepted),
  goodput: per100(measures.goodput),
  'p99 at capacity, ms': ms(measures.capacityP99Ms),
  'accepted p99, ms': ms(measures.acceptedP99Ms),
  ratio: measures.acceptedRatio.toFixed(1),
  'refused/s': Math.round(measures.refused),
  'refused p99, ms': measures.refused === 0 ? '' : ms(measures.refusedP99Ms),
  'CPU per refusal, µs': measures.refusalUs === undefined ? '' : Math.round(measures.refusalUs),
})

const refusedOf = ({ refused }: LoadResult) => refused[503]
export const rate = ({ succeeded, elapsedMs }: LoadResult) => Math.round((succeeded.count * 1000) / elapsedMs)
export const summary = (result: LoadResult) =>
  `${rate(result)}/s accepted, p99 ${ms(result.succeeded.p99Ms)} ms, ${refusedOf(result)?.count ?? 0} refused, p99 ${ms(refusedOf(result)?.p99Ms ?? 0)} ms`
export const per100 = (share: number) => `${Math.round(100 * share)} %`
const ms = (value: number) => value.toFixed(1)

/** What is left of the CPU time when each accepted answer costs as much as at capacity. */
function refusalUsOf({ capacity, excess }: Round): number | undefined {
  if (excess.answered.refused < leastRefusals) return undefined
  const perAnswer = capacity.serverSeconds / capacity.answered.succeeded
  return (1e6 * (excess.serverSeconds - perAnswer * excess.answered.succeeded)) / excess.answered.refused
}
