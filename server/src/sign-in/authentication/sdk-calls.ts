// Which sign-in calls does an SDK make? Each maps its session to a SignInContext and calls the sign-in core.

import type {
  SignedInUser,
  SignInResendRequest,
  SignInStartRequest,
  SignInStatus,
  SignInStatusRequest,
  SignInTransaction,
  SignInVerifyRequest,
} from '@ringfence/contract'
import type { SessionCall } from '../../apps/call.ts'
import { addingTo } from './adding/adds-to.ts'
import type { SignedIn } from './complete.ts'
import { resendMessage } from './messages/resend.ts'
import type { SignInNeeds } from './room.ts'
import type { SignInContext } from './sign-in-context.ts'
import { startSilently } from './silent/start-silently.ts'
import { startByMessage } from './start-by-message.ts'
import { startByRedirect } from './start-by-redirect.ts'
import { readStatus } from './status.ts'
import { ownSignIn } from './transaction.ts'
import { verifyProof } from './verify.ts'

/**
 * POST /sdk/v1/auth/start. If the same session repeats it for the same channel and recipient before
 * a resend is allowed, it returns the same transaction and sends nothing.
 * Refuses with identityInvalid, invalidPhoneNumber, emailInvalid, lineTypeRefused, countryRefused,
 * redirectUrlRefused, channelUnavailable, silentUnavailable, messagesLimited, deliveryFailed,
 * providerFailed, linkToRefused.
 */
export async function startSignIn(
  body: SignInStartRequest,
  call: SessionCall,
  needs: SignInNeeds,
): Promise<SignInTransaction> {
  const context = await addingTo(body, contextOf(call), needs)
  if (body.channel === 'OAUTH') return startByRedirect(body, context, needs)
  if (body.channel === 'SILENT') return startSilently(body, context, needs)
  return startByMessage({ ...body, channel: body.channel }, context, needs)
}

/** POST /sdk/v1/auth/resend. Refuses with signInUnknown, and as `resendMessage` does. */
export async function resendSignIn(
  { transactionId }: SignInResendRequest,
  call: SessionCall,
  needs: SignInNeeds,
): Promise<SignInTransaction> {
  const context = contextOf(call)
  return resendMessage(await ownSignIn(transactionId, context, needs), context, needs)
}

/** POST /sdk/v1/auth/verify. Refuses with signInUnknown, and as `verifyProof` does. */
export async function verifySignIn(
  { transactionId, ...proof }: SignInVerifyRequest,
  call: SessionCall,
  needs: SignInNeeds,
): Promise<SignedInUser> {
  const context = contextOf(call)
  const signIn = await ownSignIn(transactionId, context, needs)
  return userObject(await verifyProof(signIn, proof, context, needs), call, transactionId)
}

/** POST /sdk/v1/auth/status. Refuses with `signInUnknown`. */
export async function signInStatus(
  { transactionId, ...device }: SignInStatusRequest,
  call: SessionCall,
  needs: SignInNeeds,
): Promise<SignInStatus> {
  const context = contextOf(call)
  const signIn = await ownSignIn(transactionId, context, needs)
  const { status, user } = await readStatus(signIn, device, context, needs)
  return { status, ...(user && { user: userObject(user, call, transactionId) }) }
}

function contextOf(call: SessionCall): SignInContext {
  const { app, session, address, headers, signedInBefore } = call
  return {
    requestId: call.requestId,
    signal: call.signal,
    provenance: call.provenance,
    tenantId: app.tenantId,
    appId: app.id,
    appName: app.name,
    settings: app.settings,
    origins: app.origins,
    sessionId: session.id,
    platform: session.platform,
    ...(session.platform === 'WEB' && { pageOrigin: session.packageName }),
    ...(address !== undefined && { ipAddress: address }),
    headers,
    signedInBefore,
  }
}

const userObject = (user: SignedIn, { session }: SessionCall, transactionId: string): SignedInUser => ({
  ...user,
  sessionInfo: { sessionId: session.id, transactionId },
})
