// What do the first process and its workers say to each other?

import type { MetricSnapshot, MetricsText } from '@ringfence/server/core/metrics/metrics.ts'

/** Sent by a worker. */
export type FromWorker =
  /** Its event loop runs. `counted`: sometimes, and at its end. */
  | { readonly is: 'alive'; readonly counted?: MetricSnapshot }
  /** It listens. */
  | { readonly is: 'ready'; readonly url: string }
  /** It asks for the metrics of all workers. */
  | { readonly is: 'asking'; readonly id: number }
  /** Its own metrics. */
  | { readonly is: 'measured'; readonly id: number; readonly metrics: MetricSnapshot }

/** Sent by the first process. */
export type ToWorker =
  /** `replaced`: another worker has taken its place. */
  | { readonly to: 'stop'; readonly isReplaced: boolean }
  | { readonly to: 'measure'; readonly id: number }
  /** The answer to `asking`. */
  | { readonly to: 'take'; readonly id: number; readonly text: MetricsText }

/** In the environment of a worker: its place, from 1 on. */
export const placeVariable = 'RINGFENCE_WORKER'

export const aliveEveryMs = 1_000
