// What raises the scores, and what fired in a session? Every weight of the signals, by its name.

import { signals, type Verdicts, type WeightName } from '../signals/index.ts'
import type { Signal, Weight, WeightNameOf } from '../signals/signal.ts'

/** A weight, and the signal whose verdict it is about. */
export interface SignalWeight extends Weight {
  readonly signal: string
}

/** The weights of a list of signals, by name, in the order of the list. */
export function weightsOf<Each extends Signal>(list: readonly Each[]) {
  const weights = list.flatMap(({ name: signal, weights = {} }) =>
    Object.entries<Weight>(weights).map(([name, weight]) => [name, { ...weight, signal }] as const),
  )
  return Object.fromEntries(weights) as Readonly<Record<WeightNameOf<Each>, SignalWeight>>
}

/** The names of the weights that fire for these verdicts. */
export function firedOf<Name extends string>(weights: Readonly<Record<Name, SignalWeight>>) {
  const entries = Object.entries(weights) as [Name, SignalWeight][]
  return (verdicts: Readonly<Record<string, unknown>>): Name[] => {
    const fired = entries.filter(([, { signal, fires }]) => verdicts[signal] !== undefined && fires(verdicts[signal]))
    const replaced = fired.map(([, { replaces }]) => replaces)
    return fired.flatMap(([name]) => (replaced.includes(name) ? [] : [name]))
  }
}

export const weights = weightsOf(signals)

/** Names of what fired in a session. */
export const firedWeights: (verdicts: Verdicts) => WeightName[] = firedOf(weights)
