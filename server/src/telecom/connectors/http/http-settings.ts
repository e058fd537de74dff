// How does the configuration file describe any JSON API? Request templates, where answers stand, and samples that prove it.

import { operatorCheckNames } from '@ringfence/contract'
import Type, { type Static } from 'typebox'
import { SecretReference } from '../../../core/config/secret-reference.ts'
import { lookUpProperties } from '../look-ups/look-up-settings.ts'

const strict = { additionalProperties: false } as const
const JsonPath = Type.String({
  pattern: '^\\$',
  maxLength: 500,
  description: 'RFC 9535 JSONPath without match() and search(), and without .. in or after a filter',
})
const headers = Type.Record(Type.String({ pattern: '^[A-Za-z0-9-]+$' }), Type.String({ maxLength: 2000 }))

const Field = Type.Object(
  {
    at: JsonPath,
    values: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.Boolean(), Type.Number(), Type.String(), Type.Null()]), {
        description: 'what each value of the API means; null: not known. Without it, the value itself',
      }),
    ),
  },
  strict,
)

/** What an error can mean. All but `failed` are refusals: the API works, and does not answer this question. */
export const outcomes = ['unsupported', 'window', 'parameters', 'failed'] as const

const Failure = Type.Object(
  {
    status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })),
    at: Type.Optional(JsonPath),
    equals: Type.Optional(Type.Array(Type.String(), { minItems: 1, description: 'the values at `at`, as texts' })),
    means: Type.Enum([...outcomes], {
      description:
        'the check is not supported for the number, the window is too long, the API does not take these parameters, or the call failed',
    }),
  },
  strict,
)

const Sample = Type.Object(
  {
    status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599, default: 200 })),
    response: Type.Unknown({ description: 'a response of the API' }),
    params: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'the parameters of the check' })),
    recordedAt: Type.Optional(Type.String({ description: 'when it was recorded, for dates; default: now' })),
    answer: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'what it must mean' })),
    means: Type.Optional(Type.Enum([...outcomes])),
  },
  strict,
)

export const Mapping = Type.Object(
  {
    path: Type.String({
      pattern: '^/',
      maxLength: 2000,
      description: 'below the base URL, with its query: /lookups/{digits}?hours={maxAge}',
    }),
    headers: Type.Optional(headers),
    body: Type.Optional(
      Type.Unknown({ description: 'sent as JSON by POST, with placeholders in its texts; absent: GET' }),
    ),
    hours: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2400,
        description: 'the window that a flag is for, when the request cannot choose it',
      }),
    ),
    utcOffset: Type.Optional(
      Type.String({
        pattern: '^(Z|[+-]\\d\\d:[0-5]\\d)$',
        description: 'the time zone of latestChange where the API writes none: Z, +05:30; absent: not known',
      }),
    ),
    answer: Type.Record(Type.String(), Type.Union([JsonPath, Field]), {
      minProperties: 1,
      description:
        'where each field of the answer stands; nothing there, an empty text, null and several values mean not known',
    }),
    errors: Type.Optional(Type.Array(Failure, { maxItems: 100 })),
    samples: Type.Array(Sample, {
      minItems: 1,
      maxItems: 100,
      description: 'responses and what they must mean; read at every start',
    }),
  },
  strict,
)
export type Mapping = Static<typeof Mapping>
export type Failure = Static<typeof Failure>
export type Outcome = (typeof outcomes)[number]
export type Sample = Static<typeof Sample>

const { baseUrl: _, ...shared } = lookUpProperties('')
export const HttpSettings = Type.Object(
  {
    type: Type.Literal('http', { description: 'the kind of connector' }),
    baseUrl: Type.String({ pattern: '^https?://[^?#]+$', description: 'the URL that paths are added to' }),
    secrets: Type.Optional(
      Type.Record(Type.String({ pattern: '^\\w{1,40}$' }), SecretReference, {
        description: 'secrets for headers, by names of your choice: `{secret.NAME}`',
      }),
    ),
    headers: Type.Optional({ ...headers, description: 'headers of each request' }),
    checks: Type.Optional(
      Type.Object(
        Object.fromEntries(operatorCheckNames.map((name) => [name, Type.Optional(Type.Unsafe<Mapping>(Mapping))])) as {
          [Name in (typeof operatorCheckNames)[number]]: ReturnType<
            typeof Type.Optional<ReturnType<typeof Type.Unsafe<Mapping>>>
          >
        },
        { ...strict, description: 'how to ask each check that the API answers' },
      ),
    ),
    operator: Type.Optional(
      Type.Unsafe<Mapping>({
        ...Mapping,
        description: 'how to ask who serves a number: fields operator, or mcc and mnc, homeOperator, ported',
      }),
    ),
    ...shared,
  },
  strict,
)
export type HttpSettings = Static<typeof HttpSettings>
