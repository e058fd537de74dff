// What does a backend ask once, and what can it act on? One decision about a phone number, a sign-in and a device together.

import Type, { type Static, type TObject, type TOptional, type TProperties, type TString } from 'typebox'
import { UserId } from './account-devices.ts'
import { maxAgeHours } from './checks/change-window.ts'
import type { AnyCheck } from './checks/check.ts'
import { Consent, consentFor } from './checks/consent.ts'
import { type CheckName, type Checks, checkNames, checks, type TelecomCheck, telecomChecks } from './checks/index.ts'
import { DeviceReport } from './device-report/device-report.ts'
import { ReportIdentification } from './device-report/identification.ts'
import { decisionDeadlineMs } from './headers.ts'
import { Network } from './network.ts'
import { PhoneDetail } from './phone-detail.ts'
import { DecisionReview } from './reviews.ts'
import { closed, time } from './schema-parts.ts'
import { Identity } from './tokens.ts'

const part = <Fields extends TProperties>(description: string, fields: Fields) =>
  Type.Object(fields, { ...closed, description })

/** Characters of the sentence that explains a decision, at most. */
export const verdictLength = 500

/** Strongest last. Only REVIEW, CHALLENGE and BLOCK stop the person. */
export const decisionActions = ['ALLOW', 'WARN', 'REVIEW', 'CHALLENGE', 'BLOCK'] as const

/** How much `params` may contain: a decision is stored with them. */
export const decisionParamLimits = { bytes: 16_384, keys: 200, depth: 8 } as const

const DecisionId = Type.String({
  pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  description: 'decisionId of a decision',
})

export const DecisionRequest = Type.Object(
  {
    action: Type.Optional(
      Type.String({
        pattern: '^[A-Z][A-Z0-9_]{0,63}$',
        description: 'What the person wants to do, in capitals: LOGIN, SIGNUP, PAYMENT, or your own. Rules read it',
        examples: ['PAYMENT'],
      }),
    ),
    userId: Type.Optional({
      ...UserId,
      description: 'Your id of the user whose account is used. A sign-in that is not linked to it is challenged',
    }),
    phoneNumber: Type.Optional(
      Type.String({
        description:
          'The number that you know of the user: digits only, with country code and without a plus sign. A sign-in with it may be linked to userId',
        examples: ['917020141726'],
      }),
    ),
    email: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: 320,
        description: 'The email address that you know of the user. A sign-in with it may be linked to userId',
      }),
    ),
    ip: Type.Optional(
      Type.String({
        minLength: 2,
        maxLength: 45,
        description:
          'IP address of the person, as your backend sees it. Default: that of the device, or of the sign-in',
      }),
    ),
    token: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description:
          'The token of the user object, from your frontend. Send null when your page must send one and did not: it is then unknown, as an empty text is',
      }),
    ),
    dfrId: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description:
          'The dfrId of the device SDK, from your frontend. Send null when your page must send one and did not: it is then unknown, as an empty text is',
      }),
    ),
    params: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: `Your own values, such as the amount; rules read them as params.NAME. At most ${decisionParamLimits.bytes} bytes of JSON`,
      }),
    ),
    checks: Type.Optional(
      Type.Array(Type.Enum([...telecomChecks]), {
        maxItems: 8,
        description: 'Telecom checks to make in any case. Default: only those that your rules read',
      }),
    ),
    consent: Type.Optional(
      consentFor(
        'The purpose of the telecom checks that this decision makes or reads, and its legal basis. A tenant may require it of requests with a phone number or a token',
      ),
    ),
    simSwapMaxAgeHours: Type.Optional(
      Type.Integer({
        ...maxAgeHours,
        description: 'Window of the SIM swap check in hours; default: that of the operator or the service (240)',
      }),
    ),
    deadlineMs: Type.Optional(
      Type.Integer({
        ...decisionDeadlineMs,
        description:
          'Milliseconds to wait for the sign-in, the device and the operators: what has not arrived by then is in `missing` (the setting DECISION_DEADLINE_MS changes the default). The header x-ringfence-deadline-ms says the same for the whole answer; of both, the shorter counts. It does not cut other reads of the store: without them there is no decision',
      }),
    ),
  },
  { $id: 'DecisionRequest' },
)
export type DecisionRequest = Static<typeof DecisionRequest>

const whyUnchecked = [
  'no-number',
  'operator-unknown',
  'unsupported',
  'window-unsupported',
  'deadline',
  'operator-timeout',
  'operator-failed',
] as const

/** What a rule can read as `missing.<what>`, and why it is missing. */
export const missingReasons = {
  login: ['not-given', 'unknown', 'expired', 'other-user', 'no-sign-in', 'not-linked', 'deadline', 'failed'],
  device: [
    'not-given',
    'unknown',
    'expired',
    'incomplete',
    'unattested',
    'crowded',
    'reused',
    'other-user',
    'other-number',
    'deadline',
    'failed',
  ],
  phone: ['not-given'],
  ...(Object.fromEntries(telecomChecks.map((check) => [check, whyUnchecked])) as Record<
    TelecomCheck,
    typeof whyUnchecked
  >),
  params: ['not-a-number'],
} as const
export type MissingPart = keyof typeof missingReasons
export type MissingReason = (typeof missingReasons)[MissingPart][number]

const Missing = part('A part that was asked for or is required, and is not known', {
  what: Type.Enum(Object.keys(missingReasons) as MissingPart[]),
  why: Type.Enum([...new Set(Object.values(missingReasons).flat())] as MissingReason[], {
    description:
      'not-given: your backend did not send it. incomplete: the report lacks facts that its platform always sends. unattested: nothing proves that this is a phone. crowded: one of many new devices of its network. reused: too many sessions used the report. not-linked: the sign-in is not linked to your user. not-a-number: a rule compares it with a number. unknown: no such record of yours. expired: it is too old. other-user, other-number: it belongs to another user or phone number than the request names. no-sign-in: a token without a sign-in. deadline, operator-timeout: it came too late. failed, operator-failed: the operator, the portability source or the service failed. no-number: neither the request nor the sign-in has a phone number. operator-unknown: no source knows which operator serves the number. unsupported: its operator does not offer the check. window-unsupported: not for so many hours; send a smaller simSwapMaxAgeHours',
  }),
  path: Type.Optional(Type.String({ description: 'Of params: what a rule reads, such as params.amount' })),
  facts: Type.Optional(
    Type.Array(Type.String(), { description: 'Of incomplete: what the report lacks, such as build.tags' }),
  ),
})
export type Missing = Static<typeof Missing>

export const DecisionReason = Type.Object(
  {
    code: Type.String({ description: 'Stable; see the reference of reasons' }),
    text: Type.String({ description: 'For people; it may change' }),
    weight: Type.Number({ description: '0 to 100: the score if this were the only reason' }),
    source: Type.String({ description: 'What it rests on, for example telecom.simSwap' }),
  },
  { $id: 'DecisionReason', ...closed, description: 'A reason of the score' },
)
export type DecisionReason = Static<typeof DecisionReason>

const asOf = time('When the operator or a remote source was called')

/** The latest answer of each check; portability has no time when imported data answered. */
const checkParts = Object.fromEntries(
  checkNames.map((name) => {
    const { title, Answer }: AnyCheck = checks[name]
    const time = name === 'portability' ? Type.Optional(asOf) : asOf
    return [name, Type.Optional(part(`The ${title} check`, { ...Answer.properties, asOf: time }))]
  }),
) as unknown as { [Name in CheckName]: TOptional<TObject<PartOf<Checks[Name]>>> }
type PartOf<Row> = Row extends { readonly Answer: TObject<infer Fields> }
  ? Fields & { asOf: TOptional<TString> }
  : never

const DecisionPhone = Type.Object(
  {
    phoneDetail: PhoneDetail,
    ...checkParts,
  },
  { $id: 'DecisionPhone', ...closed, description: 'What is known of the phone number' },
)

const DecisionLogin = Type.Object(
  {
    userId: Type.String(),
    timestamp: time('When the user signed in'),
    identities: Type.Array(Identity),
    network: Type.Optional(Network),
  },
  { $id: 'DecisionLogin', ...closed, description: 'The sign-in of the token' },
)

const DecisionEmail = Type.Object(
  {
    domain: Type.String({ description: 'Domain of the email address, in ASCII' }),
    disposable: Type.Boolean({
      description:
        'The domain, or one above it, is in the list of disposable domains, and in no emailDomain list of yours to allow',
    }),
    freeMail: Type.Boolean({ description: 'A large provider, where anybody gets an address' }),
    role: Type.Boolean({ description: 'An address of a function, such as info@ or support@' }),
    suggestedDomain: Type.Optional(
      Type.String({ description: 'The large domain that was probably meant: gmail.com for gmial.com' }),
    ),
    accountsOfMailbox: Type.Optional(
      Type.Integer({
        description:
          'Different users of 30 days whose email addresses reach the same mailbox, this one included; addresses where no user is named',
      }),
    ),
  },
  {
    $id: 'DecisionEmail',
    ...closed,
    description: 'What the email address of the request says, or else that of the sign-in; absent when neither has one',
  },
)

const DecisionDevice = Type.Interface(
  [DeviceReport],
  { identification: Type.Optional(ReportIdentification) },
  { $id: 'DecisionDevice', ...closed, description: 'The device report of the dfrId' },
)

const maybe = (description: string) =>
  Type.Optional(Type.Boolean({ description: `${description}; absent when not known` }))
const kilometres = (description: string) => Type.Optional(Type.Number({ description }))

const DecisionAccount = Type.Object(
  {
    sessions: Type.Optional(Type.Integer({ description: 'Proven sessions of the account' })),
    ageDays: Type.Optional(Type.Number({ description: 'Days since the first of them' })),
    daysSinceLastSession: Type.Optional(Type.Number({ description: 'Days since the last of them' })),
    hoursSinceProvenHere: Type.Optional(
      Type.Number({ description: 'Hours since the last proven session of the account on this installation' }),
    ),
    knownDevice: Type.Optional(
      Type.Enum(['yes', 'likely', 'no'], { description: 'Whether the device was confirmed for the account before' }),
    ),
    newCountry: maybe('The country is new to the account'),
    rareCountry: maybe('The country is rare for the account'),
    newNetwork: maybe('The network operator of the IP address is new to the account'),
    rareNetwork: maybe('The network operator of the IP address is rare for the account'),
    newOperator: maybe('The mobile operator is new to the account'),
    newNumber: maybe('The phone number is new to the account'),
    unusualHour: maybe('The time of day is unusual for the account'),
    linkedAccounts: Type.Optional(
      Type.Integer({ description: 'Other accounts on this device or with this phone number' }),
    ),
    travel: Type.Optional(
      part('The way from the place of the last proven session', {
        distanceKm: kilometres('Kilometres, less the accuracy radii'),
        speedKmh: kilometres('Kilometres per hour'),
        impossible: maybe('Nobody travels so fast'),
      }),
    ),
  },
  {
    $id: 'DecisionAccount',
    ...closed,
    description: 'What is known of the account; rules read the same as account.NAME',
  },
)

export const DecisionChallenge = Type.Object(
  {
    state: Type.Enum(['open', 'passed', 'expired']),
    identityTypes: Type.Array(Type.String(), {
      description:
        'The identities with which the user can sign in to pass: those that are known of the user, or that the request names, but no identity in doubt. MOBILE is absent after a SIM swap, while calls are forwarded, and where an operator did not answer: a code would reach somebody else. An identity that was added within 24 hours does not pass. Where nobody could pass, the action is REVIEW, and WARN for a small payment',
    }),
    expiresAt: time('Until when the challenge can be passed'),
    passedAt: Type.Optional(time('When it was passed')),
  },
  {
    $id: 'DecisionChallenge',
    ...closed,
    description: 'The challenge of a decision whose action is CHALLENGE, or that a reviewer asked for',
  },
)
export type DecisionChallenge = Static<typeof DecisionChallenge>

export const Decision = Type.Object(
  {
    decisionId: Type.String({ description: 'Read the decision again, label it, or pass its challenge with this id' }),
    createdAt: time('When it was made'),
    action: Type.Enum([...decisionActions], {
      description:
        'What to do. WARN: continue with care. REVIEW: do not continue until a person has resolved the review. CHALLENGE: let the user sign in once more, then send the token to the challenge',
    }),
    verdict: Type.String({
      maxLength: verdictLength,
      description:
        'For your analysts: what decided with its values and limits, what was not known, and what would have changed the answer. Plain text that may change; it names no personal data',
    }),
    score: Type.Number({
      description: '0 to 100: the reasons combined; over 70 for BLOCK, over 30 for WARN, REVIEW and CHALLENGE',
    }),
    message: Type.Optional(
      Type.String({ description: 'Message of the decisive rule that you can show to the user; absent without one' }),
    ),
    reasons: Type.Array(DecisionReason, { description: 'Strongest first' }),
    consent: Type.Optional(Consent),
    phone: Type.Optional(DecisionPhone),
    login: Type.Optional(DecisionLogin),
    email: Type.Optional(DecisionEmail),
    device: Type.Optional(DecisionDevice),
    account: Type.Optional(DecisionAccount),
    rules: part('The rules that decided', {
      version: Type.Integer({ description: 'Version of your rule set; 0: the default rules' }),
      fired: Type.Array(Type.String(), { description: 'Ids of the rules that fired, in their order' }),
      decisive: Type.Optional(Type.String({ description: 'Id of the rule that set the action' })),
    }),
    missing: Type.Array(Missing, {
      description: 'What was asked for or is required, and is not known; it was not guessed',
    }),
    challenge: Type.Optional(DecisionChallenge),
    review: Type.Optional(DecisionReview),
  },
  { $id: 'Decision', ...closed, description: 'One decision; parts that were not asked for are omitted' },
)
export type Decision = Static<typeof Decision>

export const ReadDecisionRequest = Type.Object({ decisionId: DecisionId }, { $id: 'ReadDecisionRequest' })
export type ReadDecisionRequest = Static<typeof ReadDecisionRequest>

export const PassChallengeRequest = Type.Object(
  {
    decisionId: DecisionId,
    token: Type.String({ description: 'The token of a sign-in that the user made after the decision' }),
  },
  { $id: 'PassChallengeRequest' },
)
export type PassChallengeRequest = Static<typeof PassChallengeRequest>
