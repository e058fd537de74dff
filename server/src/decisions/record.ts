// What is stored of a decision? The answer, what the rules read, and what follows a challenge: compressed, and sealed.

import type { Decision, DecisionChallenge } from '@ringfence/contract'
import type { ShownSession } from '../accounts/session.ts'
import type { TenantKeys } from '../crypto/keyring.ts'
import type { Compression } from '../device/store/compression.ts'
import { JsonText } from '../json/json-text.ts'
import type { RuleAction } from '../rules/evaluate.ts'
import type { RuleInput } from '../rules/vocabulary.ts'
import type { DecisionKey, StoredDecision } from '../storage/decisions/decisions.ts'

export interface DecisionRecord {
  /** Without `challenge`, whose state changes. */
  readonly answer: JsonText<Decision>
  /** What the rules read, so that others can be tried on it. */
  readonly input: RuleInput
  readonly basis: DecisionBasis
}

/** What is not part of the answer. */
export interface DecisionBasis {
  /** Present when the action is CHALLENGE. */
  readonly challenge?: Pick<DecisionChallenge, 'identityTypes'> & { readonly expiresAt: number }
  /** Whether it waits for a review: a rule with the action REVIEW decided. */
  readonly isForReview?: true
  /** What the session showed about its account; a bad label withdraws it. */
  readonly shown?: ShownSession
  /** The result of the rules in shadow. */
  readonly shadow?: { readonly version: number; readonly action: RuleAction['action']; readonly fired: string[] }
}

export const contextOf = ({ tenantId, decisionId }: DecisionKey) => `decision ${tenantId} ${decisionId}`

/** One part per line, because JSON.stringify writes no line ends. `ids`: UUIDs that the record contains often. */
export function sealDecision(
  { answer, input, basis }: DecisionRecord,
  key: DecisionKey,
  ids: readonly string[],
  keys: TenantKeys,
  compression: Compression,
): Uint8Array {
  const lines = [answer.text, JSON.stringify(input), JSON.stringify(basis)]
  return keys.seal(compression.compress(lines.join('\n'), ids), contextOf(key))
}

/** Throws when the row was sealed with another key, or was altered. */
export function openDecision(row: StoredDecision, keys: TenantKeys, compression: Compression): DecisionRecord {
  const [answer = '', input = '', basis = ''] = compression
    .expand(keys.openBytes(row.sealed, contextOf(row)))
    .split('\n')
  return { answer: new JsonText(answer), input: JSON.parse(input), basis: JSON.parse(basis) }
}

/** The answer, with the present state of the challenge. `now`: epoch milliseconds. */
export function answerOf(
  { answer, basis: { challenge } }: Pick<DecisionRecord, 'answer' | 'basis'>,
  passedAt: number | null,
  now: number,
): JsonText<Decision> {
  if (!challenge) return answer
  const { identityTypes, expiresAt } = challenge
  const member: DecisionChallenge = {
    state: passedAt !== null ? 'passed' : now >= expiresAt ? 'expired' : 'open',
    identityTypes,
    expiresAt: new Date(expiresAt).toISOString(),
    ...(passedAt !== null && { passedAt: new Date(passedAt).toISOString() }),
  }
  return new JsonText(`${answer.text.slice(0, -1)},"challenge":${JSON.stringify(member)}}`)
}
