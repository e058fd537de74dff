// What does POST /v1/telecom/checks take and return? Several checks of one number, each with its own answer.

import Type, { type Static, type TObject, type TOptional, type TUnion } from 'typebox'
import { InBodyError } from '../errors.ts'
import { PhoneDetail } from '../phone-detail.ts'
import { closed } from '../schema-parts.ts'
import { Consent } from './consent.ts'
import { Cost, LookUpCost } from './cost.ts'
import { type CheckName, type Checks, checkNames, checks } from './index.ts'

export const TelecomChecksRequest = Type.Object(
  {
    phoneNumber: Type.String({
      description: 'Digits only, with country code and without a plus sign',
      examples: ['917020141726'],
    }),
    checks: Type.Object(
      Object.fromEntries(
        checkNames.map((name) => {
          const { Params, summary } = checks[name]
          return [name, Type.Optional(Type.Object(Params.properties, { ...Params, ...closed, description: summary }))]
        }),
      ) as unknown as { [Name in CheckName]: TOptional<Checks[Name]['Params']> },
      {
        ...closed,
        minProperties: 1,
        // Numbers are verified in two calls, so it is no check (docs/decisions/0069).
        'x-elsewhere': { numberVerification: 'it has its own call: POST /v1/telecom/number-verifications' },
        description: 'The checks to make, each with its parameters; an empty object where it needs none',
      },
    ),
    consent: Type.Optional(Consent),
  },
  { $id: 'TelecomChecksRequest' },
)
export type TelecomChecksRequest = Static<typeof TelecomChecksRequest>

/** What every completed check says beside its answer. */
const completed = {
  success: Type.Literal(true),
  ageSeconds: Type.Integer({ minimum: 0, description: 'Age of the answer in seconds; 0: the operator was called now' }),
  source: Type.Optional(
    Type.String({ description: 'Who answered: the name of a connector or portability source in the configuration' }),
  ),
  cost: Type.Optional(Cost),
} as const
const NotCompleted = Type.Object(
  { success: Type.Literal(false), error: InBodyError, cost: Type.Optional(Cost) },
  { ...closed, title: 'Check not completed' },
)

type PropertiesOf<Row> = Row extends { readonly Answer: TObject<infer Properties> } ? Properties : never
type ResultOf<Name extends CheckName> = TUnion<
  [TObject<typeof completed & PropertiesOf<Checks[Name]>>, typeof NotCompleted]
>

/** The result of one check. */
const checkResults = Object.fromEntries(
  checkNames.map((name) => {
    const { Answer, title } = checks[name]
    const done = Type.Object({ ...completed, ...Answer.properties }, { ...closed, title: 'Check completed' })
    return [
      name,
      Type.Union([done, NotCompleted], { description: `The ${title} check: its answer, or why there is none` }),
    ]
  }),
) as unknown as { [Name in CheckName]: ResultOf<Name> }

export const TelecomChecksResult = Type.Object(
  {
    phoneDetail: PhoneDetail,
    checks: Type.Object(
      Object.fromEntries(checkNames.map((name) => [name, Type.Optional(checkResults[name])])) as unknown as {
        [Name in CheckName]: TOptional<ResultOf<Name>>
      },
      { ...closed, description: 'The result of each check of the request' },
    ),
    lookUpCost: Type.Optional(LookUpCost),
  },
  { $id: 'TelecomChecksResult', ...closed },
)
export type TelecomChecksResult = Static<typeof TelecomChecksResult>
