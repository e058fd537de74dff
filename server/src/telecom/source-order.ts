// Which portability sources are asked about a number, in which order? That of its country in the configuration, or the default one.

import { ConfigurationError } from '../core/config/config.ts'
import type { SourceOrder } from '../core/config/source-order-settings.ts'
import { isCountry } from '../phone/numbering-plan.ts'
import type { PortabilitySource } from './portability-sources/source.ts'

const IMPORTED = 'imported'
const ONE_IMPORTED = /^imported:[a-z0-9][a-z0-9-]{0,62}$/

/** Checked at start: every country and every configured source exists. Throws a ConfigurationError that begins with the path. */
export function checkSourceOrder({ countries = {}, otherwise = [] }: SourceOrder, names: ReadonlySet<string>): void {
  for (const [country, list] of Object.entries(countries)) {
    const at = `portability.countries.${country}`
    if (!isCountry(country)) {
      throw new ConfigurationError(
        `${at}: no country has this code; write ISO 3166-1 alpha-2 in upper case, such as GB`,
      )
    }
    checkList(at, list, names)
  }
  checkList('portability.otherwise', otherwise, names)
}

function checkList(at: string, list: readonly string[], names: ReadonlySet<string>): void {
  for (const [index, name] of list.entries()) {
    if (name === IMPORTED || ONE_IMPORTED.test(name) || names.has(name)) continue
    throw new ConfigurationError(
      `${at}.${index} is ${name}, which portabilitySources does not have; imported number data are ${IMPORTED} or ${IMPORTED}:NAME`,
    )
  }
}

export interface OrderedSources {
  readonly asked: readonly PortabilitySource[]
  readonly leftOut: readonly PortabilitySource[]
  /** Which list of the configuration decided; absent: none, so all are asked, imported data first. */
  readonly by?: 'country' | 'otherwise'
}

/** `sources`: all that there are, in the default order. */
export function orderSources(
  sources: readonly PortabilitySource[],
  country: string | undefined,
  { countries = {}, otherwise }: SourceOrder = {},
): OrderedSources {
  const own = country !== undefined && Object.hasOwn(countries, country) ? countries[country] : undefined
  const list = own ?? otherwise
  if (!list) return { asked: sources, leftOut: [] }
  const asked = new Set<PortabilitySource>()
  const named = new Set(list.filter((name) => ONE_IMPORTED.test(name)).map((name) => name.slice(IMPORTED.length + 1)))
  for (const name of list) {
    for (const source of sources) {
      // A source that the list names is not part of `imported`.
      const isMeant =
        name === IMPORTED
          ? isImported(source) && !named.has(source.name)
          : ONE_IMPORTED.test(name)
            ? isImported(source) && name === `${IMPORTED}:${source.name}`
            : !isImported(source) && name === source.name
      if (isMeant) asked.add(source)
    }
  }
  return {
    asked: [...asked],
    leftOut: sources.filter((source) => !asked.has(source)),
    by: own ? 'country' : 'otherwise',
  }
}

const isImported = ({ local = false }: PortabilitySource) => local
