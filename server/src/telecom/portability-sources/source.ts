// What does a portability source know about a number? The extension point: one file per kind of source + one line in index.ts.

import type { Static, TSchema } from 'typebox'
import type { PhoneNumber } from '../../phone/phone-number.ts'
import type { UpstreamResources } from '../../upstream/upstream-resources.ts'
import type { Inquiry } from '../inquiry.ts'

/** Identifies an operator in the registry: "<MCC>-<MNC>" ("404-45"), or a national id as the source writes it ("ofcom:CH1"). */
export type OperatorId = string

/** Holds only what the source positively knows, and leaves out the rest. */
export interface PortabilityAnswer {
  /** The operator that serves the number now. */
  operator?: OperatorId
  /** The operator that the number was allocated to. */
  homeOperator?: OperatorId
  /**
   * true: the source lists the number as ported. false: it lists the number as not ported, or it is complete for the
   * number's range and does not list the number. A number that was ported back home is false.
   */
  ported?: boolean
  /** The date of the source's data, in epoch milliseconds. */
  asOf: number
}

export interface PortabilitySource {
  /** Its name in the configuration file. */
  readonly name: string
  /** True when it reads local data. Its answers are then not stored for reuse. */
  readonly local?: boolean
  /** True when it keeps its answers itself, for as long as they may be kept. They are then not stored for reuse either. */
  readonly keepsAnswers?: boolean
  /** True for made-up data: results are marked x-ringfence-sandbox. */
  readonly sandbox?: boolean
  /** True when no one is billed and no number leaves for a vendor, so that `routes explain` may ask it. */
  readonly free?: boolean
  /**
   * Returns undefined when the source does not know the number, and throws when the look-up failed. An `UpstreamRefusal` is no failure:
   * the source does not cover the number, and does not bill the request.
   */
  lookUp(number: PhoneNumber, inquiry: Inquiry): Promise<PortabilityAnswer | undefined>
  close?(): Promise<void>
}

/** The part of a connector that a source uses. */
interface LooksUp extends Pick<PortabilitySource, 'sandbox'> {
  readonly lookUpOperator?: PortabilitySource['lookUp']
}

/** What a source may use: also the connectors of the configuration file. */
export interface SourceResources extends UpstreamResources {
  readonly connectors?: ReadonlyMap<string, LooksUp>
}

/** One kind of remote source: the schema of its part of the configuration file, and how to create a source from it. */
export interface PortabilitySourceKind<Config extends TSchema = TSchema> {
  /** `type` in the configuration file. */
  readonly type: string
  readonly Config: Config
  create(name: string, config: Static<Config>, resources: SourceResources): PortabilitySource
}
