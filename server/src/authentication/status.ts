// How far is a sign-in? Asked again and again while a person opens a magic link, perhaps on another device.

import type { SignInStatus, SignInStatusRequest } from '@ringfence/contract'
import type { SessionCall } from '../call.ts'
import { Refusal } from '../errors.ts'
import type { Platform } from '../platform.ts'
import { completeSignIn } from './complete.ts'
import { openProof, ownSignIn } from './transaction.ts'

/**
 * POST /sdk/v1/auth/status. Where nobody is led back to the app, the first SUCCESS brings the user; else `verify` does, and
 * SUCCESS says that it has. Refuses with `signInUnknown`.
 */
export async function signInStatus(
  { transactionId }: SignInStatusRequest,
  call: SessionCall,
  platform: Platform,
): Promise<SignInStatus> {
  const signIn = await ownSignIn(transactionId, call, platform)
  const { record, content } = signIn
  if (record.state === 'done') return { status: 'SUCCESS' }
  if (record.state === 'failed') return { status: 'FAILED' }
  if (record.expiresAt <= platform.clock.now()) return { status: 'EXPIRED' }
  if (record.state !== 'proved' || content.redirectUrl !== undefined) return { status: 'PENDING' }
  const keys = await platform.tenantKeyring.keysOf(record.tenantId)
  const proof = openProof(keys, record)
  try {
    const user = await completeSignIn({ signIn, from: 'proved', proof, device: {} }, call, platform)
    return { status: 'SUCCESS', user }
  } catch (error) {
    if (error instanceof Refusal && error.failure === 'signInOver') return { status: 'SUCCESS' }
    throw error
  }
}
