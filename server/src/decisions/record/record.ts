// What is stored of a decision? The answer, what the rules read, and what follows a challenge: compressed, and sealed.

import type { Decision, DecisionChallenge, DecisionReview } from '@ringfence/contract'
import type { ShownSession } from '../../accounts/session.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { JsonText } from '../../core/json/json-text.ts'
import type { Compression } from '../../device/store/compression/compression.ts'
import type { RuleAction } from '../../rules/evaluate.ts'
import type { RuleInput } from '../../rules/language/vocabulary.ts'
import type { OperatorCalls } from '../parts/parts.ts'
import type { CodesReach } from '../parts/phone.ts'
import type { PendingLink } from '../person/person.ts'
import type { DecisionKey, LaterOfDecision, StoredDecision } from '../store/decisions.ts'

export interface DecisionRecord {
  /** Without `challenge`, whose state changes. */
  readonly answer: JsonText<Decision>
  /** What the rules read, so that others can be tried on it. */
  readonly input: RuleInput
  readonly basis: DecisionBasis
  /** Absent when no rule sent the decision to REVIEW. */
  readonly review?: DecisionReview
  /** The challenge that a reviewer asked for. */
  readonly asked?: AskedChallenge
}

/** A challenge: who can pass it, and until when. */
export type Challenge = NonNullable<DecisionBasis['challenge']>

/** Times in epoch milliseconds. */
export interface AskedChallenge extends Challenge {
  readonly by: string
  readonly note?: string
  readonly at: number
  /** As maintenance has noticed it. */
  readonly state: DecisionChallenge['state']
}

/** Of the fields of a request, by name. They name a difference, and prove nothing. */
export type Checksums = Readonly<Record<string, number>>

/** What is not part of the answer. */
export interface DecisionBasis {
  /** Present when the request had an Idempotency-Key. */
  readonly sent?: Checksums
  /** Present when the action is CHALLENGE. */
  readonly challenge?: Pick<DecisionChallenge, 'identityTypes'> & {
    readonly expiresAt: number
    /** What passing it links to the user. */
    readonly link?: PendingLink
    /** A code to the phone number of the decision does not pass. */
    readonly isNumberInDoubt?: boolean
    /** Absent in decisions of older versions. */
    readonly codes?: CodesReach
  }
  /** What the session showed about its account; a bad label withdraws it. */
  readonly shown?: ShownSession
  /** The app whose device report it read. */
  readonly appId?: string
  /** Operators that it called. */
  readonly calls?: OperatorCalls
  /** Name of the rule that sent the decision to review: a review without reasons shows it. */
  readonly reviewRule?: string
  /** The result of the rules in shadow. */
  readonly shadow?: { readonly version: number; readonly action: RuleAction['action']; readonly fired: string[] }
}

/** Author and note of a reviewer. */
export const reviewContext = ({ tenantId, decisionId }: DecisionKey) => `decision review ${tenantId} ${decisionId}`

/** Who asked for a challenge, and who can pass it. */
export const askedContext = ({ tenantId, decisionId }: DecisionKey) => `decision challenge ${tenantId} ${decisionId}`

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
  return keys.seal(compression.compress(lines.join('\n'), ids, 'quick'), contextOf(key))
}

type SealedDecision = DecisionKey & Pick<StoredDecision, 'sealed'> & Partial<LaterOfDecision>

/** Throws when the row was sealed with another key, or was altered. */
export function openDecision(row: SealedDecision, keys: TenantKeys, compression: Compression): DecisionRecord {
  const [answer = '', input = '', basis = ''] = compression
    .expand(keys.openBytes(row.sealed, contextOf(row)))
    .split('\n')
  const review = reviewOf(row, keys)
  const asked = askedOf(row, keys)
  return {
    answer: new JsonText(answer),
    input: JSON.parse(input),
    basis: JSON.parse(basis),
    ...(review && { review }),
    ...(asked && { asked }),
  }
}

/** What the rules read, the JSON of a RuleInput. Throws as `openDecision` does. */
export const openInput = (
  row: DecisionKey & Pick<StoredDecision, 'sealed'>,
  keys: Pick<TenantKeys, 'openBytes'>,
  compression: Compression,
): string => compression.expandLine(keys.openBytes(row.sealed, contextOf(row)), 1)

function reviewOf(row: SealedDecision, keys: TenantKeys): DecisionReview | undefined {
  const { review: state = null, reviewedAt = null, sealedReview } = row
  if (state === null || reviewedAt === null || !sealedReview) return state === null ? undefined : { state }
  return {
    state,
    ...(JSON.parse(keys.open(sealedReview, reviewContext(row))) as Pick<DecisionReview, 'by' | 'note'>),
    resolvedAt: new Date(reviewedAt).toISOString(),
  }
}

function askedOf(row: SealedDecision, keys: TenantKeys): AskedChallenge | undefined {
  const { challengeAskedAt: at = null, sealedChallenge, challengePassedAt = null, challengeExpiredAt = null } = row
  if (at === null || !sealedChallenge) return undefined
  const isOver = challengeExpiredAt !== null || row.review !== 'open'
  const state = challengePassedAt !== null ? 'passed' : isOver ? 'expired' : 'open'
  return { ...JSON.parse(keys.open(sealedChallenge, askedContext(row))), at, state }
}

/** That of the decision, or the one that a reviewer asked for. */
export const challengeOf = ({ basis, asked }: Pick<DecisionRecord, 'basis' | 'asked'>): Challenge | undefined =>
  basis.challenge ?? asked

/** The answer, with the present state of the challenge and of the review. `now`: epoch milliseconds. */
export function answerOf(
  { answer: { text }, basis, asked, review }: Omit<DecisionRecord, 'input'>,
  passedAt: number | null,
  now: number,
): JsonText<Decision> {
  const challenge = challengeOf({ basis, ...(asked && { asked }) })
  const until = asked?.state === 'expired' ? now : challenge?.expiresAt
  const members = {
    ...(challenge && { challenge: challengeMember(challenge, passedAt, now >= (until ?? now)) }),
    ...(review && { review }),
  }
  const added = JSON.stringify(members).slice(1)
  return new JsonText(added === '}' ? text : `${text.slice(0, -1)},${added}`)
}

function challengeMember(
  { identityTypes, expiresAt }: Challenge,
  passedAt: number | null,
  isOver: boolean,
): DecisionChallenge {
  return {
    state: passedAt !== null ? 'passed' : isOver ? 'expired' : 'open',
    identityTypes,
    expiresAt: new Date(expiresAt).toISOString(),
    ...(passedAt !== null && { passedAt: new Date(passedAt).toISOString() }),
  }
}
