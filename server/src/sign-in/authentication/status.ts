// What is the status of a sign-in? SDKs poll it while the person opens a magic link, perhaps on another device.

import type { SignInStatus } from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'
import { completeSignIn, type SignedIn } from './complete.ts'
import type { SignInNeeds } from './room.ts'
import type { SignInContext } from './sign-in-context.ts'
import type { DeviceInput } from './sign-in-device.ts'
import { openProof, type SignIn } from './transaction.ts'

/**
 * If the sign-in has a redirect URL, `verify` returns the user, and SUCCESS only says that it has.
 * Otherwise the first SUCCESS carries the user.
 */
export async function readStatus(
  signIn: SignIn,
  device: Pick<DeviceInput, 'dfrId'>,
  context: SignInContext,
  needs: SignInNeeds,
): Promise<Pick<SignInStatus, 'status'> & { user?: SignedIn }> {
  const { record, content } = signIn
  if (record.state === 'done') return { status: 'SUCCESS' }
  // SILENT: only the page that gets the result may learn whether a lured phone has the number.
  if (record.state === 'failed' && content.silent === undefined) return { status: 'FAILED' }
  if (record.expiresAt <= needs.clock.now()) return { status: 'EXPIRED' }
  // SILENT: anyone may make a phone open the URL, so only the page that gets the code may sign in.
  const needsCode = content.redirectUrl !== undefined || content.silent !== undefined
  if (record.state !== 'proved' || needsCode) return { status: 'PENDING' }
  const keys = await needs.tenantKeyring.keysOf(record.tenantId)
  const proof = openProof(keys, record)
  try {
    const user = await completeSignIn({ signIn, from: 'proved', proof, device }, context, needs)
    return { status: 'SUCCESS', user }
  } catch (error) {
    if (error instanceof Refusal && error.failure === 'signInOver') return { status: 'SUCCESS' }
    throw error
  }
}
