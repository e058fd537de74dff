// A person wants to sign in: who are they said to be, by which channel, and what is sent to them?

import type { SignInStartRequest, SignInTransaction } from '@ringfence/contract'
import type { SessionCall } from '../call.ts'
import type { Platform } from '../platform.ts'
import { beginByMessage } from './start-by-message.ts'
import { beginByRedirect } from './start-by-redirect.ts'

/**
 * POST /sdk/v1/auth/start. Repeated by the same session for the same channel and recipient before a resend is allowed, it
 * answers the same transaction and sends nothing.
 * Refuses with identityInvalid, invalidPhoneNumber, emailInvalid, lineTypeRefused, countryRefused, redirectUrlRefused,
 * channelUnavailable, messagesLimited, gateRefused, deliveryFailed, providerFailed.
 */
export async function startSignIn(
  body: SignInStartRequest,
  call: SessionCall,
  platform: Platform,
): Promise<SignInTransaction> {
  if (body.channel === 'OAUTH') return beginByRedirect(body, call, platform)
  return beginByMessage({ ...body, channel: body.channel }, call, platform)
}
