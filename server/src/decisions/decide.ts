// POST /v1/decisions: may this person do this? Looks up all parts, evaluates the rules, and stores what was decided and why.

import type { Decision, DecisionRequest } from '@ringfence/contract'
import { effectiveUserIdOf } from '../accounts/person.ts'
import type { Call } from '../clients/call.ts'
import type { JsonText } from '../core/json/json-text.ts'
import { type BatchStatement, ConditionFailed, UniqueViolation } from '../core/storage/database.ts'
import { newUuidAt } from '../core/storage/uuid.ts'
import { idsIn } from '../device/store/record.ts'
import { answerTo } from './answer.ts'
import { eventsOf, subjectsOf } from './events.ts'
import { gather, type Inquiry } from './gather.ts'
import { decidedBefore, type Sent, sentBy } from './idempotency.ts'
import { type Deciding, judge } from './judge.ts'
import type { Outcome } from './outcome.ts'
import { type Linking, linkingOf, mayLink, moveLinked } from './person/linking.ts'
import { confirmDecided, doubtSignIn } from './proven-later.ts'
import { countedFacts } from './record/counted-facts.ts'
import { answerOf, type DecisionRecord, sealDecision } from './record/record.ts'
import { recordOf } from './record-of.ts'
import { type CheckedRequest, checkRequest } from './request.ts'
import type { DecisionsNeeds } from './room.ts'
import { doubtsSignIn, provesSession } from './session.ts'
import { decisionInsert } from './store/decisions.ts'

/**
 * Between a look-up and the commit, other calls may name the report for other users, four times at most; one may use the token, and
 * then a repeated request may be decided, once each.
 */
const mostAttempts = 7

/**
 * With an Idempotency-Key, a repeated request gets the decision that was made, and nothing is stored or counted again. An operator is not
 * called again either, unless both requests arrive at the same time: then each may call it before one of them commits.
 * Refuses with `fieldInvalid`, `invalidPhoneNumber`, `consentRequired`, `consentNotAllowed` and `idempotencyKeyReused`.
 */
export async function decide(body: DecisionRequest, call: Call, needs: DecisionsNeeds): Promise<JsonText<Decision>> {
  const request = checkRequest(body, needs.settings, call.waitMs)
  const { tenantId } = call.caller
  // Whether a sign-in has a number is not known yet, so its token counts as one.
  const isAboutNumber = request.digits !== undefined || request.token !== undefined
  if (isAboutNumber || request.consent) needs.telecom.purposes.admit(tenantId, request.consent)
  const keys = await needs.tenantKeyring.keysOf(tenantId)
  const sent = sentBy(body, call, keys)
  const storing = needs.telecom.answers.ofCall()
  try {
    for (let attempt = 1; ; attempt++) {
      const before = await decidedBefore(sent, keys, needs)
      if (before) return before
      try {
        return await decideNow(request, sent, { call, keys, storing }, needs)
      } catch (error) {
        // The same request, at the same time; or another one used the token or the report first.
        const isTaken = error instanceof UniqueViolation || error instanceof ConditionFailed
        if (!isTaken || attempt === mostAttempts) throw error
      }
    }
  } finally {
    storing.end()
  }
}

/** Throws UniqueViolation when the request was decided meanwhile, and ConditionFailed when its token was used meanwhile. */
async function decideNow(
  sentRequest: CheckedRequest,
  sent: Sent,
  { call, keys, storing }: Pick<Inquiry, 'call' | 'keys' | 'storing'>,
  needs: DecisionsNeeds,
): Promise<JsonText<Decision>> {
  const { tenantId } = sent
  const rules = await needs.rules.current(tenantId)
  const { userId: named } = sentRequest
  const userId = named === undefined ? undefined : await effectiveUserIdOf(tenantId, named, needs)
  const request = { ...sentRequest, userId }
  const gathered = await gather({ request, rules, call, keys, storing }, needs)
  const judged = await judge(gathered, rules, tenantId, needs)
  const now = needs.clock.now()
  const decision = { tenantId, decisionId: newUuidAt(now), now, gathered, judged, rules, call, keys }
  const answer = await answerTo(decision, request.consent, needs)
  const record = recordOf(decision, answer, sent.checksums)
  const linking = mayLink(gathered, judged.outcome.action)
    ? await linkingOf(gathered.link, { decisionId: decision.decisionId, requestId: call.requestId }, needs)
    : undefined
  const { account } = gathered
  // Whoever is not linked teaches nothing about the user.
  const isUser = linking !== undefined || !gathered.link
  const isProof = isUser && account !== undefined && provesSession(account, judged.outcome.action, gathered)
  const statements = await statementsOf({ ...decision, sent, answer, record, linking, isProof }, needs)
  await storing.storeWith((answers) => needs.database.batch([...statements, ...answers]))
  if (linking) await moveLinked(gathered.link!, call, needs)
  await learnAfter(decision, isProof, needs)
  count(answer, needs)
  call.provenance.decision = { id: answer.decisionId, action: answer.action, missing: answer.missing }
  return answerOf(record, null, now)
}

interface Decided extends Deciding {
  readonly sent: Sent
  readonly answer: Decision
  readonly record: DecisionRecord
  readonly linking: Linking | undefined
  readonly isProof: boolean
}

/** By the rule that decided; null: the deadline of reviews holds. */
const reviewDueAt = ({ action, decisive }: Outcome, now: number) =>
  action === 'REVIEW' && decisive?.reviewHours !== undefined ? now + decisive.reviewHours * 3_600_000 : null

/** The decision with all that follows from it, for one commit. */
async function statementsOf(decided: Decided, needs: DecisionsNeeds): Promise<BatchStatement[]> {
  const { tenantId, decisionId, now, gathered, judged, call, keys, sent, answer, record, linking, isProof } = decided
  const { state, device, account } = gathered
  const key = { tenantId, decisionId }
  const ids = [decisionId, ...(device ? idsIn(device.analysis) : [])]
  const subjects = subjectsOf(answer, state.live, account?.knowledge.accountHash, keys)
  const events = [
    ...eventsOf(answer, state.live, {
      requestId: call.requestId,
      hashes: subjects,
      aside: countedFacts(answer, state.live, record.basis, needs.settings),
    }),
    ...(linking?.events ?? []),
  ]
  return [
    decisionInsert({
      ...key,
      ...sent,
      decidedAt: now,
      dfrId: device?.dfrId ?? null,
      isReviewed: judged.outcome.action === 'REVIEW',
      reviewDueAt: reviewDueAt(judged.outcome, now),
      subjects,
      sealed: sealDecision(record, key, ids, keys, needs.compression),
    }),
    ...gathered.claims,
    ...state.statements,
    ...(linking?.statements ?? []),
    ...(account && isProof ? account.knowledge.lessonOf(account.shown) : []),
    ...(await needs.events.statements(tenantId, events)),
  ]
}

/** What the session shows about the devices of the user. */
async function learnAfter(
  { tenantId, gathered, judged, call }: Deciding,
  isProof: boolean,
  needs: DecisionsNeeds,
): Promise<void> {
  const { state, device, signedInOn, login } = gathered
  const { userId } = state.live
  if (userId === undefined) return
  const session = { tenantId, userId }
  if (isProof && device) return confirmDecided({ ...session, analysis: device.analysis }, call, needs)
  if (!doubtsSignIn(judged.outcome.action, gathered)) return
  const doubted = signedInOn ?? device
  if (doubted) await doubtSignIn({ ...session, analysis: doubted.analysis }, call, needs)
  const { network, timestamp } = login ?? {}
  // Of networks that nobody knows, one is as good as another.
  if (signedInOn || timestamp === undefined || !(network?.ipLocation.asn || network?.ipLocation.country)) return
  await doubtSignIn({ ...session, network, at: Date.parse(timestamp) }, call, needs)
}

function count({ action, missing, rules }: Decision, { metrics }: DecisionsNeeds): void {
  metrics.count('decisions', action)
  for (const { what, why } of missing) metrics.count('decisionParts', what, why)
  for (const id of rules.fired) metrics.count('rulesFired', id)
}
