// What did reviewers write about a decision? A few texts, sealed together, in its row: they are erased with it.

import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { DecisionKey } from '../store/decisions.ts'

export interface StoredComment {
  /** Of the person; absent: a client key wrote it. */
  readonly personId?: string
  readonly name: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly comment: string
}

export const commentsContext = ({ tenantId, decisionId }: DecisionKey) => `decision comments ${tenantId} ${decisionId}`

/** Oldest first. `sealed` null: none. */
export const openComments = (
  sealed: Uint8Array | null,
  key: DecisionKey,
  keys: Pick<TenantKeys, 'open'>,
): StoredComment[] => (sealed ? JSON.parse(keys.open(sealed, commentsContext(key))) : [])

export const sealComments = (
  comments: readonly StoredComment[],
  key: DecisionKey,
  keys: Pick<TenantKeys, 'seal'>,
): Uint8Array => keys.seal(JSON.stringify(comments), commentsContext(key))
