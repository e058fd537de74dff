// Can the routes of the configuration work? Checked at start: every connector, operator and country exists.

import { ConfigurationError } from '../../core/config/config.ts'
import type { CostSettings } from '../../core/config/cost-settings.ts'
import type { OperatorEntry } from '../../core/config/operator-entry.ts'
import type { RoutedName, RouteEntry, Routing } from '../../core/config/routing-settings.ts'
import { isCountry } from '../../phone/numbering-plan.ts'
import type { Connector } from '../connectors/connector.ts'

export interface RoutingConfig {
  readonly costs?: CostSettings | undefined
  readonly operators: readonly OperatorEntry[]
  readonly routing?: Routing | undefined
  readonly portabilitySources?: Readonly<Record<string, unknown>>
}

/** @throws ConfigurationError that begins with the path of the setting */
export function checkRouting(
  { operators, routing = {}, costs, portabilitySources = {} }: RoutingConfig,
  connectors: ReadonlyMap<string, Connector>,
) {
  for (const entry of operators) checkOperator(entry, connectors)
  for (const [id, list] of Object.entries(routing.operators ?? {})) {
    const at = `routing.operators.${id}`
    const operator = operators.find((each) => each.id === id)
    if (!operator) {
      const main = operators.find(({ aliases }) => aliases?.includes(id))?.id
      const todo = main === undefined ? 'add it under operators' : `its entry under operators has the id ${main}`
      throw new ConfigurationError(`${at}: no operator has this id; ${todo}`)
    }
    if (operator.connector !== undefined) {
      throw new ConfigurationError(`${at}: the operator names the connector ${operator.connector} too; remove one`)
    }
    checkList(at, list, connectors)
    list.forEach(({ connector, checks }, index) => {
      const asksForwarding = checks?.includes('callForwarding') ?? true
      if (asksForwarding) checkForwarding(`${at}.${index}.connector: operator ${id}`, operator, connectors, connector)
    })
  }
  for (const [country, list] of Object.entries(routing.countries ?? {})) {
    const at = `routing.countries.${country}`
    if (!isCountry(country)) {
      throw new ConfigurationError(
        `${at}: no country has this code; write ISO 3166-1 alpha-2 in upper case, such as IN`,
      )
    }
    checkList(at, list, connectors)
  }
  checkList('routing.otherwise', routing.otherwise ?? [], connectors)
  const unknown = Object.keys(costs?.prices ?? {}).find(
    (name) => !connectors.has(name) && !Object.hasOwn(portabilitySources, name),
  )
  if (unknown !== undefined) {
    throw new ConfigurationError(
      `costs.prices.${unknown}: there is no connector and no portability source ${unknown}; ${defined(connectors)}`,
    )
  }
}

/** What an operator needs that names its one connector itself. */
function checkOperator(operator: OperatorEntry, connectors: ReadonlyMap<string, Connector>) {
  const { id, connector: name } = operator
  if (name === undefined) return
  if (!connectors.has(name)) {
    throw new ConfigurationError(`operator ${id} uses connector ${name}, which is not defined; ${defined(connectors)}`)
  }
  checkForwarding(`operator ${id}`, operator, connectors, name)
}

function checkForwarding(
  subject: string,
  { callForwarding }: OperatorEntry,
  connectors: ReadonlyMap<string, Connector>,
  name: string,
) {
  const connector = connectors.get(name)!
  if (!callForwarding?.conditional || connector.detectsConditionalForwarding) return
  throw new ConfigurationError(
    `${subject} counts conditional forwarding, which its connector ${name} cannot detect; for CAMARA, add call-forwardings to callForwarding.calls`,
  )
}

function checkList(at: string, list: readonly RouteEntry[], connectors: ReadonlyMap<string, Connector>) {
  const seen = new Set<string>()
  let isSandbox: boolean | undefined
  list.forEach(({ connector: name, checks }, index) => {
    const path = `${at}.${index}`
    const connector = connectors.get(name)
    if (!connector) {
      throw new ConfigurationError(`${path}.connector: there is no connector ${name}; ${defined(connectors)}`)
    }
    const offers = (check: RoutedName) =>
      check === 'numberVerification' ? connector.numberVerification : connector.checks[check]
    const missing = checks?.find((check) => !offers(check))
    if (missing) {
      throw new ConfigurationError(
        `${path}.checks: the connector ${name} does not offer ${missing}; remove it, or add it to connectors.${name}`,
      )
    }
    const offered = [...Object.keys(connector.checks), ...(connector.numberVerification ? ['numberVerification'] : [])]
    for (const check of checks ?? offered) {
      const key = `${name} ${check}`
      if (seen.has(key)) {
        throw new ConfigurationError(
          `${path}.connector: ${name} stands before with ${check} already; a connector is asked once for a check`,
        )
      }
      seen.add(key)
    }
    // A made-up answer must never replace one that a real operator could not give.
    isSandbox ??= connector.sandbox ?? false
    if (isSandbox !== (connector.sandbox ?? false)) {
      throw new ConfigurationError(
        `${path}.connector: a list has either connectors of a sandbox or real ones; give ${name} a list of its own`,
      )
    }
  })
}

const defined = (connectors: ReadonlyMap<string, Connector>) =>
  `defined: ${[...connectors.keys()].join(', ') || 'none'}`
