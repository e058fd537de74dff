// POST /v1/decisions: may this person do this? Looks up all parts, evaluates the rules, and stores what was decided and why.

import type { Decision, DecisionRequest } from '@ringfence/contract'
import type { Call } from '../clients/call.ts'
import { nat64Prefixes } from '../core/address/nat64-prefixes.ts'
import type { TenantKeys } from '../core/crypto/keyring.ts'
import { JsonText } from '../core/json/json-text.ts'
import { ConditionFailed, UniqueViolation } from '../core/storage/database.ts'
import { newUuidAt } from '../core/storage/uuid.ts'
import { idsIn } from '../device/store/record.ts'
import { identificationOf } from '../device-report/include/identification.ts'
import { type Evaluation, evaluate } from '../rules/evaluate.ts'
import type { LoadedRules } from '../rules/loaded-rules.ts'
import { isStronger } from '../rules/requirements/required.ts'
import type { CurrentRules } from '../rules/rule-sets.ts'
import { challengeMs } from './challenge/identities.ts'
import { type Passable, withPassable } from './challenge/passable.ts'
import { eventsOf, subjectsOf } from './events.ts'
import { type Gathered, gather } from './gather.ts'
import { decidedBefore, type Sent, sentBy } from './idempotency.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import { inOrder } from './parts.ts'
import { linkingOf, mayLink, moveLinked } from './person/linking.ts'
import { phoneMember } from './phone.ts'
import { confirmDecided, doubtSignIn } from './proven-later.ts'
import { answerOf, type DecisionBasis, type DecisionRecord, sealDecision } from './record.ts'
import { type CheckedRequest, checkRequest } from './request.ts'
import type { DecisionsNeeds } from './room.ts'
import { doubtsSignIn, provesSession } from './session.ts'
import { decisionInsert } from './store/decisions.ts'
import { explained } from './verdict/explained.ts'

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
  const request = checkRequest(body, nat64Prefixes(needs.settings), call.waitMs)
  const { tenantId } = call.caller
  // Whether a sign-in has a number is not known yet, so its token counts as one.
  const isAboutNumber = request.digits !== undefined || request.token !== undefined
  if (isAboutNumber || request.consent) needs.telecom.purposes.admit(tenantId, request.consent)
  const keys = await needs.tenantKeyring.keysOf(tenantId)
  const sent = sentBy(body, call, keys)
  for (let attempt = 1; ; attempt++) {
    const before = await decidedBefore(sent, keys, needs)
    if (before) return before
    try {
      return await decideNow(request, sent, { call, keys }, needs)
    } catch (error) {
      // The same request, at the same time; or another one used the token or the report first.
      const isTaken = error instanceof UniqueViolation || error instanceof ConditionFailed
      if (!isTaken || attempt === mostAttempts) throw error
    }
  }
}

/** Throws UniqueViolation when the request was decided meanwhile, and ConditionFailed when its token was used meanwhile. */
async function decideNow(
  request: CheckedRequest,
  sent: Sent,
  { call, keys }: { call: Call; keys: TenantKeys },
  needs: DecisionsNeeds,
): Promise<JsonText<Decision>> {
  const { tenantId } = sent
  const { clock, compression, database, metrics } = needs
  const rules = await needs.rules.current(tenantId)
  const gathered = await gather({ request, rules, call, keys }, needs)
  const { state, device, account } = gathered
  const now = clock.now()
  const decisionId = newUuidAt(now)
  const evaluation = evaluate(rules.live.rules, state.live, state.inList)
  const { outcome, passable } = await withPassable(
    outcomeOf(rules.live, evaluation, state.live),
    gathered,
    { tenantId, warnBelow: rules.live.requirements.warnBelow },
    needs,
  )
  const answer = await answerTo(
    gathered,
    { evaluation, outcome },
    { decisionId, now, live: rules.live, tenantId, consent: request.consent },
    needs,
  )
  const { action } = outcome
  const record: DecisionRecord = {
    answer: new JsonText(JSON.stringify(answer)),
    input: state.live,
    basis: {
      ...basisOf(gathered, { outcome, passable }, rules, now),
      ...(sent.checksums && { sent: sent.checksums }),
    },
    ...(action === 'REVIEW' && { review: { state: 'open' } }),
  }
  const ids = [decisionId, ...(device ? idsIn(device.analysis) : [])]
  const key = { tenantId, decisionId }
  const sealed = sealDecision(record, key, ids, keys, compression)
  const subjects = subjectsOf(answer, state.live, account?.knowledge.accountHash, keys)
  const row = {
    ...key,
    ...sent,
    decidedAt: now,
    dfrId: device?.dfrId,
    isReviewed: action === 'REVIEW',
    subjects,
    sealed,
  }
  const linking = mayLink(gathered, action)
    ? await linkingOf(gathered.link, { decisionId, requestId: call.requestId }, needs)
    : undefined
  const isProof = account !== undefined && !(gathered.link && !linking) && provesSession(account, action, gathered)
  const statements = [
    decisionInsert(row),
    ...gathered.claims,
    ...state.statements,
    ...(linking?.statements ?? []),
    ...(account && isProof ? account.knowledge.lessonOf(account.shown) : []),
    ...(await needs.events.statements(tenantId, [
      ...eventsOf(answer, state.live, {
        requestId: call.requestId,
        hashes: subjects,
      }),
      ...(linking?.events ?? []),
    ])),
  ]
  await database.batch(statements)
  if (linking) await moveLinked(gathered.link!, call, needs)
  const { userId } = state.live
  if (userId !== undefined) {
    const session = { tenantId, userId, requestId: call.requestId }
    const { analysis: signedInOn } = gathered.signedInOn ?? device ?? {}
    if (isProof && device) await confirmDecided({ ...session, analysis: device.analysis }, needs)
    else if (signedInOn && doubtsSignIn(action, gathered))
      await doubtSignIn({ ...session, analysis: signedInOn }, needs)
  }
  metrics.count('decisions', answer.action)
  for (const { what, why } of answer.missing) metrics.count('decisionParts', what, why)
  for (const id of answer.rules.fired) metrics.count('rulesFired', id)
  return answerOf(record, null, now)
}

interface AnswerBasis {
  readonly consent: CheckedRequest['consent'] | undefined
  readonly decisionId: string
  readonly now: number
  readonly live: LoadedRules
  readonly tenantId: string
}

async function answerTo(
  { state, phone, login, device, account, missing }: Gathered,
  { evaluation, outcome }: { evaluation: Evaluation; outcome: Outcome },
  { decisionId, now, live, tenantId, consent }: AnswerBasis,
  needs: DecisionsNeeds,
): Promise<Decision> {
  const { userId } = state.live
  const identification =
    device &&
    (await identificationOf(
      { tenantId, analysis: device.analysis, report: device.report, ...(userId !== undefined && { userId }) },
      needs,
      account?.knowledge.known,
    ))
  const { action, message, decisive, required } = outcome
  const unknown = inOrder(missing, required)
  const isInformed = phone !== undefined || login !== undefined || device !== undefined
  const { reasons, score, verdict } = explained({ live, state, evaluation, outcome, missing: unknown, isInformed })
  return {
    decisionId,
    createdAt: new Date(now).toISOString(),
    action,
    verdict,
    score,
    ...(message !== '' && { message }),
    reasons,
    ...(consent && { consent }),
    ...(phone && { phone: phoneMember(phone, now) }),
    ...(login && { login }),
    ...(device && { device: { ...JSON.parse(device.report.answer.text), ...(identification && { identification }) } }),
    ...(account && { account: account.input as NonNullable<Decision['account']> }),
    rules: {
      version: live.version,
      fired: evaluation.fired.map(({ id }) => id),
      ...(decisive && { decisive: decisive.id }),
    },
    missing: unknown,
  }
}

function basisOf(
  { state, account, codes, link }: Gathered,
  { outcome: { action, decisive }, passable }: { outcome: Outcome; passable: Passable | undefined },
  { live, shadow }: CurrentRules,
  now: number,
): DecisionBasis {
  const shadowed = shadow && evaluate(shadow.rules, state.shadow, state.inList)
  const wouldRequire = live.requirements.isEnforced ? undefined : live.requirements.of(state.live)
  return {
    ...(passable && { challenge: { ...passable, ...(link && { link }), expiresAt: now + challengeMs, codes } }),
    ...(account && { shown: account.shown }),
    ...(action === 'REVIEW' && decisive && { reviewRule: decisive.name }),
    ...(wouldRequire && isStronger(wouldRequire.action, action) && { required: wouldRequire }),
    ...(shadow &&
      shadowed && {
        shadow: {
          version: shadow.version,
          action: outcomeOf(shadow, shadowed, state.shadow).action,
          fired: shadowed.fired.map(({ id }) => id),
        },
      }),
  }
}
