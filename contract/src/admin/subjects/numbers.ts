// What does the console see of a phone number: operator and where that is known from, stored answers, and what a check would call?

import Type, { type Static } from 'typebox'
import { maxAgeHours } from '../../checks/change-window.ts'
import { Consent, consentFor } from '../../checks/consent.ts'
import { Cost } from '../../checks/cost.ts'
import { checkNames, operatorCheckNames, telecomChecks } from '../../checks/index.ts'
import { KycResults, kycFields } from '../../checks/kyc-match.ts'
import { PhoneDetail } from '../../phone-detail.ts'
import { closed, time } from '../../schema-parts.ts'
import { ShownAccountLink, ShownCount, SubjectState } from './subjects.ts'

const text = (description: string) => Type.Optional(Type.String({ description }))

const PhoneNumber = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'With country code, as people write it: +39 (0)6 1234 5678',
})
/** Those whose question needs nothing but the number, and the one that a person can ask about somebody. */
const Check = Type.Enum([...telecomChecks, 'kycMatch'])
const result = Type.Enum(['yes', 'no', 'unknown'], {
  description: 'yes: it speaks against the number, for example swapped, forwarded or ported',
})
const window = Type.Optional(Type.Integer({ description: 'Window of a SIM swap check, in hours' }))
const ageSeconds = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }))

export const AdminNumberRequest = Type.Object({ phoneNumber: PhoneNumber }, { $id: 'AdminNumberRequest' })
export type AdminNumberRequest = Static<typeof AdminNumberRequest>

const ShownAnswer = Type.Object(
  {
    check: Type.Enum([...checkNames]),
    result,
    maxAgeHours: window,
    from: Type.String({ description: 'Name of the connector or portability source that answered' }),
    answeredAt: time('When'),
    consent: Type.Optional(Consent),
    reusableSeconds: Type.Integer({
      minimum: 0,
      description: 'For so long the same check answers this without a call; 0: the next check calls',
    }),
  },
  { $id: 'ShownAnswer', ...closed, description: 'A stored answer about a number' },
)

export const ShownNumber = Type.Object(
  {
    phoneNumber: Type.String(),
    state: SubjectState,
    phoneDetail: Type.Omit(PhoneDetail, [], { additionalProperties: false }),
    answers: Type.Array(ShownAnswer, { description: 'Newest first, at most 20' }),
    accounts: Type.Array(Type.Omit(ShownAccountLink, ['trusted'], closed), {
      description: 'Users of decisions and sign-ins with this number, last seen first',
    }),
    unknownAccounts: Type.Integer({
      description: 'Further accounts that proved a session with it, up to 20: only keyed hashes of them are stored',
    }),
    velocities: Type.Array(ShownCount, { description: 'Those of the live rules that count per phone number' }),
  },
  { $id: 'ShownNumber', ...closed, description: 'What is known of a phone number; it calls no operator' },
)
export type ShownNumber = Static<typeof ShownNumber>

const Upstream = Type.Object(
  {
    service: Type.String({ description: 'Which of its services, such as sim-swap' }),
    circuit: Type.Enum(['closed', 'open'], {
      description: 'open: it failed too often, so this server does not call it for some seconds',
    }),
    isPaused: Type.Optional(
      Type.Literal(true, { description: 'It asked for a pause by Retry-After, and this server waits until it ends' }),
    ),
    timeoutMs: Type.Integer({ description: 'For each attempt' }),
    concurrentCalls: Type.Integer({
      description: 'How many calls run at the same time, of all services of the connector together',
    }),
    waitingCalls: Type.Integer({ description: 'How many more may wait' }),
  },
  closed,
)

export const ShownRoute = Type.Object(
  {
    phoneNumber: Type.String(),
    sources: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'Of the imported data, or in the configuration file' }),
          kind: Type.Enum(['local', 'remote']),
          sandbox: Type.Boolean({ description: 'Made-up data' }),
          state: Type.Enum(['answered', 'silent', 'failed', 'notCalled'], {
            description:
              'answered: it knows the number; silent: it does not; notCalled: a remote source without a stored answer, which a check would call',
          }),
          operator: text('Who serves the number, by this source'),
          homeOperator: text('The operator it was allocated to, by this source'),
          ported: Type.Optional(Type.Boolean()),
          use: Type.Optional(
            Type.Enum(['used', 'nothingNew', 'notNeeded', 'notMixed', 'leftOut'], {
              description:
                'Why it counts or not. used: something that it states counts; nothingNew: sources before it state the same or otherwise; notNeeded: they state everything; notMixed: made-up data do not add to real data; leftOut: the order of the configuration leaves it out. Absent: it states nothing',
            }),
          ),
          datedAt: Type.Optional(time('The date of its data')),
          ageSeconds: ageSeconds('Age of its stored answer'),
        },
        closed,
      ),
      { description: 'In order of precedence: the first that states something wins' },
    ),
    sourceOrder: Type.Optional(
      Type.Enum(['country', 'otherwise'], {
        description: 'Which list of the configuration decided on sources and order; absent: none',
      }),
    ),
    operator: text('Who serves the number'),
    homeOperator: text('The operator it was allocated to, by a source or the number range'),
    ported: Type.Optional(Type.Boolean()),
    asked: Type.Optional(
      Type.Object(
        {
          operator: Type.String(),
          because: Type.Enum(['serves', 'assumed'], {
            description: 'assumed: nobody knows who serves it, and the configuration says to call its home operator',
          }),
        },
        {
          ...closed,
          description:
            'The operator that answers a check; absent: it is not known, and only routes by country can answer',
        },
      ),
    ),
    connector: Type.Optional(
      Type.Object(
        {
          name: Type.String({ description: 'In the configuration file' }),
          sandbox: Type.Boolean({ description: 'Made-up answers' }),
          checks: Type.Array(Type.Enum([...operatorCheckNames]), { description: 'What it can check' }),
          upstreams: Type.Array(Upstream, { description: 'Of this server' }),
        },
        { ...closed, description: 'The connector that is asked first; absent: none, so no check is supported' },
      ),
    ),
    mayChangeBy: Type.Array(Type.String(), {
      description:
        'Remote sources without a stored answer that a check would call first: they may name another operator, and then other routes apply',
    }),
    routes: Type.Array(
      Type.Object(
        {
          connector: Type.String({ description: 'In the configuration file' }),
          sandbox: Type.Boolean({ description: 'Made-up answers' }),
          by: Type.Enum(['operator', 'country', 'otherwise'], {
            description:
              'Why it is asked: the operator of the number has it, or the country does for operators without one, or it is the catch-all route',
          }),
          weight: Type.Optional(
            Type.Integer({
              minimum: 1,
              description: 'Its share among its neighbours with a weight; the number decides the order',
            }),
          ),
          checks: Type.Array(Type.Enum([...operatorCheckNames]), { description: 'The checks that it is asked' }),
          hedgeAfter: Type.Optional(
            Type.Union([Type.Integer({ minimum: 1 }), Type.Literal('p95')], {
              description:
                'Milliseconds without an answer after which the next one is asked too; p95: as it usually takes',
            }),
          ),
          prices: Type.Optional(
            Type.Array(Type.Object({ check: Type.Enum([...operatorCheckNames]), cost: Cost }, closed), {
              description: 'What a request costs, for each check that it is asked and whose price is configured',
            }),
          ),
          isOpen: Type.Boolean({
            description: 'A circuit of it is open on this server: a check passes on to the next route at once',
          }),
          isPaused: Type.Boolean({
            description: 'It asked this server for a pause by Retry-After: a check passes on to the next route at once',
          }),
        },
        closed,
      ),
      { description: 'The connectors in the order in which a check asks them: the first definite answer wins' },
    ),
  },
  { $id: 'ShownRoute', ...closed, description: 'Which way a check of a number goes, and why' },
)
export type ShownRoute = Static<typeof ShownRoute>

export const AdminCheckNumberRequest = Type.Object(
  {
    phoneNumber: PhoneNumber,
    check: Check,
    maxAge: Type.Optional(
      Type.Integer({ ...maxAgeHours, description: 'Window of a SIM swap check in hours; other checks ignore it' }),
    ),
    params: Type.Optional(
      Type.Object(kycFields, {
        additionalProperties: false,
        minProperties: 1,
        description: 'What kycMatch compares, and needs; other checks ignore it',
      }),
    ),
    consent: Type.Optional(
      consentFor('The purpose of the check. Default: that of checks that no backend makes, in the configuration'),
    ),
  },
  { $id: 'AdminCheckNumberRequest' },
)
export type AdminCheckNumberRequest = Static<typeof AdminCheckNumberRequest>

export const CheckedNumber = Type.Object(
  {
    check: Check,
    result,
    failure: text('The error code of a check that has no answer'),
    why: text('Why it has none'),
    maxAgeHours: window,
    fields: Type.Optional(KycResults),
    ageSeconds: ageSeconds('Age of a reused answer; absent: the operator was called'),
    sandbox: Type.Boolean({ description: 'Made-up data were involved' }),
    phoneDetail: Type.Optional(Type.Omit(PhoneDetail, [], { additionalProperties: false })),
    checkedAt: time('When'),
  },
  { $id: 'CheckedNumber', ...closed, description: 'The answer of a check' },
)
export type CheckedNumber = Static<typeof CheckedNumber>
