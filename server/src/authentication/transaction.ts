// Which sign-in is this? Its id, the secrets that lead back to it, and what is sealed with it.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { DeviceInfoDetail, SignInTransaction } from '@ringfence/contract'
import type { Clock } from '../clock.ts'
import type { TenantKeys } from '../crypto/keyring.ts'
import { Refusal } from '../errors.ts'
import type { Platform } from '../platform.ts'
import { findSignIn, type SignInRecord } from '../storage/sign-ins.ts'
import type { Proof, RecipientType } from './channel.ts'
import type { GateFindings } from './gate.ts'
import type { SignInContext } from './sign-in-context.ts'

export interface Recipient {
  readonly type: RecipientType
  /** MOBILE: digits with country code. EMAIL: in lower case. */
  readonly value: string
}

/** What is kept of a sign-in beside what its steps ask for; sealed under the tenant's key. */
export interface SignInContent {
  readonly transactionId: string
  /** The SDK session that started it. Absent when a backend did. */
  readonly sessionId?: string
  readonly appName: string
  readonly recipient?: Recipient
  readonly redirectUrl?: string
  readonly locale?: string
  readonly otpLength?: number
  /** Host of the page that asks, for the last line of an SMS, by which browsers fill in the OTP. */
  readonly host?: string
  /** Leads back to this sign-in: the code of a magic link, the state of a redirect. */
  readonly returnCode?: string
  /** Of a redirect channel: what its `finish` needs. */
  readonly redirect?: { readonly channel: string; readonly secrets: string; readonly callbackUrl: string }
  /** What was said of the device at the start. */
  readonly deviceInfo?: DeviceInfoDetail
  readonly dfrId?: string
  readonly gate?: GateFindings
  /** It counted as a new number of its range and country at this time; given back when it proves to be a person's. */
  readonly countedAt?: number
}

export interface SignIn {
  readonly record: SignInRecord
  readonly content: SignInContent
}

const secretBytes = 24
const hashBytes = 16

/** 192 random bits; whoever knows one may ask how far the sign-in is. */
export const newTransactionId = () => randomBytes(secretBytes).toString('base64url')

/** Where a sign-in is kept. */
export const idHashOf = (transactionId: string): Uint8Array => sha256(transactionId).subarray(0, hashBytes)

/** 128 random bits that also tell where their sign-in is kept, but not the transaction id: a link, a state, a code. */
export const newReturnCode = (idHash: Uint8Array) =>
  Buffer.concat([idHash, randomBytes(hashBytes)]).toString('base64url')

/** Enough for a secret of 128 random bits or more: nothing shorter can be found by trying. */
export const hashOfCode = (code: string): Uint8Array => sha256(code)

/** Whether this is the code of the hash; takes the same time for any other. */
export const isCode = (code: string, hash: Uint8Array | null): boolean =>
  hash !== null && timingSafeEqual(sha256(code), hash)

export const sealContent = (keys: TenantKeys, idHash: Uint8Array, content: SignInContent) =>
  keys.seal(JSON.stringify(content), contextOf('content', idHash))

export const sealProof = (keys: TenantKeys, idHash: Uint8Array, proof: Proof) =>
  keys.seal(JSON.stringify(proof), contextOf('proof', idHash))

export const openProof = (keys: TenantKeys, { idHash, sealedProof }: SignInRecord): Proof =>
  JSON.parse(keys.open(sealedProof!, contextOf('proof', idHash)))

export async function openSignIn(record: SignInRecord, platform: Pick<Platform, 'tenantKeyring'>): Promise<SignIn> {
  const keys = await platform.tenantKeyring.keysOf(record.tenantId)
  return { record, content: JSON.parse(keys.open(record.sealed, contextOf('content', record.idHash))) }
}

/** The sign-in of a transaction id, of this app alone. Refuses with `signInUnknown`. */
export async function ownSignIn(
  transactionId: string,
  { appId, tenantId }: Pick<SignInContext, 'appId' | 'tenantId'>,
  platform: Pick<Platform, 'database' | 'tenantKeyring'>,
): Promise<SignIn> {
  const record = await findSignIn(platform.database, idHashOf(transactionId))
  if (!record || record.appId !== appId || record.tenantId !== tenantId) throw new Refusal('signInUnknown')
  return openSignIn(record, platform)
}

/** The sign-in that a link or a provider leads back to; undefined when the code is none of ours. */
export async function returnedSignIn(
  returnCode: string,
  platform: Pick<Platform, 'database' | 'tenantKeyring'>,
): Promise<SignIn | undefined> {
  const record = await findByHead(returnCode, platform)
  return record && isCode(returnCode, record.returnHash) ? openSignIn(record, platform) : undefined
}

/** The sign-in whose person came back with this code; undefined when the code is none of ours. */
export async function signInOfCode(
  code: string,
  platform: Pick<Platform, 'database' | 'tenantKeyring'>,
): Promise<SignIn | undefined> {
  const record = await findByHead(code, platform)
  return record && isCode(code, record.codeHash) ? openSignIn(record, platform) : undefined
}

async function findByHead(code: string, { database }: Pick<Platform, 'database'>): Promise<SignInRecord | undefined> {
  const bytes = Buffer.from(code, 'base64url')
  return bytes.length === 2 * hashBytes ? findSignIn(database, bytes.subarray(0, hashBytes)) : undefined
}

/** What the caller learns of a sign-in by message. */
export function transactionAnswer({ record, content }: SignIn, clock: Clock): SignInTransaction {
  const { channel, method, expiresAt, resendAfter } = record
  const { transactionId, otpLength } = content
  return {
    transactionId,
    channel,
    method,
    expiresAt: new Date(expiresAt).toISOString(),
    resendAfterSeconds: Math.max(0, Math.ceil((resendAfter - clock.now()) / 1000)),
    ...(otpLength !== undefined && { otpLength }),
  }
}

/** Why nothing more can be done with it. Refuses unless it waits for its person. */
export function refuseUnlessOpen({ state, expiresAt }: SignInRecord, now: number): void {
  if (state === 'done') throw new Refusal('signInOver')
  if (state === 'failed') throw new Refusal('signInFailed')
  if (expiresAt <= now) throw new Refusal('signInExpired')
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()
const contextOf = (what: string, idHash: Uint8Array) => `sign_in ${what} ${Buffer.from(idHash).toString('base64')}`
