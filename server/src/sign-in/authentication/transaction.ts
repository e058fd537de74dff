// Which sign-in is this? Its id, the codes that lead back to it, and its sealed content.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { DeviceInfoDetail, PhoneDetail, SignInTransaction } from '@ringfence/contract'
import type { Clock } from '../../core/clock.ts'
import type { Core } from '../../core/core.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { Refusal } from '../../core/errors.ts'
import { findSignIn, type SignInRecord } from '../store/sign-ins.ts'
import type { Proof, RecipientType } from './channel.ts'
import type { GateFindings } from './gate.ts'
import type { AddsTo, SignInContext } from './sign-in-context.ts'

export interface Recipient {
  readonly type: RecipientType
  /** MOBILE: digits with country code. EMAIL: lower case. */
  readonly value: string
}

/** What is stored sealed with the tenant's key. No query needs it. */
export interface SignInContent {
  readonly transactionId: string
  /** The SDK session that started it. Absent when a backend did. */
  readonly sessionId?: string
  readonly appName: string
  readonly recipient?: Recipient
  readonly redirectUrl?: string
  /** Whoever finishes with the code must have its verifier. (RFC 7636, S256) */
  readonly codeChallenge?: string
  /** The client that ordered the magic link: only it may exchange the code, and no SDK sees the sign-in. */
  readonly codeClient?: string
  readonly locale?: string
  readonly otpLength?: number
  /** The gateway compares the code itself: the channel, and the ids of the latest codes, newest first. */
  readonly gatewayCodes?: { readonly channel: string; readonly ids: readonly string[] }
  /** The channel that the page sees compares its codes itself, which takes time, whatever the telecom gate chose. */
  readonly comparedBy?: string
  /** Host of the web page. The last line of an SMS names it, so that browsers can fill in the OTP. */
  readonly host?: string
  /** The code of a magic link, or the state of a redirect. */
  readonly returnCode?: string
  /** What `finish` of a redirect channel needs. */
  readonly redirect?: { readonly channel: string; readonly secrets: string; readonly callbackUrl: string }
  /** Number Verification: what it began with, and where the code may go. */
  readonly silent?: {
    readonly begun: {
      readonly digits: string
      readonly connector: string
      readonly secrets: string
      readonly redirectUri: string
      readonly phoneDetail: PhoneDetail
    }
    /** Of the web page that opens the URL in a frame. Absent: a mobile app opens it. */
    readonly origin?: string
  }
  /** The device as described at the start. */
  readonly deviceInfo?: DeviceInfoDetail
  readonly dfrId?: string
  /** What is proved is added to this user (`linkTo`). */
  readonly addsTo?: AddsTo
  /** The latest analysis of its session belongs to it. (specification 4.7, rule 5: ASYNC and SYNC) */
  readonly isFingerprinted?: true
  readonly gate?: GateFindings
  /** The telecom gate refused the number: the sign-in looks like any other, but nothing is sent. */
  readonly heldBack?: true
  /** What the page asked for, if the gate chose another way. The page sees this, since the other way would show why. */
  readonly shownAs?: {
    readonly channel: SignInRecord['channel']
    readonly method: string
    readonly channelName: string
    /** If the other way has another recipient. */
    readonly recipient?: Recipient
    readonly otpLength?: number
  }
  /** When the number was counted as new in its range and country. Taken back when the person signs in. */
  readonly countedAt?: number
  /** The same, of each resend. */
  readonly countedAgainAt?: readonly number[]
}

export interface SignIn {
  readonly record: SignInRecord
  readonly content: SignInContent
}

const secretBytes = 24
const hashBytes = 16

/** 192 random bits. Whoever knows it can query the status. */
export const newTransactionId = () => randomBytes(secretBytes).toString('base64url')

/** Key of the sign-in in the store. */
export const idHashOf = (transactionId: string): Uint8Array => sha256(transactionId).subarray(0, hashBytes)

/**
 * For a link, a state or a code: the store key of the sign-in, then 128 random bits. Does not
 * reveal the transaction id.
 */
export const newReturnCode = (idHash: Uint8Array) =>
  Buffer.concat([idHash, randomBytes(hashBytes)]).toString('base64url')

/** Unkeyed, which is enough for 128 random bits: they cannot be guessed. */
export const hashOfCode = (code: string): Uint8Array => sha256(code)

/** Compares in constant time. */
export const isCode = (code: string, hash: Uint8Array | null): boolean =>
  hash !== null && timingSafeEqual(sha256(code), hash)

/** Is this the verifier of the challenge? Without a challenge, only if there is no verifier either. (RFC 9700, 2.1.1) */
export function isVerifierOf(challenge: string | undefined, verifier: string | undefined): boolean {
  if (challenge === undefined || verifier === undefined) return challenge === verifier
  return timingSafeEqual(sha256(verifier), Buffer.from(challenge, 'base64url'))
}

export const sealContent = (keys: TenantKeys, idHash: Uint8Array, content: SignInContent) =>
  keys.seal(JSON.stringify(content), contextOf('content', idHash))

export const sealProof = (keys: TenantKeys, idHash: Uint8Array, proof: Proof) =>
  keys.seal(JSON.stringify(proof), contextOf('proof', idHash))

export const openProof = (keys: TenantKeys, { idHash, sealedProof }: SignInRecord): Proof =>
  JSON.parse(keys.open(sealedProof!, contextOf('proof', idHash)))

export async function openSignIn(record: SignInRecord, needs: Pick<Core, 'tenantKeyring'>): Promise<SignIn> {
  const keys = await needs.tenantKeyring.keysOf(record.tenantId)
  return { record, content: JSON.parse(keys.open(record.sealed, contextOf('content', record.idHash))) }
}

/** A sign-in that waits until the person returns with `state`. */
export const returningRecord = (
  open: Pick<
    SignInRecord,
    'idHash' | 'tenantId' | 'appId' | 'channel' | 'method' | 'createdAt' | 'expiresAt' | 'sealed'
  >,
  state: string,
): SignInRecord => ({
  ...open,
  startHash: null,
  state: 'open',
  resendAfter: open.createdAt,
  sent: 0,
  attempts: 0,
  otpHash: null,
  previousOtpHash: null,
  returnHash: hashOfCode(state),
  codeHash: null,
  sealedProof: null,
})

/** The app's own sign-in with this transaction id. Refuses with `signInUnknown`. */
export async function ownSignIn(
  transactionId: string,
  { appId, tenantId }: Pick<SignInContext, 'appId' | 'tenantId'>,
  needs: Pick<Core, 'database' | 'tenantKeyring'>,
): Promise<SignIn> {
  const record = await findSignIn(needs.database, idHashOf(transactionId))
  if (!record || record.appId !== appId || record.tenantId !== tenantId) throw new Refusal('signInUnknown')
  const signIn = await openSignIn(record, needs)
  if (signIn.content.codeClient !== undefined) throw new Refusal('signInUnknown')
  return signIn
}

/**
 * The sign-in that a magic link or an identity provider leads back to. Undefined when the code is
 * not valid.
 */
export async function returnedSignIn(
  returnCode: string,
  needs: Pick<Core, 'database' | 'tenantKeyring'>,
): Promise<SignIn | undefined> {
  const record = await findByCode(returnCode, needs)
  return record && isCode(returnCode, record.returnHash) ? openSignIn(record, needs) : undefined
}

/** The sign-in whose app received this code. Undefined when the code is not valid. */
export async function signInOfCode(
  code: string,
  needs: Pick<Core, 'database' | 'tenantKeyring'>,
): Promise<SignIn | undefined> {
  const record = await findByCode(code, needs)
  return record && isCode(code, record.codeHash) ? openSignIn(record, needs) : undefined
}

async function findByCode(code: string, { database }: Pick<Core, 'database'>): Promise<SignInRecord | undefined> {
  const bytes = Buffer.from(code, 'base64url')
  return bytes.length === 2 * hashBytes ? findSignIn(database, bytes.subarray(0, hashBytes)) : undefined
}

/** The answer to a start or resend of a sign-in by message. */
export function transactionAnswer({ record, content }: SignIn, clock: Clock): SignInTransaction {
  const { expiresAt, resendAfter } = record
  const { transactionId, shownAs } = content
  const { channel, method } = shownAs ?? record
  const { otpLength } = shownAs ?? content
  return {
    transactionId,
    channel,
    method,
    expiresAt: new Date(expiresAt).toISOString(),
    resendAfterSeconds: Math.max(0, Math.ceil((resendAfter - clock.now()) / 1000)),
    ...(otpLength !== undefined && { otpLength }),
  }
}

/** Refuses with signInOver, signInFailed or signInExpired. */
export function refuseUnlessOpen({ state, expiresAt }: SignInRecord, now: number): void {
  if (state === 'done') throw new Refusal('signInOver')
  if (state === 'failed') throw new Refusal('signInFailed')
  if (expiresAt <= now) throw new Refusal('signInExpired')
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()
export const contextOf = (what: string, idHash: Uint8Array) =>
  `sign_in ${what} ${Buffer.from(idHash).toString('base64')}`
