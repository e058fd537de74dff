// What closes a decision whose action is CHALLENGE? The token of a sign-in that the right person made after it.

import type { Decision, Identity, PassChallengeRequest, TokenVerification } from '@ringfence/contract'
import type { Call } from '../clients/call.ts'
import { Refusal } from '../core/errors.ts'
import type { JsonText } from '../core/json/json-text.ts'
import { ConditionFailed } from '../core/storage/database.ts'
import { readEmailAddress } from '../email/email-address.ts'
import type { RuleInput } from '../rules/vocabulary.ts'
import { tokenPassesChallenge } from '../sign-in/store/tokens.ts'
import { type AcceptedToken, acceptToken } from '../sign-in/tokens/exchange.ts'
import { orderOfDecision } from './events.ts'
import { type CodesReach, isProofOfPerson } from './phone.ts'
import { learnPassed } from './proven-later.ts'
import { findOwnDecision } from './read.ts'
import { answerOf } from './record.ts'
import type { DecisionsNeeds } from './room.ts'
import { challengePassedUpdate } from './store/decisions.ts'

/** Time to receive and enter a code, and to try again. */
export const challengeMs = 600_000

/**
 * The identities that may answer: those of the user, else the number and email address of the request. A code to a number whose SIM was
 * swapped, or whose calls are forwarded, reaches whoever did it. Empty: no sign-in can pass.
 */
export function identityTypesFor({ userId, phoneNumber, email }: RuleInput, codes: CodesReach): string[] {
  const mayBe = (value: string | undefined) => userId !== undefined || value !== undefined
  return [...(mayBe(phoneNumber) && codes !== 'diverted' ? ['MOBILE'] : []), ...(mayBe(email) ? ['EMAIL'] : [])]
}

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
  const { challenge } = record.basis
  const now = needs.clock.now()
  if (!challenge) throw notPassed('the action of the decision is not CHALLENGE')
  if (row.challengePassedAt !== null) return answerOf(record, row.challengePassedAt, now)
  if (now >= challenge.expiresAt) throw notPassed('the challenge has expired; make another decision')
  const accepted = await signInOf(token, tenantId, needs)
  if (accepted instanceof Refusal) return passedMeanwhile(accepted)
  const { login, key, isSingleUse } = accepted
  const mistake = whyNot(login, record.input, { identityTypes: challenge.identityTypes, decidedAt: row.decidedAt })
  if (mistake !== undefined) throw notPassed(mistake)
  const events = await needs.events.statements(tenantId, [
    {
      type: 'decision.challenge.passed',
      data: { decisionId, userId: login.userId },
      orderedBy: orderOfDecision(decisionId),
      subjects: { userId: login.userId, requestId: call.requestId },
      outcome: 'passed',
    },
  ])
  try {
    await needs.database.batch([
      challengePassedUpdate({ tenantId, decisionId }, now),
      tokenPassesChallenge(key, tenantId, { isSingleUse, at: now }),
      ...events,
    ])
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    return passedMeanwhile(notPassed('the token passed another challenge; sign in once more', error))
  }
  if (isProofOfPerson(login.identities, challenge.codes ?? 'undoubted')) {
    await learnPassed({ tenantId, decisionId }, call, needs)
  }
  return answerOf(record, now, now)

  /** A repeated call, at the same time as the first one, is a success too. */
  async function passedMeanwhile(otherwise: Refusal): Promise<JsonText<Decision>> {
    const first = await findOwnDecision(decisionId, tenantId, needs)
    if (first.row.challengePassedAt === null) throw otherwise
    return answerOf(first.record, first.row.challengePassedAt, now)
  }
}

type SignIn = Pick<TokenVerification, 'userId' | 'timestamp' | 'identities'>

/** The sign-in of a token, or why it is not accepted. */
async function signInOf(
  token: string,
  tenantId: string,
  needs: DecisionsNeeds,
): Promise<(Omit<AcceptedToken, 'text'> & { login: SignIn }) | Refusal> {
  try {
    const { text, ...accepted } = await acceptToken(token, 'login', tenantId, needs)
    return text === undefined ? notPassed('the token has no sign-in') : { ...accepted, login: JSON.parse(text) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const isExpired = error.failure === 'tokenExpired'
    return notPassed(isExpired ? 'the token has expired' : 'the token is unknown, used up or revoked', error)
  }
}

/** Why this sign-in does not pass; undefined when it does. */
function whyNot(
  { userId, timestamp, identities }: SignIn,
  decided: RuleInput,
  { identityTypes, decidedAt }: { identityTypes: readonly string[]; decidedAt: number },
): string | undefined {
  if (Date.parse(timestamp) < decidedAt) return 'the user signed in before the decision'
  if (identityTypes.length === 0) {
    return 'no sign-in can pass it: make another decision, with the userId or the email address of the person'
  }
  const allowed = identities.filter(({ identityType, verified }) => verified && identityTypes.includes(identityType))
  if (allowed.length === 0) return `the sign-in has no verified identity of ${identityTypes.join(' or ')}`
  // A page can choose number and email address, as in a change of number: its sender signs in with them as somebody else.
  const isOfPerson =
    decided.userId === undefined ? allowed.some((identity) => isOf(identity, decided)) : decided.userId === userId
  if (!isOfPerson) {
    return 'the sign-in is not of the user of the decision, or of its phone number or email address where it has no user'
  }
  return undefined
}

const isOf = ({ identityType, identityValue }: Identity, { phoneNumber, email }: RuleInput): boolean =>
  identityType === 'MOBILE' ? identityValue === phoneNumber : readEmailAddress(identityValue).address === email

const notPassed = (mistake: string, cause?: unknown) => new Refusal('challengeNotPassed', { mistake, cause })
