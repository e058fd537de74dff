// How does a backend ask for a decision, and what follows it?

import { Decision, DecisionRequest, PassChallengeRequest, ReadDecisionRequest } from '../decisions.ts'
import { aboutConsent, type Endpoint, everyClientCall, refused } from './endpoint.ts'

const decisions = {
  caller: 'client',
  scope: 'decisions',
  errorFormat: 'telecom',
  tag: 'Decisions',
  accepted: 'The decision',
} as const

const refusals = {
  ...everyClientCall,
  400: refused('A field is missing or wrong', 'field-invalid', 'invalid-json', 'invalid-deadline'),
} as const

const unknown = refused('There is no such decision of yours, or it has expired', 'decision-unknown')

export const decisionEndpoints = {
  decide: {
    ...decisions,
    method: 'POST',
    path: '/v1/decisions',
    summary: 'Make a decision',
    description:
      'Looks up phone number, sign-in and device side by side, evaluates your rules, and says what to do and why. Every field is optional, but name at least one of userId, phoneNumber, email, ip, token and dfrId. A token or dfrId that is not accepted is no error, since the page chose it: it is in `missing`, and rules read it.',
    request: DecisionRequest,
    idempotencyKey: true,
    answer: Decision,
    // The stories of docs/guides/decision-stories.md.
    answerSamples: [
      'usual-device',
      'new-device',
      'swapped-sim',
      'swapped-sim-new-device',
      'forwarded-calls',
      'known-fraud-device',
      'bot',
      'impossible-travel',
    ],
    refusals: {
      ...refusals,
      400: refused(
        'A field is missing or wrong',
        'field-invalid',
        'invalid-phone-number',
        'invalid-json',
        'invalid-deadline',
        ...aboutConsent,
      ),
      409: refused('The Idempotency-Key was used with another body', 'idempotency-key-reused'),
    },
  },
  readDecision: {
    ...decisions,
    method: 'GET',
    path: '/v1/decisions/{decisionId}',
    summary: 'Read a decision',
    description: 'Returns a stored decision, with the present state of its challenge.',
    request: ReadDecisionRequest,
    fieldFailures: { decisionId: 'decisionUnknown' },
    answer: Decision,
    answerSamples: ['usual-device', 'challenge'],
    refusals: { ...refusals, 404: unknown },
  },
  passChallenge: {
    ...decisions,
    method: 'POST',
    path: '/v1/decisions/{decisionId}/challenge',
    summary: 'Pass the challenge of a decision',
    description:
      'Send the token of a sign-in that the user made after the decision. It must be of the user of the decision, with one of the identityTypes of the challenge. Where the decision names no user, it must be of its phone number or email address. A sign-in by another phone number than that of the decision is checked as your rules check numbers, and does not pass after a SIM swap or while calls are forwarded. A token passes one challenge; repeating the call is a success.',
    request: PassChallengeRequest,
    fieldFailures: { decisionId: 'decisionUnknown' },
    answer: Decision,
    answerSamples: ['challenge-passed'],
    refusals: {
      ...refusals,
      400: refused('The token does not pass the challenge', 'challenge-not-passed', 'field-invalid'),
      404: unknown,
    },
  },
} as const satisfies Record<string, Endpoint>
