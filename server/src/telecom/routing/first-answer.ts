// What is the answer when several connectors may be asked? The first definite one; a failure or a refusal passes on to the next.

import { CheckUnsupported, ParametersUnsupported, WindowUnsupported } from '../connectors/connector.ts'
import { CostCapReached } from '../costs/costs.ts'
import type { Route } from './router.ts'

export interface RoutedAnswer<Answer> {
  readonly answer: Answer
  readonly route: Route
}

export interface RouteTrial<Answer> {
  /** In the order in which they are asked; at least one. */
  readonly routes: readonly Route[]
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
  ask(route: Route, signal: AbortSignal): Promise<Answer>
  /** A route that failed, while another one is asked. */
  onPassed(route: Route, error: unknown): void
  /** After how many milliseconds without an answer the next route is asked too; undefined: it is not. */
  hedgeAfterMs?(route: Route): number | undefined
}

/**
 * Asks one route after the other. Where a route is slow and its configuration says so, the next one is asked beside it, once; the one
 * that answers later is aborted. When none answers, throws the most telling error: a failure (the first), else `CostCapReached`, else
 * `WindowUnsupported`, else `ParametersUnsupported`, else `CheckUnsupported`.
 */
export async function firstAnswer<Answer>(trial: RouteTrial<Answer>): Promise<RoutedAnswer<Answer>> {
  const { routes, signal } = trial
  const route = routes[0]!
  return routes.length === 1 ? { answer: await trial.ask(route, signal), route } : firstOfSeveral(trial)
}

function firstOfSeveral<Answer>(trial: RouteTrial<Answer>): Promise<RoutedAnswer<Answer>> {
  const { routes, signal, ask, onPassed, hedgeAfterMs = () => undefined } = trial
  const { promise, resolve, reject } = Promise.withResolvers<RoutedAnswer<Answer>>()
  const errors: unknown[] = []
  const over = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let next = 0
  let running = 0
  let isHedged = false

  async function start(): Promise<void> {
    const route = routes[next++]!
    const hasNext = () => next < routes.length && !signal.aborted && !over.signal.aborted
    const afterMs = isHedged || !hasNext() ? undefined : hedgeAfterMs(route)
    if (afterMs !== undefined) {
      timer = setTimeout(() => {
        if (!hasNext() || running !== 1) return
        isHedged = true
        void start()
      }, afterMs)
    }
    running++
    try {
      const answer = await ask(route, AbortSignal.any([signal, over.signal]))
      if (running > 1) over.abort(new DOMException('another upstream answered first', 'AbortError'))
      resolve({ answer, route })
    } catch (error) {
      running--
      errors.push(error)
      if (over.signal.aborted) return
      if (hasNext() || running > 0) onPassed(route, error)
      if (running > 0) return
      clearTimeout(timer)
      if (hasNext()) return start()
      reject(mostTelling(errors))
    }
  }

  void start()
  return promise.finally(() => clearTimeout(timer))
}

function mostTelling(errors: readonly unknown[]): unknown {
  const kinds = [CostCapReached, WindowUnsupported, ParametersUnsupported, CheckUnsupported]
  const isOf = (error: unknown) => kinds.findIndex((kind) => error instanceof kind)
  return errors.toSorted((a, b) => isOf(a) - isOf(b))[0]
}
