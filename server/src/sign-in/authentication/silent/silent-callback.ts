// Which phone returned from its operator? Whoever opened the URL gets a code, or an error; nobody else learns anything.

import { randomUUID } from 'node:crypto'
import type { FailureName } from '@ringfence/contract'
import { Refusal } from '../../../core/errors.ts'
import type { Page } from '../../../core/pages/page.ts'
import { finishVerification, isOwnReturn } from '../../../telecom/number-verification/verification.ts'
import { answerOf } from '../../../upstream/oauth/code-flow.ts'
import { failureUpdate } from '../../store/sign-ins.ts'
import { claimReturn, elsewherePage, type ReturnError, unknownPage } from '../callback.ts'
import { storeProof } from '../return-code.ts'
import type { SignInNeeds } from '../room.ts'
import { failed, placeOf } from '../sign-in-events.ts'
import { returnedSignIn, type SignIn } from '../transaction.ts'
import { backToOpener, type SilentReturn } from './return-page.ts'

/** The person waits during this time; then the page falls back to an OTP. */
const finishMs = 6_000

/** The sign-in is over, for this reason. */
class NotVerified extends Error {
  override name = 'NotVerified'
  readonly reason: keyof typeof errorOf
  constructor(reason: NotVerified['reason']) {
    super(reason)
    this.reason = reason
  }
}

/** By the reason of the event `sign_in.failed`. */
const errorOf = {
  NUMBER_NOT_VERIFIED: 'number_not_verified',
  NOT_ON_MOBILE_NETWORK: 'not_on_mobile_network',
  ACCESS_DENIED: 'access_denied',
  PROVIDER_FAILED: 'provider_failed',
} as const satisfies Record<string, ReturnError>

/**
 * GET /auth/v1/number-verification/callback/{connection}. `state` belongs to one sign-in and is accepted once. Anyone can make the phone of somebody
 * else open the URL of a sign-in that he started, so the code goes only to the page of the app, which sends it with the transaction id
 * that only its own SDK knows.
 */
export async function silentCallback(needs: SignInNeeds, query: URLSearchParams, connection: string): Promise<Page> {
  const signIn = await returnedSignIn(query.get('state') ?? '', needs)
  if (signIn?.content.silent === undefined) return unknownPage
  const { begun } = signIn.content.silent
  if (!isOwnReturn(begun, connection)) return elsewherePage(needs, begun.redirectUri, begun.connector)
  return backToOpener(signIn, await resultOf(signIn, query, needs))
}

async function resultOf(signIn: SignIn, query: URLSearchParams, needs: SignInNeeds): Promise<SilentReturn> {
  try {
    await claimReturn(signIn, needs)
    await verifyPhone(signIn, query, needs)
    const { type: identityType, value: identityValue } = signIn.content.recipient!
    const proof = { identities: [{ identityType, identityValue, verified: true }] }
    return { ringfence_code: await storeProof(signIn, proof, needs) }
  } catch (error) {
    if (error instanceof Refusal) {
      return { ringfence_error: error.failure === 'signInExpired' ? 'sign_in_expired' : 'sign_in_over' }
    }
    if (!(error instanceof NotVerified)) throw error
    const { idHash, tenantId } = signIn.record
    const event = failed(placeOf(signIn), { reason: error.reason })
    await needs.database.batch([failureUpdate(idHash), ...(await needs.events.statements(tenantId, [event]))])
    return { ringfence_error: errorOf[error.reason] }
  }
}

/** Throws NotVerified. */
async function verifyPhone({ record, content }: SignIn, query: URLSearchParams, needs: SignInNeeds): Promise<void> {
  const requestId = randomUUID()
  const call = {
    requestId,
    correlator: requestId,
    signal: AbortSignal.timeout(finishMs),
    provenance: { sandbox: false },
    caller: { tenantId: record.tenantId },
  }
  try {
    const { answer: isMatch } = await finishVerification(content.silent!.begun, answerOf(query), call, needs)
    if (!isMatch) throw new NotVerified('NUMBER_NOT_VERIFIED')
    // Only now: whoever has another phone, or writes the URL himself, must not learn what the telecom gate found.
    if (content.heldBack) throw new NotVerified('PROVIDER_FAILED')
  } catch (failure) {
    if (!(failure instanceof Refusal)) throw failure
    throw new NotVerified(reasonOf[failure.failure] ?? 'PROVIDER_FAILED')
  }
}

const reasonOf: Partial<Record<FailureName, NotVerified['reason']>> = {
  numberVerificationNotOnMobileNetwork: 'NOT_ON_MOBILE_NETWORK',
  numberVerificationDenied: 'ACCESS_DENIED',
}
