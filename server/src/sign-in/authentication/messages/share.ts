// Whose part of a person's limits does a call use up? A stranger must not be able to spend what the person and the tenant's backend have.

import { knownForAccount } from '../../../accounts/devices/known-for-account.ts'
import { Refusal } from '../../../core/errors.ts'
import { latestAnalysisOf } from '../../../device/store/find-analysis.ts'
import type { SignInNeeds } from '../room.ts'
import type { SignInContext } from '../sign-in-context.ts'
import { hasSignedInBefore } from '../signed-in-before.ts'
import type { Recipient } from '../transaction.ts'
import { userWith } from '../users.ts'

/** Each has the whole limit for itself. `known`: a device that signed in with the identity before. */
export const shares = ['strangers', 'known', 'backend'] as const
export type Share = (typeof shares)[number]

export type ShareContext = Pick<SignInContext, 'tenantId' | 'appId' | 'sessionId' | 'signedInBefore' | 'requestId'>

/**
 * Counts with the share of the caller. Whether the session's device is one of the user is looked up only when strangers have used up
 * theirs, so that ordinary calls do not pay for it. Refuses as `count` does.
 */
export async function withinShare<Counted>(
  recipient: Recipient,
  context: ShareContext,
  needs: SignInNeeds,
  count: (share: Share, needs: SignInNeeds) => Promise<Counted>,
): Promise<Counted> {
  const { sessionId, tenantId } = context
  if (sessionId === undefined) return count('backend', needs)
  if (await hasSignedInBefore(tenantId, recipient, context.signedInBefore, needs)) return count('known', needs)
  // Metrics show what was refused in the end, not that the caller had to be looked up.
  const refusals: (() => void)[] = []
  const { metrics } = needs
  const later: typeof metrics.count = (...counted) => void refusals.push(() => metrics.count(...counted))
  try {
    return await count('strangers', { ...needs, metrics: { ...metrics, count: later } })
  } catch (error) {
    const isLimited = error instanceof Refusal && error.failure === 'messagesLimited'
    if (isLimited && (await isDeviceOfUser(recipient, sessionId, context, needs))) return count('known', needs)
    for (const countIt of refusals) countIt()
    throw error
  }
}

/** By its key or token, as facts can be copied. An error says no: the call then counts as a stranger's. */
async function isDeviceOfUser(
  { type, value }: Recipient,
  sessionId: string,
  { tenantId, appId, requestId }: ShareContext,
  needs: SignInNeeds,
): Promise<boolean> {
  try {
    const latest = await latestAnalysisOf(sessionId, { tenantId, appId }, needs)
    const userId = latest && (await userWith(tenantId, { identityType: type, identityValue: value }, needs))
    if (!latest || userId === undefined) return false
    return (await knownForAccount({ tenantId, userId, analysis: latest.analysis }, needs)).answer === 'yes'
  } catch (error) {
    needs.log.warn({ err: error, requestId }, 'could not look up whether a device signed in before')
    return false
  }
}
