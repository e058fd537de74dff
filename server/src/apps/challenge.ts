// How do we know that an analysis is fresh? It contains a challenge that we created for this session.

import { hash, timingSafeEqual } from 'node:crypto'
import type { TenantKeys } from '../core/crypto/keyring.ts'
import { dayKey } from '../core/storage/uuid.ts'
import { startOfSession } from './session-id.ts'

/** An 8-byte nonce, then 16 bytes of an HMAC over the nonce, the app and the session. */
const nonceBytes = 8
const macBytes = 16
/** Whose challenges they are. */
export interface ChallengeOwner {
  readonly appId: string
  readonly sessionId: string
}

const form = /^[A-Za-z0-9_-]{32}$/

/**
 * The next challenge of a session after a request. The first one follows the session id. It is
 * derived, so it needs no storage and there is only one at a time. The stored analyses show which
 * challenges are used.
 */
export function challengeAfter(request: string, owner: ChallengeOwner, keys: TenantKeys): string {
  const nonce = hash('sha256', request, 'buffer').subarray(0, nonceBytes)
  return Buffer.concat([nonce, macOf(nonce, owner, keys)]).toString('base64url')
}

/** Ten bytes that identify the challenge in the store, beside others of its day. Undefined when it is not one of this session. */
export function challengeKey(challenge: string, owner: ChallengeOwner, keys: TenantKeys): Uint8Array | undefined {
  if (!form.test(challenge)) return undefined
  const given = Buffer.from(challenge, 'base64url')
  const mac = macOf(given.subarray(0, nonceBytes), owner, keys)
  return timingSafeEqual(given.subarray(nonceBytes), mac)
    ? dayKey(startOfSession(owner.sessionId), mac.subarray(0, 8))
    : undefined
}

const macOf = (nonce: Buffer, { appId, sessionId }: ChallengeOwner, keys: TenantKeys) =>
  keys.hash(`challenge ${appId} ${sessionId} ${nonce.toString('hex')}`).subarray(0, macBytes)
