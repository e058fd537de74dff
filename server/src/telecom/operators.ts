// Which operator serves a number? Operator, home operator and porting, from portability sources and then prefix data.

import type { Cost, PhoneDetail } from '@ringfence/contract'
import type { Logger } from 'pino'
import type { Clock } from '../core/clock.ts'
import type { SourceOrder } from '../core/config/source-order-settings.ts'
import type { PhoneMetadata } from '../phone/phone-metadata.ts'
import type { PhoneNumber } from '../phone/phone-number.ts'
import { logged, UpstreamRefusal } from '../upstream/upstream-error.ts'
import type { Answered, Answers } from './answers.ts'
import type { CheckCall } from './check-call.ts'
import { loggedUnlessCapped } from './costs/costs.ts'
import type { Meter } from './costs/meter.ts'
import type { OperatorRegistry } from './operator-registry.ts'
import { operatorToken } from './operator-token.ts'
import type { OperatorId, PortabilityAnswer, PortabilitySource } from './portability-sources/source.ts'
import { questionToSource } from './question-name.ts'
import { type OrderedSources, orderSources } from './source-order.ts'
import { addsTo, conclude, isSettled, merge, type Operator, type Stated, type Whereabouts } from './whereabouts.ts'

export type { Operator }

declare const admitted: unique symbol
/** A number that a call may ask about. Only `admitNumber` makes one, so that no check forgets the purpose and the consent. */
export type AdmittedNumber = PhoneNumber & { readonly [admitted]: true }

/** What is known about a number before a check. */
export interface Subject {
  number: PhoneNumber
  operator?: Operator
  homeOperator?: Operator
  /** Set only when a source positively says ported or not ported. */
  ported?: boolean
  /** The source that said so. */
  portedBy?: string
  /** All known fields of 2.1. */
  phoneDetail: PhoneDetail
  /** Age of a reused answer of a portability source, in seconds. */
  ageSeconds?: number
  /** How long remote sources took; absent: none was called. */
  tookMs?: number
  /** Of the look-ups that found this out; absent: a price is not configured. */
  cost?: Cost
  /** Why a portability source failed. What is not known may be known to it. */
  sourceFailure?: unknown
}

/** Stored answers of remote sources, by their names. */
type SourceAnswers = ReadonlyMap<string, Answered<PortabilityAnswer>>

export interface Operators {
  /** Never refuses: leaves out what is unknown, and logs and skips a source that fails. */
  identify(number: AdmittedNumber, call: CheckCall): Promise<Subject>
  /** The same from local data and stored answers of remote sources, by their names. Calls no remote source. */
  recall(number: PhoneNumber, answered: SourceAnswers): Promise<Subject>
  /** Whether the operator of this id serves a number of which that is known; undefined unless the configuration has both. */
  isServedBy(id: OperatorId, phone: PhoneDetail): boolean | undefined
  /** The sources for this number: in order of precedence, and those that the order of its country leaves out. */
  sourcesFor(number: PhoneNumber): Promise<OrderedSources>
  /** All sources, in the default order. */
  sources(): Promise<readonly PortabilitySource[]>
  /** What `recall` makes of each source, by their names. */
  uses(number: PhoneNumber, answered: SourceAnswers): Promise<ReadonlyMap<string, SourceUse>>
}

/**
 * - `used`: something that it states counts
 * - `nothingNew`: what it states was stated by sources before it
 * - `notNeeded`: sources before it state everything, so it is not asked
 * - `notMixed`: made-up data do not add to real data
 */
export type SourceUse = 'used' | 'nothingNew' | 'notNeeded' | 'notMixed'

export interface OperatorsResources {
  registry: OperatorRegistry
  /** Which sources are asked about numbers of which country. Default: all, in the order of `sources`. */
  order?: SourceOrder | undefined
  /** In order of precedence: an earlier source wins. */
  sources: () => readonly PortabilitySource[] | Promise<readonly PortabilitySource[]>
  metadata: PhoneMetadata
  answers: Answers
  portabilityReuseSeconds: number
  /** What remote sources cost. Absent: nothing. */
  meterOf?: (tenantId: string) => Meter
  clock: Clock
  log: Logger
}

export const operators = (resources: OperatorsResources): Operators => new OperatorsFromSources(resources)

/** What became of a source: its answer counts, or it failed. */
interface Heard {
  onUse?(source: PortabilitySource, use: SourceUse): void
  onFailure(source: PortabilitySource, error: unknown): void
}

class OperatorsFromSources implements Operators {
  readonly #resources

  constructor(resources: OperatorsResources) {
    this.#resources = resources
  }

  async identify(number: AdmittedNumber, call: CheckCall): Promise<Subject> {
    const { answers, meterOf, clock, log } = this.#resources
    const { requestId } = call
    const { asked: candidates } = await this.sourcesFor(number)
    const paid = meterOf?.(call.caller.tenantId)
    let sourceFailure: unknown
    let hasAsked = false
    const askedAt = clock.now()
    const startedAt = performance.now()
    const query = async (source: PortabilitySource) => {
      const answered = await this.#query(source, number, call, paid)
      if (source.sandbox) call.provenance.sandbox = true
      if (!source.local && answered.ageSeconds === undefined) hasAsked = true
      return answered
    }
    const stated = await this.#querySources(candidates, query, {
      onFailure({ name: source }, error) {
        sourceFailure ??= error
        log.warn({ source, requestId, ...loggedUnlessCapped(error) }, 'portability source failed')
      },
    })
    const took = hasAsked ? { tookMs: Math.round(performance.now() - startedAt) } : {}
    const cost = paid?.cost()
    const failed = sourceFailure !== undefined && { sourceFailure }
    const subject = { ...this.#subjectOf(number, stated), ...failed, ...took, ...(cost && { cost }) }
    const { id } = subject.operator ?? {}
    if (hasAsked && id !== undefined) {
      await answers.lines
        .servedBy({ tenantId: call.caller.tenantId, digits: number.digits, lines: call.storing?.lines }, id, askedAt)
        .catch((error) => log.warn({ err: error }, 'cannot store who serves a number'))
    }
    if (!subject.operator)
      log.info({ requestId, sources: candidates.map(({ name }) => name) }, 'no source knows the operator')
    return subject
  }

  async recall(number: PhoneNumber, answered: SourceAnswers): Promise<Subject> {
    return this.#subjectOf(number, await this.#recallFrom(number, answered))
  }

  isServedBy(id: OperatorId, { country, operator }: PhoneDetail): boolean | undefined {
    const { registry } = this.#resources
    const [asked, serving] = [
      registry.byId(id),
      operator === undefined ? undefined : registry.byName(country, operator),
    ]
    return asked && serving ? asked === serving : undefined
  }

  async uses(number: PhoneNumber, answered: SourceAnswers): Promise<ReadonlyMap<string, SourceUse>> {
    const uses = new Map<string, SourceUse>()
    await this.#recallFrom(number, answered, ({ name }, use) => uses.set(name, use))
    return uses
  }

  async sourcesFor(number: PhoneNumber): Promise<OrderedSources> {
    return orderSources(await this.sources(), number.country, this.#resources.order)
  }

  async sources(): Promise<readonly PortabilitySource[]> {
    return this.#resources.sources()
  }

  async #query(
    source: PortabilitySource,
    number: PhoneNumber,
    call: CheckCall,
    paid: Meter | undefined,
  ): Promise<Answered<PortabilityAnswer | null | undefined>> {
    if (source.local) return { answer: await source.lookUp(number, call) }
    const { answers, portabilityReuseSeconds } = this.#resources
    const { caller, correlator, trace, maxAgeSeconds, consent } = call
    const reuseSeconds = source.sandbox || source.keepsAnswers ? 0 : portabilityReuseSeconds
    const found = await answers.find<PortabilityAnswer | null>(
      { tenantId: caller.tenantId, digits: number.digits, name: questionToSource(source.name), reuseSeconds, call },
      async (signal) => {
        await call.beforeRequest?.()
        const lookUp = () => source.lookUp(number, { signal, correlator, trace, maxAgeSeconds, consent })
        try {
          return (await (paid ? paid.pay(source.name, signal, lookUp) : lookUp())) ?? null
        } catch (error) {
          // It does not cover the number: it knows nothing, and nothing has failed.
          if (error instanceof UpstreamRefusal) return null
          throw error
        }
      },
    )
    return source.keepsAnswers ? this.#withAge(found) : found
  }

  /** The answer of a source that stores its answers itself, and says by `asOf` when it was new. */
  #withAge(found: Answered<PortabilityAnswer | null>): Answered<PortabilityAnswer | null> {
    const ageSeconds = found.answer ? Math.floor((this.#resources.clock.now() - found.answer.asOf) / 1000) : 0
    return ageSeconds > 0 ? { ...found, ageSeconds } : found
  }

  /** Queries sources until everything is known. The first statement of each kind wins. */
  async #querySources(
    candidates: readonly PortabilitySource[],
    query: (source: PortabilitySource) => Promise<Answered<PortabilityAnswer | null | undefined>>,
    { onUse = () => undefined, onFailure }: Heard,
  ): Promise<Stated> {
    let stated: Stated = {}
    for (const source of candidates) {
      if (isSettled(stated)) {
        onUse(source, 'notNeeded')
        continue
      }
      // Made-up data must not mix with real data.
      if (source.sandbox && stated.asOf !== undefined) {
        onUse(source, 'notMixed')
        continue
      }
      try {
        const { answer, ageSeconds } = await query(source)
        if (!answer) continue
        onUse(source, addsTo(stated, answer) ? 'used' : 'nothingNew')
        stated = merge(stated, { answer, ageSeconds, by: source.name }, this.#byId)
      } catch (error) {
        onFailure(source, error)
      }
    }
    return stated
  }

  async #recallFrom(number: PhoneNumber, answered: SourceAnswers, onUse?: Heard['onUse']): Promise<Stated> {
    const inquiry = { signal: new AbortController().signal, correlator: '' }
    const { asked } = await this.sourcesFor(number)
    const recalled = async (source: PortabilitySource) =>
      source.local
        ? { answer: await source.lookUp(number, inquiry) }
        : (answered.get(source.name) ?? { answer: undefined })
    return this.#querySources(asked, recalled, {
      ...(onUse && { onUse }),
      onFailure: ({ name: source }, error) =>
        this.#resources.log.warn({ source, ...logged(error) }, 'portability source failed'),
    })
  }

  #subjectOf(number: PhoneNumber, stated: Stated): Subject {
    const { carrier, place, timeZones } = this.#resources.metadata.lookUp(number)
    const homeByPrefix = carrier === undefined ? undefined : this.#byCarrier(number.country, carrier)
    const conclusion = conclude(stated, this.#byId, homeByPrefix)
    return {
      number,
      ...conclusion,
      phoneDetail: phoneDetailOf(number, conclusion, place, timeZones),
      ...(conclusion.ported !== undefined && stated.portedBy !== undefined && { portedBy: stated.portedBy }),
      ...(stated.ageSeconds !== undefined && { ageSeconds: stated.ageSeconds }),
    }
  }

  readonly #byId = (id: OperatorId): Operator => {
    const entry = this.#resources.registry.byId(id)
    return entry ? { id: entry.id, name: entry.name, entry } : { id, name: operatorToken(id) }
  }

  /** Prefix data know a home operator by name only. The registry may know that name. */
  #byCarrier(country: string | undefined, carrier: string): Operator {
    const entry = this.#resources.registry.byName(country, carrier)
    return entry ? { id: entry.id, name: entry.name, entry } : { name: operatorToken(carrier) }
  }
}

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
