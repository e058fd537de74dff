// What is stored of a watch, sealed? The number, and for each check what was known and when it is due.

import { type Consent, type WatchableCheck, watchableChecks } from '@ringfence/contract'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { WatchRow } from '../store/number-watches.ts'

/** What is known of one check. Times are epoch milliseconds. */
export interface CheckState {
  readonly dueAt: number
  /** The last answer of a poll. */
  readonly polledAt?: number
  /** The last observation: a poll, or what an operator reported automatically. */
  readonly seenAt?: number
  /** Failures since the last answer. */
  readonly failures?: number
  readonly isUnsupported?: true
  /** When the last change was noticed. */
  readonly noticedAt?: number
  /** When an operator last reported a change automatically. */
  readonly reportedAt?: number
  /** No change that is dated up to here is new. */
  readonly coveredUntil?: number
  /** An operator reports swaps automatically up to then. */
  readonly subscribedUntil?: number
  /** The connector of that operator. */
  readonly subscribedTo?: string
  /** When an operator last ended a subscription. */
  readonly endedAt?: number
  /** Events that operators sent and that counted, the last ones: each counts once. */
  readonly eventIds?: readonly string[]
  /** The connector of the last answer; for portability, the source. */
  readonly source?: string
  /** When the watch of this check began. */
  readonly beganAt?: number
  /** The last answer found no change from here on. Absent: it found one. */
  readonly clearFrom?: number
  /** numberRecycling: the date from which on another subscriber is new. */
  readonly since?: string
  /** portability: who served the number. */
  readonly operator?: { readonly id?: string; readonly name: string }
  readonly ported?: boolean
}

export interface WatchContent {
  /** Digits with country code. */
  readonly digits: string
  readonly reference?: string
  /** What it is watched for. */
  readonly consent?: Consent
  readonly states: { readonly [Check in WatchableCheck]?: CheckState }
}

/** The operator reports swaps automatically no more, so the check is made at this time. */
export function unsubscribed(
  { subscribedUntil: _until, subscribedTo: _to, ...state }: CheckState,
  dueAt: number,
): CheckState {
  return { ...state, dueAt }
}

export const watchContext = (tenantId: string, id: Uint8Array) =>
  `number_watch ${tenantId} ${Buffer.from(id).toString('base64')}`

export const sealWatch = (
  content: WatchContent,
  { tenantId, id }: Pick<WatchRow, 'tenantId' | 'id'>,
  keys: TenantKeys,
) => keys.seal(JSON.stringify(content), watchContext(tenantId, id))

export const openWatch = ({ tenantId, id, sealed }: Pick<WatchRow, 'tenantId' | 'id' | 'sealed'>, keys: TenantKeys) =>
  JSON.parse(keys.open(sealed, watchContext(tenantId, id))) as WatchContent

/** The checks of a watch, in the order of documents. */
export const checksOf = ({ states }: Pick<WatchContent, 'states'>): WatchableCheck[] =>
  watchableChecks.filter((check) => states[check] !== undefined)

/** When the first of its checks is due. */
export const firstDue = (content: Pick<WatchContent, 'states'>): number =>
  Math.min(...checksOf(content).map((check) => content.states[check]!.dueAt))
