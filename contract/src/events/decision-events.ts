// Which events does a decision have, with its challenge and its review? Part of the table in events.ts.

import Type from 'typebox'
import { decisionActions } from '../decisions.ts'
import { event, maybe, text } from './meaning.ts'

const userId = text('Your id of the user, or that of a user who signed in here')
const phoneNumber = text('Digits with country code')
const ipAddress = text('IP address of the person')

export const decisionEvents = {
  'decision.created': event(
    'A decision was made',
    {
      decisionId: text('The decision'),
      action: Type.Enum([...decisionActions], { description: 'REVIEW: it waits for a review' }),
      operation: maybe(text('The `action` of the request, such as PAYMENT')),
      score: Type.Number({ description: '0 to 100' }),
      verdict: text('What decided, what was not known, and what would have changed the answer. Without personal data'),
      reasons: Type.Array(Type.String(), { description: 'Codes of the reasons' }),
      rules: Type.Array(Type.String(), { description: 'Ids of the rules that fired' }),
      missing: maybe(
        Type.Array(Type.String(), { description: 'Parts that were asked for or required and are not known' }),
      ),
      userId: maybe(userId),
      phoneNumber: maybe(phoneNumber),
      deviceId: maybe(text('The device')),
      ipAddress: maybe(ipAddress),
    },
    {
      decisionId: '01933b2e-7c1a-7b5e-9d0f-3f2a1b4c5d6e',
      action: 'CHALLENGE',
      operation: 'PAYMENT',
      score: 62,
      verdict:
        'Challenged by Payment after a SIM swap: the SIM was swapped within 72 hours. Without this rule it would have been allowed.',
      reasons: ['SIM_SWAPPED', 'RULE'],
      rules: ['fresh-swap-payment'],
      userId: 'u-1001',
    },
  ),
  'decision.challenge.requested': event(
    'A reviewer asked for a challenge: let the user sign in once more, and send the token to the challenge of the decision. Passing it approves the decision',
    {
      decisionId: text('The decision'),
      by: text('Who asked'),
      note: maybe(text('The note of the reviewer')),
      identityTypes: Type.Array(Type.String(), { description: 'With which identities the user can pass' }),
      expiresAt: Type.String({ format: 'date-time', description: 'Until when' }),
      userId: maybe(userId),
      phoneNumber: maybe(phoneNumber),
    },
    {
      decisionId: '01933b2e-7c1a-7b5e-9d0f-3f2a1b4c5d6e',
      by: 'maya',
      identityTypes: ['EMAIL'],
      expiresAt: '2026-11-24T09:00:00.000Z',
      userId: 'u-1001',
    },
  ),
  'decision.challenge.passed': event(
    'A sign-in answered the challenge of a decision',
    { decisionId: text('The decision'), userId: maybe(userId) },
    { decisionId: '01933b2e-7c1a-7b5e-9d0f-3f2a1b4c5d6e', userId: 'u-1001' },
  ),
  'decision.challenge.failed': event(
    'The first sign-in that was sent for a challenge did not pass it. Another one may, until it expires',
    { decisionId: text('The decision'), reason: text('Why it did not pass'), userId: maybe(userId) },
    {
      decisionId: '01933b2e-7c1a-7b5e-9d0f-3f2a1b4c5d6e',
      reason: 'the user signed in before the decision',
      userId: 'u-1001',
    },
  ),
  'decision.challenge.expired': event(
    'Nobody passed the challenge of a decision in time. Noticed within three minutes of its end',
    { decisionId: text('The decision'), userId: maybe(userId) },
    { decisionId: '01933b2e-7c1a-7b5e-9d0f-3f2a1b4c5d6e', userId: 'u-1001' },
  ),
  'decision.review.overdue': event(
    'Nobody has resolved a review by its deadline. It stays open; sent once',
    {
      decisionId: text('The decision'),
      dueAt: Type.String({ format: 'date-time', description: 'The deadline' }),
      rule: maybe(text('Name of the rule that sent it to review')),
      userId: maybe(userId),
      phoneNumber: maybe(phoneNumber),
    },
    {
      decisionId: '01933b2e-7c1a-7b5e-9d0f-3f2a1b4c5d6e',
      dueAt: '2026-11-24T09:12:44.026Z',
      rule: 'Large payment after a swap',
      userId: 'u-1001',
    },
  ),
  'decision.review.resolved': event(
    'A reviewer approved or blocked a decision that a rule had sent to REVIEW',
    {
      decisionId: text('The decision'),
      outcome: Type.Enum(['approved', 'blocked']),
      by: text('Who decided'),
      note: maybe(text('The note of the reviewer')),
      userId: maybe(userId),
      phoneNumber: maybe(phoneNumber),
    },
    { decisionId: '01933b2e-7c1a-7b5e-9d0f-3f2a1b4c5d6e', outcome: 'approved', by: 'maya', userId: 'u-1001' },
  ),
} as const
