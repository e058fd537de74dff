// What becomes of the session of a decision when it is proven, or turns out bad? Its device, and what its account learns.

import { confirmDevice, takeBackSignIn } from '../accounts/devices/confirm.ts'
import { learnIn } from '../accounts/learn.ts'
import type { Call } from '../clients/call.ts'
import type { Analysis } from '../device/analysis/analyse.ts'
import { historySince } from '../device/history/retention.ts'
import { analysisOf } from '../device/store/find-analysis.ts'
import { accountHashOf } from '../events/subject-hashes.ts'
import { openDecision } from './record.ts'
import { decidedSince } from './retention.ts'
import type { DecisionsNeeds } from './room.ts'
import { dfrIdOfDecision, findDecision } from './store/decisions.ts'

/** The device of a proven decision is the user's, as after a sign-in. The decision is made: a failure is only logged. */
export async function confirmDecided(
  of: { readonly tenantId: string; readonly userId: string; readonly analysis: Analysis; readonly requestId: string },
  needs: DecisionsNeeds,
): Promise<void> {
  const { requestId, ...session } = of
  try {
    await confirmDevice({ ...session, isTrusted: true, byDecision: true }, needs)
  } catch (err) {
    needs.log.warn({ err, requestId }, 'could not confirm the device of a decision')
  }
}

/** A code that somebody diverted proves nothing, but its sign-in did before the decision knew. It is made: a failure is only logged. */
export async function doubtSignIn(
  of: { readonly tenantId: string; readonly userId: string; readonly analysis: Analysis; readonly requestId: string },
  needs: DecisionsNeeds,
): Promise<void> {
  const { requestId, ...session } = of
  try {
    await takeBackSignIn(session, needs)
  } catch (err) {
    needs.log.warn({ err, requestId }, 'could not take back the sign-in of a decision')
  }
}

/** The user of a decision passed its challenge. That is stored already: a failure is only logged. */
export async function learnPassed(
  of: { readonly tenantId: string; readonly decisionId: string },
  { requestId }: Call,
  needs: DecisionsNeeds,
): Promise<void> {
  try {
    await sessionTurnedOut(of, { isTrusted: true }, needs)
  } catch (err) {
    needs.log.warn({ err, requestId }, 'could not learn from a passed challenge')
  }
}

/**
 * A challenge that was passed, and a good label, prove the session of a decision: its device is the user's, and the account learns from
 * it. A bad label ends the trust in the device. Does nothing for a decision without a user.
 */
export async function sessionTurnedOut(
  { tenantId, decisionId }: { readonly tenantId: string; readonly decisionId: string },
  { isTrusted }: { readonly isTrusted: boolean },
  needs: DecisionsNeeds,
): Promise<void> {
  const { database, tenantKeyring, compression, clock, settings } = needs
  const now = clock.now()
  const since = decidedSince(now, settings)
  const [row, dfrId] = await Promise.all([
    findDecision(database, { tenantId, decisionId }, since),
    dfrIdOfDecision(database, { tenantId, decisionId }, since),
  ])
  if (!row) return
  const keys = await tenantKeyring.keysOf(tenantId)
  const { input, basis } = openDecision(row, keys, compression)
  const { userId } = input
  if (userId === undefined) return
  const analysis = dfrId == null ? undefined : await analysisOf({ dfrId }, { tenantId }, needs)
  if (analysis) await confirmDevice({ tenantId, userId, analysis, isTrusted, byDecision: true }, needs)
  const { shown } = basis
  if (!isTrusted || !shown) return
  const account = { tenantId, accountHash: accountHashOf(userId, keys) }
  await database.transaction((tx) => learnIn(tx, account, { shown, since: historySince(now, settings) }, keys))
}
