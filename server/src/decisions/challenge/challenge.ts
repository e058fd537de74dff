// What closes a decision whose action is CHALLENGE? The token of a sign-in that the right person made after it.

import type { Decision, Identity, PassChallengeRequest, TokenVerification } from '@ringfence/contract'
import type { Call } from '../../clients/call.ts'
import { Refusal } from '../../core/errors.ts'
import type { JsonText } from '../../core/json/json-text.ts'
import { ConditionFailed, UniqueViolation } from '../../core/storage/database.ts'
import { tokenPassesChallenge } from '../../sign-in/store/tokens.ts'
import type { TokenBasis } from '../../sign-in/tokens/basis.ts'
import { type AcceptedToken, acceptToken } from '../../sign-in/tokens/exchange.ts'
import { orderOfDecision } from '../events.ts'
import { otherNumber, otherNumberIn } from '../parts/other-number.ts'
import { partsWithin } from '../parts/parts.ts'
import { type CodesReach, isProofOfPerson } from '../parts/phone.ts'
import { linkingOf, moveLinked } from '../person/linking.ts'
import { isNamed, type PendingLink, personOfSignIn } from '../person/person.ts'
import { learnPassed } from '../proven-later.ts'
import { type FoundRecord, findOwnDecision } from '../read.ts'
import { answerOf, challengeOf, type DecisionRecord } from '../record/record.ts'
import { clearedReview } from '../reviews/cleared-review.ts'
import type { DecisionsNeeds } from '../room.ts'
import { challengePassedUpdate } from '../store/decisions.ts'
import { noteFailed } from './failed.ts'
import { addedLately } from './identities.ts'

/**
 * Records that the challenge was passed; a repeated call is a success. Refuses with `decisionUnknown`, and with `challengeNotPassed` when
 * the decision has no open challenge, or the token is not that of a later sign-in of its user with an allowed identity, or passed another one.
 */
export async function passChallenge(
  { decisionId, token }: PassChallengeRequest,
  call: Call,
  needs: DecisionsNeeds,
): Promise<JsonText<Decision>> {
  const { tenantId } = call.caller
  const { row, record } = await findOwnDecision(decisionId, tenantId, needs)
  const challenge = challengeOf(record)
  const now = needs.clock.now()
  if (!challenge) throw notPassed('the action of the decision is not CHALLENGE, and no reviewer asked for one')
  if (row.challengePassedAt !== null) return answerOf(record, row.challengePassedAt, now)
  if (record.asked && record.review?.state !== 'open') throw resolved()
  if (now >= challenge.expiresAt) throw expired()
  try {
    return await passWith(token, { row, record }, call, needs)
  } catch (error) {
    if (error instanceof Refusal && error.failure === 'challengeNotPassed') {
      await noteFailed(error, decisionId, record, call, needs)
    }
    throw error
  }
}

async function passWith(
  token: string,
  { row, record }: FoundRecord,
  call: Call,
  needs: DecisionsNeeds,
): Promise<JsonText<Decision>> {
  const { tenantId } = call.caller
  const { decisionId } = row
  const now = needs.clock.now()
  const accepted = await signInOf(token, tenantId, needs)
  if (accepted instanceof Refusal) return passedMeanwhile(accepted)
  const { login, key, isSingleUse, basis } = accepted
  const proof = await proofOf({ login, basis }, record, record.asked?.at ?? row.decidedAt, { call, needs })
  if ('mistake' in proof) throw notPassed(proof.mistake)
  const userId = record.input.userId ?? login.userId
  const links = await Promise.all(
    proof.links.map((link) => linkingOf(link, { decisionId, requestId: call.requestId }, needs)),
  )
  const events = await needs.events.statements(tenantId, [
    {
      type: 'decision.challenge.passed',
      data: { decisionId, userId },
      orderedBy: orderOfDecision(decisionId),
      subjects: { userId, requestId: call.requestId },
      outcome: 'passed',
    },
    ...links.flatMap((linking) => linking.events),
  ])
  const passes = record.asked
    ? await clearedReview(row, record, record.asked, now, needs)
    : [challengePassedUpdate({ tenantId, decisionId }, now)]
  try {
    await needs.database.batch([
      tokenPassesChallenge(key, tenantId, { isSingleUse, at: now }),
      ...links.flatMap(({ statements }) => statements),
      ...events,
      ...passes,
    ])
  } catch (error) {
    if (!(error instanceof ConditionFailed || error instanceof UniqueViolation)) throw error
    const otherLink = links.length > 0 ? ', or its user was linked to another id' : ''
    const mistake = error instanceof UniqueViolation ? taken : `the token passed another challenge${otherLink}`
    return passedMeanwhile(notPassed(`${mistake}; sign in once more`, error))
  }
  for (const link of proof.links) await moveLinked(link, call, needs)
  if (isProofOfPerson(login.identities, proof.codes)) {
    await learnPassed({ tenantId, decisionId }, call, needs)
  }
  return answerOf(record, now, now)

  /** A repeated call, at the same time as the first one, is a success too. */
  async function passedMeanwhile(otherwise: Refusal): Promise<JsonText<Decision>> {
    const first = await findOwnDecision(decisionId, tenantId, needs)
    if (first.row.challengePassedAt === null) {
      if (first.record.asked && first.record.review?.state !== 'open') throw resolved()
      throw first.row.challengeExpiredAt === null ? otherwise : expired()
    }
    return answerOf(first.record, first.row.challengePassedAt, now)
  }
}

interface SignIn {
  readonly login: Pick<TokenVerification, 'userId' | 'timestamp' | 'identities'>
  readonly basis: TokenBasis
}

/** The sign-in of a token, or why it is not accepted. */
async function signInOf(
  token: string,
  tenantId: string,
  needs: DecisionsNeeds,
): Promise<(Omit<AcceptedToken, 'text'> & SignIn) | Refusal> {
  try {
    const { text, ...accepted } = await acceptToken(token, 'login', tenantId, needs)
    return text === undefined ? notPassed('the token has no sign-in') : { ...accepted, login: JSON.parse(text) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const isExpired = error.failure === 'tokenExpired'
    return notPassed(isExpired ? 'the token has expired' : 'the token is unknown, used up or revoked', error)
  }
}

interface Proof {
  readonly codes: CodesReach
  readonly links: readonly PendingLink[]
}

/** What the sign-in shows: who received its code, and which people it links to the user of the decision, or why it does not pass. */
async function proofOf(
  { login, basis }: SignIn,
  record: DecisionRecord,
  since: number,
  { call, needs }: { readonly call: Call; readonly needs: DecisionsNeeds },
): Promise<Proof | { readonly mistake: string }> {
  const { input, asked } = record
  const { tenantId } = call.caller
  const { identityTypes, link: pending, isNumberInDoubt = false } = challengeOf(record)!
  const { userId, phoneNumber: digits } = input
  const email = input.email?.address
  if (Date.parse(login.timestamp) < since) {
    return { mistake: `the user signed in before ${asked ? 'the challenge' : 'the decision'}` }
  }
  const added = basis.personId === undefined ? [] : await addedLately(tenantId, basis.personId, needs)
  const isUsable = ({ identityType, identityValue, verified }: Identity) =>
    verified &&
    identityTypes.includes(identityType) &&
    !(isNumberInDoubt && identityType === 'MOBILE' && identityValue === digits) &&
    !added.some(({ type, value }) => type === identityType && value === identityValue)
  const proved = login.identities.filter(isUsable)
  if (proved.length === 0) {
    return { mistake: `the sign-in has no verified identity of ${identityTypes.join(' or ')} that may answer` }
  }
  const named = { userId, digits, email }
  const person = await personOfSignIn({ ...login, identities: proved }, basis, named, { tenantId, needs })
  // Whoever proved only a named number may have swapped its SIM: nothing else of that sign-in is known of the user.
  const isPending = pending?.by === 'new' && pending.personId === basis.personId
  if ('why' in person && !isPending) return { mistake: notOfPerson }
  if (userId === undefined && !proved.some((identity) => isNamed(identity, { digits, email }))) {
    return { mistake: notOfPerson }
  }
  const codes = await codesOf(proved, record, { call, needs })
  if (codes === undefined) return { mistake: diverted }
  const links = [pending, 'link' in person ? person.link : undefined].filter((link) => link !== undefined)
  return { codes, links: [...new Map(links.map((link) => [link.personId, link])).values()] }
}

/**
 * Who received the code of the sign-in. Of another number than that of the decision nothing was asked yet. Undefined: it proves nothing,
 * because somebody else receives codes to it, or because nobody knows and a number is what the decision required.
 */
async function codesOf(
  proved: readonly Identity[],
  record: DecisionRecord,
  { call, needs }: { readonly call: Call; readonly needs: DecisionsNeeds },
): Promise<CodesReach | undefined> {
  const { input, answer } = record
  const digits = otherNumberIn(proved, input.phoneNumber)
  if (digits === undefined) return challengeOf(record)?.codes ?? 'undoubted'
  const { consent, missing }: Decision = JSON.parse(answer.text)
  const { live } = await needs.rules.current(call.caller.tenantId)
  const parts = partsWithin(call.waitMs ?? 1000, needs.log, call.requestId)
  try {
    const codes = (await otherNumber(digits, { live, input, consent }, parts, call, needs))?.codes ?? 'unknown'
    const isRequired = missing.some(({ what }) => what === 'phone')
    return codes === 'diverted' || (codes === 'unknown' && isRequired) ? undefined : codes
  } finally {
    parts.end()
  }
}

const diverted =
  'a code to the phone number of the sign-in may have reached somebody else; sign in with another identity'
const taken = 'the id of the user was given to somebody else'
const notOfPerson =
  'the sign-in is not of the user of the decision, and has neither the phone number nor the email address that the decision names'

const resolved = () => notPassed('a reviewer has resolved the decision')
const expired = () => notPassed('the challenge has expired; make another decision')
const notPassed = (mistake: string, cause?: unknown) => new Refusal('challengeNotPassed', { mistake, cause })
