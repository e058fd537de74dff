// What becomes of the session of a decision when it is proven, or turns out bad? Its device, and what its account learns.

import { confirmDevice, type DoubtedSignIn, takeBackSignIn } from '../accounts/devices/confirm.ts'
import { learnIn } from '../accounts/learn.ts'
import type { Call } from '../clients/call.ts'
import type { Analysis } from '../device/analysis/analyse.ts'
import { historySince } from '../device/history/retention.ts'
import { analysisOf } from '../device/store/find-analysis.ts'
import { accountHashOf } from '../events/subject-hashes.ts'
import { findRecord } from './read.ts'
import type { DecisionsNeeds } from './room.ts'
import type { DecisionKey } from './store/decisions.ts'

/** Of the session of a decision, under the id of its user. */
interface DecidedSession {
  readonly tenantId: string
  readonly userId: string
  readonly analysis: Analysis
}

/** The device of a proven decision is the user's, as after a sign-in. */
export const confirmDecided = (
  session: DecidedSession,
  { requestId }: Pick<Call, 'requestId'>,
  needs: DecisionsNeeds,
) =>
  onlyLogged('could not confirm the device of a decision', requestId, needs, () =>
    confirmDevice({ ...session, isTrusted: true, byDecision: true }, needs),
  )

/** A code that somebody diverted proves nothing, but its sign-in did before the decision knew. */
export const doubtSignIn = (session: DoubtedSignIn, { requestId }: Pick<Call, 'requestId'>, needs: DecisionsNeeds) =>
  onlyLogged('could not take back the sign-in of a decision', requestId, needs, () => takeBackSignIn(session, needs))

/** The user of a decision passed its challenge. */
export const learnPassed = (decision: DecisionKey, { requestId }: Pick<Call, 'requestId'>, needs: DecisionsNeeds) =>
  onlyLogged('could not learn from a passed challenge', requestId, needs, () =>
    sessionTurnedOut(decision, { isTrusted: true }, needs),
  )

/** What it follows from is stored already: a failure is only logged. */
export async function onlyLogged(
  failed: string,
  requestId: string,
  { log }: Pick<DecisionsNeeds, 'log'>,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work()
  } catch (err) {
    log.warn({ err, requestId }, failed)
  }
}

/**
 * A challenge that was passed, and a good label, prove the session of a decision: its device is the user's, and the account learns from
 * it. A bad label ends the trust in the device. Does nothing for a decision without a user.
 */
export async function sessionTurnedOut(
  { tenantId, decisionId }: DecisionKey,
  { isTrusted }: { readonly isTrusted: boolean },
  needs: DecisionsNeeds,
): Promise<void> {
  const found = await findRecord({ tenantId, decisionId }, needs)
  const userId = found?.record.input.userId
  if (!found || userId === undefined) return
  const { dfrId } = found.row
  const analysis = dfrId === null ? undefined : await analysisOf({ dfrId }, { tenantId }, needs)
  if (analysis) await confirmDevice({ tenantId, userId, analysis, isTrusted, byDecision: true }, needs)
  const { shown } = found.record.basis
  if (!isTrusted || !shown) return
  const { database, tenantKeyring, clock, settings } = needs
  const keys = await tenantKeyring.keysOf(tenantId)
  const account = { tenantId, accountHash: accountHashOf(userId, keys) }
  const since = historySince(clock.now(), settings)
  await database.transaction((tx) => learnIn(tx, account, { shown, since }, keys))
}
