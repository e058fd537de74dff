// What is the answer when several connectors may be asked? The first definite one; a failure or a refusal passes on to the next.

import { CheckUnsupported, WindowUnsupported } from '../connectors/connector.ts'
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
  /** A route that failed, while another one is asked next. */
  onPassed(route: Route, error: unknown): void
}

/**
 * Asks one route after the other. Throws the most telling error when none answers: a failure (the first), else `WindowUnsupported`, else
 * `CheckUnsupported`.
 */
export async function firstAnswer<Answer>(trial: RouteTrial<Answer>): Promise<RoutedAnswer<Answer>> {
  const { routes, signal, ask, onPassed } = trial
  const errors: unknown[] = []
  for (const [index, route] of routes.entries()) {
    try {
      return { answer: await ask(route, signal), route }
    } catch (error) {
      errors.push(error)
      if (signal.aborted) break
      if (index < routes.length - 1) onPassed(route, error)
    }
  }
  throw mostTelling(errors)
}

function mostTelling(errors: readonly unknown[]): unknown {
  const isRefusal = (error: unknown) => error instanceof CheckUnsupported || error instanceof WindowUnsupported
  return (
    errors.find((error) => !isRefusal(error)) ?? errors.find((error) => error instanceof WindowUnsupported) ?? errors[0]
  )
}
