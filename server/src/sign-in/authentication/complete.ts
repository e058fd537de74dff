// The proof is valid. Which user is it, and what does the app receive?

import type { Identity, SignedInUser } from '@ringfence/contract'
import { confirmIn } from '../../accounts/devices/confirm.ts'
import { provenNumber } from '../../accounts/session.ts'
import { Refusal } from '../../core/errors.ts'
import type { Analysis } from '../../device/analysis/analyse.ts'
import { writeEvents } from '../../events/events.ts'
import { claimDone, type SignInState } from '../store/sign-ins.ts'
import type { TokenBasis } from '../tokens/basis.ts'
import { eventUser, newToken } from '../tokens/issue.ts'
import { refuseElsewhere } from './adding/adds-to.ts'
import type { Proof } from './channel.ts'
import { forgetNewNumber } from './messages/limits.ts'
import type { SignInNeeds } from './room.ts'
import type { SignInContext } from './sign-in-context.ts'
import { type DeviceInput, describeDevice } from './sign-in-device.ts'
import { completed, placeOf, signInIdOf } from './sign-in-events.ts'
import { markBrowser } from './signed-in-before.ts'
import type { SignIn } from './transaction.ts'
import { userIn } from './users.ts'

export interface Completion {
  signIn: SignIn
  /** The state that the sign-in must still be in. */
  from: SignInState
  proof: Proof
  device: DeviceInput
}

/** The user object without `sessionInfo`, which only an SDK's answer has. */
export type SignedIn = Omit<SignedInUser, 'sessionInfo'>

/**
 * One transaction ends the sign-in and stores its token. If several calls arrive at once, one gets
 * the user and the others are refused with `signInOver`.
 */
export async function completeSignIn(
  { signIn, from, proof, device }: Completion,
  context: SignInContext,
  needs: SignInNeeds,
): Promise<SignedIn> {
  const { clock, database, settings } = needs
  const { tenantId, appId, idHash, channel, method } = signIn.record
  const { login, secure, user, analysis, address } = await describeDevice(device, signIn.content, context, needs)
  const { addsTo } = signIn.content
  refuseElsewhere(signIn.content, analysis, context)
  const adding = addsTo && { personId: addsTo.personId, signInId: signInIdOf(idHash), appId }
  const userInTx = await userIn(tenantId, proof, needs, { adding, requestId: context.requestId })
  const now = clock.now()
  const timestamp = new Date(now).toISOString()
  const identities = proof.identities.map(
    ({ identityType, identityValue, verified }): Identity => ({
      identityType,
      identityValue,
      channel,
      methods: [method],
      verified,
      ...(verified && { verifiedAt: timestamp }),
    }),
  )
  const keys = await needs.tenantKeyring.keysOf(tenantId)
  const { profile } = proof
  const phoneNumber = provenNumber(identities)
  // Before the sign-in ends: a store that fails afterwards must not cost the person the code.
  const sign = await needs.idTokens.signer()
  const record = await needs.events.recorder(tenantId)
  const { token, personId } = await database.transaction(async (tx) => {
    if (!(await claimDone(tx, idHash, from, now))) throw new Refusal('signInOver')
    // The link is read here: one that is made at the same time moves what is stored under the minted id.
    const { personId, userId } = await userInTx(tx)
    const basis = basisOf(signIn, { personId, sessionId: context.sessionId, analysis, dfrId: user.dfrId })
    const made = newToken(
      { tenantId, login: { userId, timestamp, identities, ...login }, device: secure, basis },
      needs,
    )
    const done = { ...eventUser(userId, personId), tokenId: made.tokenId, deviceId: analysis?.deviceId }
    await confirmIn(tx, { tenantId, userId, personId, analysis, address, phoneNumber }, { keys, now, settings })
    await writeEvents(tx, [made.insert, ...record([completed(placeOf(signIn, context), done), made.event])])
    return { token: made.issued.token, personId }
  })
  const idToken = await sign({
    appId,
    userId: personId,
    signedInAt: now,
    identities,
    ...(profile && { profile }),
  })
  needs.metrics.count('signInSteps', 'completed', channel)
  await forgetNewNumber(signIn, needs)
  if (context.signedInBefore) markBrowser(context.signedInBefore, proof.identities, keys, now)
  return {
    token,
    status: 'SUCCESS',
    userId: personId,
    timestamp,
    identities,
    idToken,
    ...user,
  }
}

interface Basis {
  readonly personId: string
  readonly sessionId: string | undefined
  readonly analysis: Analysis | undefined
  readonly dfrId: string | undefined
}

function basisOf({ record }: SignIn, { personId, sessionId, analysis, dfrId }: Basis): TokenBasis {
  return {
    personId,
    ...(sessionId !== undefined && { sessionId }),
    ...(analysis && { analysis: { requestId: analysis.requestId, ...(dfrId !== undefined && { dfrId }) } }),
    ...(record.channel === 'MAGIC_LINK' && { isMagicLink: true }),
  }
}
