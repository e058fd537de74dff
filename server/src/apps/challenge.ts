// What makes an analysis of its moment? A challenge that only this service can have made, for this session alone.

import { hash, timingSafeEqual } from 'node:crypto'
import type { TenantKeys } from '../crypto/keyring.ts'

/** 8 bytes that tell one from the next, 16 of an HMAC over them and the session. */
const nonceBytes = 8
const macBytes = 16
const form = /^[A-Za-z0-9_-]{32}$/

/**
 * The challenge of a session that follows a request; its first one follows the session's id. Always the same one, so that
 * there is one at a time, kept nowhere; which of them are taken, the analyses that took them tell.
 */
export function challengeAfter(request: string, sessionId: string, keys: TenantKeys): string {
  const nonce = hash('sha256', request, 'buffer').subarray(0, nonceBytes)
  return Buffer.concat([nonce, macOf(nonce, sessionId, keys)]).toString('base64url')
}

/** Eight bytes that are this challenge's alone, by which it is taken; undefined where it is none of this session. */
export function challengeKey(challenge: string, sessionId: string, keys: TenantKeys): Uint8Array | undefined {
  if (!form.test(challenge)) return undefined
  const given = Buffer.from(challenge, 'base64url')
  const mac = macOf(given.subarray(0, nonceBytes), sessionId, keys)
  return timingSafeEqual(given.subarray(nonceBytes), mac) ? mac.subarray(0, 8) : undefined
}

const macOf = (nonce: Buffer, sessionId: string, keys: TenantKeys) =>
  keys.hash(`challenge ${sessionId} ${nonce.toString('hex')}`).subarray(0, macBytes)
