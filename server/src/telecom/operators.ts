// Who serves this number? number → operator, home operator, ported or not; asked of portability sources, then of prefix data.

import type { PhoneDetail } from '@ringfence/contract'
import type { Logger } from 'pino'
import type { CheckCall } from '../call.ts'
import { isMobileNumberPortable } from '../phone/mobile-portability.ts'
import type { PhoneMetadata } from '../phone/phone-metadata.ts'
import type { PhoneNumber } from '../phone/phone-number.ts'
import type { Answered, Answers } from './answers.ts'
import type { Connector } from './connectors/connector.ts'
import type { OperatorEntry, OperatorRegistry } from './operator-registry.ts'
import { operatorToken } from './operator-token.ts'
import type { OperatorId, PortabilityAnswer, PortabilitySource } from './portability-sources/source.ts'

/** An operator of a number: with an id where a source or the registry knows it, else with a name alone. */
export interface Operator {
  id?: OperatorId
  /** Upper-case token. */
  name: string
  /** Its entry of the configuration file: settings, and who is asked. */
  entry?: OperatorEntry
}

/** What is known of a number before any check is asked. */
export interface Subject {
  number: PhoneNumber
  operator?: Operator
  homeOperator?: Operator
  /** Stated only when a source positively says ported or not ported. */
  ported?: boolean
  /** Everything of 2.1 that is known. */
  phoneDetail: PhoneDetail
  /** Seconds since the portability source was asked, where its answer was reused. */
  ageSeconds?: number
}

export interface Operators {
  /** Never refuses: what cannot be told is left out, and a source that fails is logged and passed over. */
  identify(number: PhoneNumber, call: CheckCall): Promise<Subject>
  /** The same without asking anybody: from local data, and what remote sources answered before, by their names. */
  recall(number: PhoneNumber, answered: ReadonlyMap<string, Answered<PortabilityAnswer>>): Promise<Subject>
  /** Who is asked about numbers of this operator. */
  connectorOf(operator: Operator): Connector | undefined
}

export interface OperatorsResources {
  registry: OperatorRegistry
  connectors: ReadonlyMap<string, Connector>
  /** In the order in which they are asked; what an earlier one states holds. */
  sources: () => readonly PortabilitySource[] | Promise<readonly PortabilitySource[]>
  metadata: PhoneMetadata
  answers: Answers
  portabilityReuseSeconds: number
  log: Logger
}

export function operators(resources: OperatorsResources): Operators {
  const { registry, connectors, sources, metadata, answers, portabilityReuseSeconds, log } = resources

  const byId = (id: OperatorId): Operator => {
    const entry = registry.byId(id)
    return entry ? { id: entry.id, name: entry.name, entry } : { id, name: operatorToken(id) }
  }

  /** Prefix data knows a home operator by name only; the registry may know the name. */
  const byCarrier = (country: string | undefined, carrier: string): Operator => {
    const entry = registry.byName(country, carrier)
    return entry ? { id: entry.id, name: entry.name, entry } : { name: operatorToken(carrier) }
  }

  async function ask(
    source: PortabilitySource,
    number: PhoneNumber,
    call: CheckCall,
  ): Promise<Answered<PortabilityAnswer | null | undefined>> {
    if (source.local) return { answer: await source.lookUp(number, call) }
    const { caller, correlator } = call
    const reuseSeconds = source.sandbox ? 0 : portabilityReuseSeconds
    return answers.find<PortabilityAnswer | null>(
      { tenantId: caller.tenantId, digits: number.digits, name: `portability:${source.name}`, reuseSeconds, call },
      async (signal) => (await source.lookUp(number, { signal, correlator })) ?? null,
    )
  }

  /** What the sources state, the first statement of each kind; asked until nothing is open. */
  async function askSources(
    asked: readonly PortabilitySource[],
    ask: (source: PortabilitySource) => Promise<Answered<PortabilityAnswer | null | undefined>>,
    onFailure: (source: PortabilitySource, error: unknown) => void,
  ) {
    let stated: Partial<PortabilityAnswer> & { ageSeconds?: number | undefined } = {}
    for (const source of asked) {
      if (isSettled(stated)) break
      // Made-up data are not mixed with real ones.
      if (source.sandbox && stated.asOf !== undefined) continue
      try {
        const { answer, ageSeconds } = await ask(source)
        if (!answer) continue
        stated = { ...answer, ...stated, ageSeconds: older(stated.ageSeconds, ageSeconds) }
      } catch (error) {
        onFailure(source, error)
      }
    }
    return stated
  }

  function subjectOf(number: PhoneNumber, stated: Awaited<ReturnType<typeof askSources>>): Subject {
    const { carrier, place, timeZones } = metadata.lookUp(number)
    const whereabouts = {
      ...(stated.operator !== undefined && { operator: byId(stated.operator) }),
      ...(stated.homeOperator !== undefined
        ? { homeOperator: byId(stated.homeOperator) }
        : carrier && { homeOperator: byCarrier(number.country, carrier) }),
      ...(stated.ported !== undefined && { ported: stated.ported }),
    }
    const told = conclude(number, whereabouts)
    return {
      number,
      ...told,
      phoneDetail: phoneDetailOf(number, told, place, timeZones),
      ...(stated.ageSeconds !== undefined && { ageSeconds: stated.ageSeconds }),
    }
  }

  return {
    async identify(number, call) {
      const { requestId } = call
      const asked = await sources()
      const stated = await askSources(
        asked,
        async (source) => {
          const answered = await ask(source, number, call)
          if (source.sandbox) call.provenance.sandbox = true
          return answered
        },
        ({ name: source }, error) => log.warn({ err: error, source, requestId }, 'portability source failed'),
      )
      const subject = subjectOf(number, stated)
      if (!subject.operator)
        log.info({ requestId, asked: asked.map(({ name }) => name) }, 'no source tells the operator')
      return subject
    },
    async recall(number, answered) {
      const inquiry = { signal: new AbortController().signal, correlator: '' }
      const stated = await askSources(
        await sources(),
        async (source) =>
          source.local
            ? { answer: await source.lookUp(number, inquiry) }
            : (answered.get(source.name) ?? { answer: undefined }),
        ({ name: source }, error) => log.warn({ err: error, source }, 'portability source failed'),
      )
      return subjectOf(number, stated)
    },
    connectorOf: ({ entry }) => (entry?.connector === undefined ? undefined : connectors.get(entry.connector)),
  }
}

/** Nothing more need be asked: a number that is not ported is with its home operator. */
function isSettled({ operator, homeOperator, ported }: Partial<PortabilityAnswer>): boolean {
  if (ported === false) return operator !== undefined || homeOperator !== undefined
  return ported !== undefined && operator !== undefined && homeOperator !== undefined
}

type Whereabouts = Pick<Subject, 'operator' | 'homeOperator' | 'ported'>

/** What follows from what was stated. */
function conclude(number: PhoneNumber, { operator, homeOperator, ported }: Whereabouts): Whereabouts {
  // A mobile number cannot leave its operator in a territory without mobile number portability.
  if (ported === undefined && !operator && number.type === 'MOBILE' && number.country) {
    if (!isMobileNumberPortable(number.country)) ported = false
  }
  // A number that was ported back home is not ported.
  if (operator && homeOperator && sameOperator(operator, homeOperator)) {
    if (ported) ported = false
  }
  if (ported === false) {
    operator ??= homeOperator
    homeOperator ??= operator
  }
  return {
    ...(operator && { operator }),
    ...(homeOperator && { homeOperator }),
    ...(ported !== undefined && { ported }),
  }
}

/** Of what was reused the oldest counts; what was asked now has no age. */
const older = (a: number | undefined, b: number | undefined) =>
  a === undefined || b === undefined ? (a ?? b) : Math.max(a, b)

/** Operators are compared by id, never by name. */
const sameOperator = (a: Operator, b: Operator) => a.id !== undefined && a.id === b.id

function phoneDetailOf(
  { callingCode, country, type }: PhoneNumber,
  { operator, homeOperator, ported }: Whereabouts,
  place: string | undefined,
  timeZones: string[],
): PhoneDetail {
  const lineType = type === 'MOBILE' ? 'MOBILE' : type === 'FIXED_LINE' ? 'LANDLINE' : undefined
  return {
    ...(operator && { operator: operator.name }),
    countryCode: callingCode,
    ...(country && { country }),
    ...(lineType && { type: lineType }),
    ...(homeOperator && { homeOperator: homeOperator.name }),
    ...(ported !== undefined && { isPorted: ported }),
    ...(place && { location: place }),
    ...(timeZones.length > 0 && { timeZones }),
  }
}
