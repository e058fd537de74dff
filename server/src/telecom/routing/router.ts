// Which connectors are asked about a number, in which order? By operator, else by country, else the catch-all route.

import type { OperatorCheckName } from '@ringfence/contract'
import type { OperatorEntry } from '../../core/config/operator-entry.ts'
import type { RoutedName, RouteEntry, Routing } from '../../core/config/routing-settings.ts'
import type { Connector } from '../connectors/connector.ts'
import type { Operator, Subject } from '../operators.ts'
import { splitByWeight } from './split.ts'

/** One connector that may be asked. */
export interface Route {
  readonly name: string
  readonly connector: Connector
  readonly weight?: number
  /** Milliseconds after which the next one is asked too. */
  readonly hedgeAfter?: number | 'p95'
  /** Only these checks go to it; absent: all that it offers. */
  readonly checks?: readonly RoutedName[]
}

/** The way of the checks of one number. */
export interface Plan {
  /** The operator that answers, as far as it is known. */
  readonly operator?: Operator
  /** Why this operator: it serves the number, or the configuration assumes so. */
  readonly because?: 'serves' | 'assumed'
  /** Which part of the configuration named the routes. */
  readonly by: 'operator' | 'country' | 'otherwise'
  /** In the order in which they are asked; empty: no check is supported. */
  readonly routes: readonly Route[]
}

export interface Router {
  /** Undefined: no connector serves the number, so a check fails with operatorUnknown. */
  planOf(subject: Pick<Subject, 'number' | 'operator' | 'homeOperator' | 'ported'>): Plan | undefined
}

export interface RouterResources {
  readonly connectors: ReadonlyMap<string, Connector>
  readonly operators: readonly OperatorEntry[]
  /** Checked: every connector is one of `connectors`. */
  readonly routing?: Routing | undefined
}

export function router({ connectors, operators, routing = {} }: RouterResources): Router {
  const routesOf = (entries: readonly RouteEntry[]) =>
    entries.map(({ connector: name, ...rest }): Route => ({ name, connector: connectors.get(name)!, ...rest }))
  const tableOf = (part: Readonly<Record<string, readonly RouteEntry[]>> = {}) =>
    new Map(Object.entries(part).map(([key, entries]) => [key, routesOf(entries)]))

  const byOperator = tableOf(routing.operators)
  for (const { id, connector } of operators) {
    if (connector !== undefined && !byOperator.has(id)) byOperator.set(id, routesOf([{ connector }]))
  }
  const byCountry = tableOf(routing.countries)
  const otherwise = routing.otherwise && routesOf(routing.otherwise)

  return {
    planOf(subject) {
      const { number } = subject
      const asked = askedOperator(subject)
      const planned = (by: Plan['by'], routes: readonly Route[]): Plan => ({
        ...asked,
        by,
        routes: splitByWeight(routes, number.digits),
      })
      const own = asked?.operator.entry && byOperator.get(asked.operator.entry.id)
      if (own) return planned('operator', own)
      const ofCountry = number.country === undefined ? undefined : byCountry.get(number.country)
      if (ofCountry) return planned('country', ofCountry)
      if (otherwise) return planned('otherwise', otherwise)
      return asked && planned('operator', [])
    },
  }
}

/**
 * The operator that serves the number, or its home operator if that one's configuration says `assumeHomeOperator` and no source says
 * that the number was ported: prefix data never route a check otherwise.
 */
function askedOperator({ operator, homeOperator, ported }: Pick<Subject, 'operator' | 'homeOperator' | 'ported'>) {
  if (operator) return { operator, because: 'serves' as const }
  if (homeOperator?.entry?.assumeHomeOperator && !ported) {
    return { operator: homeOperator, because: 'assumed' as const }
  }
  return undefined
}

/** The routes of a plan that answer a check. */
export const routesFor = ({ routes }: Plan, check: OperatorCheckName): readonly Route[] =>
  routes.filter(({ connector, checks }) => connector.checks[check] && (checks?.includes(check) ?? true))

/** The routes that verify phones, first those whose circuits let calls through. A phone is sent to one operator only. */
export function verifyingRoutes({ routes }: Pick<Plan, 'routes'>): readonly Route[] {
  const verifying = routes.filter(
    ({ connector, checks }) => connector.numberVerification && (checks?.includes('numberVerification') ?? true),
  )
  const isClosed = ({ connector }: Route) =>
    connector.numberVerification!.upstreams().every(({ circuit }) => circuit === 'closed')
  return [...verifying.filter(isClosed), ...verifying.filter((route) => !isClosed(route))]
}
