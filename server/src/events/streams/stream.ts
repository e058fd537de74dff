// What is a stream for a SIEM? A sink of the configuration, which receives the events of all tenants in their order.

import type { EventType } from '@ringfence/contract'
import Type, { type Static, type TSchema } from 'typebox'
import type { Kind } from '../../core/config/open-kind.ts'
import type { ReadSecret } from '../../core/config/secret-reference.ts'
import { subscriptions } from '../receivers.ts'

/** One event as JSON with the field names of the Elastic Common Schema. */
export interface StreamRecord {
  readonly type: EventType
  /** Epoch milliseconds. */
  readonly occurredAt: number
  /** RFC 5424, 6.2.1: 4 warning, 5 notice, 6 informational. */
  readonly severity: 4 | 5 | 6
  /** Without line breaks, in ASCII. */
  readonly json: string
}

export interface Sink {
  /** Resolves when the records are safely there. A rejected call may have written any of them. `signal` ends it. */
  write(records: readonly StreamRecord[], signal: AbortSignal): Promise<void>
  /** Rejects when nothing could be written now. Writes nothing. */
  check(signal: AbortSignal): Promise<void>
}

export type SinkKind = Kind<Sink, { readonly readSecret: ReadSecret }>

/** Keys that every kind has. */
export const streamProperties = {
  types: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      minItems: 1,
      maxItems: subscriptions.length,
      description: 'types and groups of events, such as `sign_in.*`; default: all that are always recorded',
    }),
  ),
  personalData: Type.Optional(
    Type.Enum(['masked', 'clear'], {
      default: 'masked',
      description:
        'masked: of phone numbers the last four digits, of email addresses the first letter and the domain. clear: as webhooks receive them',
    }),
  ),
}
const StreamProperties = Type.Object(streamProperties)
export type StreamSettings = Static<typeof StreamProperties> & { readonly type: string }

export function sinkKind<Config extends TSchema>(kind: {
  type: string
  Config: Config
  create(name: string, config: Static<Config>, resources: { readonly readSecret: ReadSecret }): Sink
}): SinkKind {
  return kind as unknown as SinkKind
}
