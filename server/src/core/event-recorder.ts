// How does a feature say what happened? With statements that it writes in the transaction of it.

import type { EventData, EventType } from '@ringfence/contract'
import type { BatchStatement } from './storage/database.ts'

/** The person, device, IP address and request of an event. Search finds it by each of them. */
export interface EventSubjects {
  readonly userId?: string | undefined
  /** Digits with country code. */
  readonly phoneNumber?: string | undefined
  readonly deviceId?: string | undefined
  readonly ipAddress?: string | undefined
  readonly email?: string | undefined
  /** Of the call in which it happened. */
  readonly requestId?: string | undefined
}

/** 8 bytes of keyed hashes (events/subject-hashes.ts); null where unknown. */
export interface EventSubjectHashes {
  readonly userHash: Uint8Array | null
  readonly numberHash: Uint8Array | null
  readonly deviceHash: Uint8Array | null
  readonly ipHash: Uint8Array | null
  readonly emailHash: Uint8Array | null
  readonly requestHash: Uint8Array | null
}

/** An absent member may be undefined as well: JSON leaves both out. */
type WithUnknown<Data> = Data extends unknown
  ? { [Name in keyof Data]: undefined extends Data[Name] ? Data[Name] | undefined : Data[Name] }
  : never

interface NewEventOf<Name extends EventType> {
  readonly type: Name
  /** What is undefined is not written. */
  readonly data: WithUnknown<EventData<Name>>
  /** Sealed with the data, for the fold of the event log alone: no receiver, search or export has it. */
  readonly aside?: object
  /** Events of a tenant with the same text reach a receiver in order: `token …`, `number …`, `rules`. Stored as a keyed hash. */
  readonly orderedBy: string
  readonly subjects?: EventSubjects
  /** Hashes that the caller has already; they win over `subjects`. */
  readonly hashes?: Partial<EventSubjectHashes> | undefined
  /** One word that search filters by, such as BLOCK or failed. */
  readonly outcome?: string
  /** Recorded also while nobody wants its type, because a person caused it. */
  readonly isAlwaysRecorded?: boolean
}

export type NewEvent = { [Name in EventType]: NewEventOf<Name> }[EventType]

export type Recorder = (events: readonly NewEvent[]) => readonly BatchStatement[]

export interface Events {
  /**
   * The statements that record these events, in their order. Write them in the batch or transaction of what happened: then an event exists if
   * and only if it happened. Types on request have none while nobody wants them.
   */
  statements(tenantId: string, events: readonly NewEvent[]): Promise<readonly BatchStatement[]>
  /** The same for events that are only known inside a transaction, which must not wait for anything else. */
  recorder(tenantId: string): Promise<Recorder>
  /** Whether events of this type are recorded now; a change of receivers counts within a second. Ask it first where `data` is costly to make. */
  wants(tenantId: string, type: EventType): Promise<boolean>
  /**
   * Calls this whenever statements of events that a receiver waits for have been made: before their commit, which may also fail. Whoever
   * listens reads the store a moment later, and again in any case.
   */
  onWaiting(listener: () => void): void
}
