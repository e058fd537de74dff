// Was this request decided before? A repeated Idempotency-Key gets the same decision, and another body is refused.

import { crc32 } from 'node:zlib'
import { type Decision, DecisionRequest } from '@ringfence/contract'
import type { Call } from '../clients/call.ts'
import { hashOfIdempotencyKey } from '../clients/idempotency-key.ts'
import type { TenantKeys } from '../core/crypto/keyring.ts'
import { Refusal } from '../core/errors.ts'
import type { JsonText } from '../core/json/json-text.ts'
import { isSameId } from '../core/storage/uuid.ts'
import { bodyHash } from '../device/calls/body-hash.ts'
import { answerOf, type Checksums, openDecision } from './record/record.ts'
import type { DecisionsNeeds } from './room.ts'
import { findDecisionByIdempotency } from './store/decisions.ts'

export interface Sent {
  readonly tenantId: string
  /** Empty without an Idempotency-Key: nothing reads it. */
  readonly bodyHash: Uint8Array
  readonly idempotencyHash: Uint8Array | null
  /** Absent without an Idempotency-Key. */
  readonly checksums?: Checksums
}

const fields = Object.keys(DecisionRequest.properties) as (keyof DecisionRequest)[]

const checksumsOf = (body: DecisionRequest): Checksums =>
  Object.fromEntries(
    fields.flatMap((name) => (body[name] === undefined ? [] : [[name, crc32(JSON.stringify(body[name]))]])),
  )

/** What of a request is stored, to find its decision when it is sent again. */
export const sentBy = (
  body: DecisionRequest,
  { caller: { tenantId }, idempotencyKey }: Call,
  keys: TenantKeys,
): Sent =>
  idempotencyKey === undefined
    ? { tenantId, bodyHash: new Uint8Array(0), idempotencyHash: null }
    : {
        tenantId,
        bodyHash: bodyHash('decision', body, keys),
        idempotencyHash: hashOfIdempotencyKey(idempotencyKey, keys),
        checksums: checksumsOf(body),
      }

/** The decision of the same request. Refuses with `idempotencyKeyReused` when the body was another one. */
export async function decidedBefore(
  { tenantId, bodyHash: ofBody, idempotencyHash, checksums = {} }: Sent,
  keys: TenantKeys,
  { clock, compression, database }: DecisionsNeeds,
): Promise<JsonText<Decision> | undefined> {
  if (!idempotencyHash) return undefined
  const found = await findDecisionByIdempotency(database, tenantId, idempotencyHash)
  if (!found) return undefined
  const record = openDecision(found, keys, compression)
  if (isSameId(found.bodyHash, ofBody)) return answerOf(record, found.challengePassedAt, clock.now())
  const before = record.basis.sent
  // A decision of an older version has no checksums.
  if (!before) throw new Refusal('idempotencyKeyReused', { mistake: 'body' })
  const different = fields.filter((name) => before[name] !== checksums[name])
  throw new Refusal('idempotencyKeyReused', { mistake: different.join(', ') || 'order of fields' })
}
