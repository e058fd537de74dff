// What does a portability source know of a number? The seam: one file per kind of source + one line in index.ts.

import type { Static, TSchema } from 'typebox'
import type { PhoneNumber } from '../../phone/phone-number.ts'
import type { ConnectorResources, Inquiry } from '../connectors/connector.ts'

/** Identifies an operator in the registry: "<MCC>-<MNC>" ("404-45"), or a national id in the words of the source ("ofcom:CH1"). */
export type OperatorId = string

/** Only what the source positively knows; what it does not know is left out. */
export interface PortabilityAnswer {
  /** Who serves the number now. */
  operator?: OperatorId
  /** Whom the number was allocated to. */
  homeOperator?: OperatorId
  /**
   * true: the source lists the number as ported; false: it lists it as not ported, or declares itself complete for the
   * number's range and does not list it. A number ported back home is false.
   */
  ported?: boolean
  /** The date the source's data speaks for, epoch milliseconds. */
  asOf: number
}

export interface PortabilitySource {
  /** As named in the configuration. */
  readonly name: string
  /** True when it reads local data, so that its answers are not kept for reuse. */
  readonly local?: boolean
  /** True for made-up data: answers that rest on it are marked x-ringfence-sandbox. */
  readonly sandbox?: boolean
  /** undefined: this source knows nothing of the number. Throws when it could not be asked. */
  lookUp(number: PhoneNumber, inquiry: Inquiry): Promise<PortabilityAnswer | undefined>
  close?(): Promise<void>
}

/** One kind of remote source: the schema of its part of the configuration file, and how to make a source from it. */
export interface PortabilitySourceKind<Config extends TSchema = TSchema> {
  /** `type` in the configuration file. */
  readonly type: string
  readonly Config: Config
  create(name: string, config: Static<Config>, resources: ConnectorResources): PortabilitySource
}
