// Was this challenge made here, for this browser and this purpose, a few minutes ago? Nothing is stored before it is answered.

import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'
import type { Keyring } from '../../core/crypto/keyring.ts'

export const challengeMs = 5 * 60_000

/** What an answer is good for. */
export type Purpose = 'signIn' | 'confirm' | 'add'

/** What a challenge was made for: one of another session, browser or purpose is no challenge here. */
export interface ChallengeScope {
  readonly purpose: Purpose
  /** The id of a session, or the token in the cookie of a browser in which nobody is signed in. */
  readonly binding: string
}

/** A challenge that an answer contains. */
export interface OwnChallenge {
  /** Keyed: it shows afterwards that the challenge was used. */
  readonly hash: Uint8Array
  readonly endsAt: number
}

interface Resources {
  keyring: Pick<Keyring, 'hashSecret'>
  clock: Clock
}

const nonceBytes = 16
const timeBytes = 8
const headBytes = nonceBytes + timeBytes

/** Random bytes, when it ends, and a keyed hash of both and of its scope; base64url. */
export function newChallenge(scope: ChallengeScope, { keyring, clock }: Resources): string {
  const head = Buffer.alloc(headBytes)
  randomBytes(nonceBytes).copy(head)
  head.writeBigUInt64BE(BigInt(clock.now() + challengeMs), nonceBytes)
  return Buffer.concat([head, hashOf(head, scope, keyring)]).toString('base64url')
}

/** Undefined when it is not ours, was made for somebody or something else, or has ended. */
export function ownChallenge(
  text: string,
  scope: ChallengeScope,
  { keyring, clock }: Resources,
): OwnChallenge | undefined {
  const bytes = Buffer.from(text, 'base64url')
  const head = bytes.subarray(0, headBytes)
  const sent = bytes.subarray(headBytes)
  if (head.length !== headBytes) return undefined
  const hash = hashOf(head, scope, keyring)
  if (sent.length !== hash.length || !timingSafeEqual(sent, hash)) return undefined
  const endsAt = Number(head.readBigUInt64BE(nonceBytes))
  return clock.now() < endsAt ? { hash, endsAt } : undefined
}

const hashOf = (head: Buffer, { purpose, binding }: ChallengeScope, keyring: Resources['keyring']) =>
  keyring.hashSecret(`passkey challenge ${purpose} ${binding} ${head.toString('base64url')}`)
