// What is a telecom check? One row: what a caller sends and gets, and what CAMARA defines for it.

import type { Static, TObject, TSchema } from 'typebox'
import type { CamaraApiName } from './camara-versions.ts'

/** One operation of a CAMARA API that answers a check. All of them are `POST`. */
export interface CamaraCall<Question, Answer> {
  /** The last part of its path: `check`. */
  readonly resource: string
  readonly scope: string
  /** Whether it can answer this question. Default: any. */
  readonly answers?: (question: Question) => boolean
  /** Members of the request beside the phone number. */
  readonly body?: (question: Question) => Record<string, unknown>
  /** The same as schemas, for the side that answers. */
  readonly Body?: Readonly<Record<string, TSchema>>
  readonly Response: TSchema
  /**
   * What the response means. Throws `NotStated` for one that answers nothing, and `WindowTooLong` for one that answers for a
   * shorter window only: the answer to another question is never passed off as the answer.
   */
  // biome-ignore lint/suspicious/noExplicitAny: the type of its Response, which `camaraCall` checks
  readonly read: (response: any, question: Question, nowMs: number) => Answer
  /** How our own CAMARA API answers the call. Absent: it does not. */
  readonly served?: Served<Answer>
}

/** The other side of a call: a CAMARA client asks us. */
export interface Served<Answer> {
  /**
   * The parameters of the check that a request means; it was checked by `Body`. Some are only for this API: see `fill`. Undefined: the
   * request asks nothing.
   */
  // biome-ignore lint/suspicious/noExplicitAny: a body that was checked by the schemas of the call
  readonly params: (body: any) => object | undefined
  /** The response to the request. Undefined: the answer does not say what this call asks. */
  // biome-ignore lint/suspicious/noExplicitAny: a body that was checked by the schemas of the call
  readonly respond: (answer: Answer, body: any) => unknown
  /** The response to the request that passes on the operator's `NothingStated`; absent: its API has none. */
  // biome-ignore lint/suspicious/noExplicitAny: a body that was checked by the schemas of the call
  readonly nothing?: (body: any) => unknown
}

/** Checks that `read` fits `Response`. */
export const camaraCall = <Question, Answer, Response extends TSchema>(
  call: Omit<CamaraCall<Question, Answer>, 'read' | 'Response'> & {
    readonly Response: Response
    readonly read: (response: Static<Response>, question: Question, nowMs: number) => Answer
  },
): CamaraCall<Question, Answer> => call

/** What an operator means with an error code, and the status that CAMARA defines with it. */
export type CamaraRefusal = { readonly status: 400 | 422 } & (
  | { readonly means: 'window' | 'failed' }
  | {
      readonly means: 'parameters'
      /** What to do instead: "send a later date". */
      readonly hint: string
    }
)

/** The CAMARA API of a check. */
export interface CamaraApi<Question, Answer> {
  /** "sim-swap"; camara-versions.ts has its versions and paths. */
  readonly api: CamaraApiName
  /** Where a request names the phone number: `phoneNumber`, or `device.phoneNumber`. */
  readonly identifier: 'phoneNumber' | 'device'
  /** The calls that answer the check, the preferred one first. */
  readonly calls: readonly CamaraCall<Question, Answer>[]
  /** The error codes that it has beside those of all APIs; `OUT_OF_RANGE` is not a code of all. */
  readonly refusals?: Readonly<Record<string, CamaraRefusal>>
}

/** Defaults of the service for what neither the caller nor the operator's configuration says. */
export interface CheckDefaults {
  readonly maxAgeHours: number
}

export interface Check<Name, Params extends TObject, Answer extends TObject, Operator extends TObject, Question> {
  readonly name: Name
  /** "SIM swap": what stands before the word check. */
  readonly title: string
  /** The question in one sentence. */
  readonly summary: string
  /** What a caller may send. */
  readonly Params: Params
  /** Parameters that documents show and tests send. Nothing speaks against an ordinary number, and each scenario is found. */
  readonly example: Static<Params>
  /** What a completed check says. Rules read its texts, numbers and flags as telecom.NAME.FIELD, where it is stored (`keyOf`). */
  readonly Answer: Answer
  /** What the configuration may say of it for each operator. */
  readonly Operator?: Operator
  /** The whole question. Throws `WindowTooLong` for a window beyond the limit of the operator. Absent: the parameters. */
  readonly fill?: (params: Static<Params>, operator: Static<Operator>, defaults: CheckDefaults) => Question
  /** Equal for equal questions, without personal data. Absent or undefined: every call is a new question, and nothing is stored. */
  readonly keyOf?: (question: Question) => string | undefined
  /** Whether the answer speaks against the number. */
  readonly isWarning: (answer: Static<Answer>) => boolean
  /** An answer that speaks against the number says that its line changed: answers of before are not reused. */
  readonly reportsChange?: true
  /** Absent: operators do not answer it. */
  readonly camara?: CamaraApi<Question, Static<Answer>>
}

/** Any API, whatever its check. */
// biome-ignore lint/suspicious/noExplicitAny: its functions take what the schemas of its check allow
export type AnyCamaraApi = CamaraApi<any, any>

/** Keeps the types of a row. */
export const check = <
  const Name extends string,
  Params extends TObject,
  Answer extends TObject,
  Operator extends TObject = TObject<Record<never, never>>,
  Question = Static<Params>,
>(
  row: Check<Name, Params, Answer, Operator, Question>,
): Check<Name, Params, Answer, Operator, Question> => row

/** Any row, whatever its schemas. */
// biome-ignore lint/suspicious/noExplicitAny: a row's functions take what its own schemas allow
export type AnyCheck = Check<string, any, any, any, any>

/** What the operator is asked: the parameters, and what the configuration fills in. */
export type QuestionOf<Row> =
  Row extends Check<string, infer _Params, infer _Answer, infer _Operator, infer Question> ? Question : never
export type ParamsOf<Row> = Row extends { readonly Params: infer Params extends TObject } ? Static<Params> : never
/** What the configuration may say of the check for each operator, as a schema. */
export type OperatorOf<Row> =
  Row extends Check<string, infer _Params, infer _Answer, infer Operator, infer _Question> ? Operator : never
export type AnswerOf<Row> = Row extends { readonly Answer: infer Answer extends TObject } ? Static<Answer> : never

/** The response does not answer the question, though it has the right form. */
export class NotStated extends Error {
  override name = 'NotStated'
}

/** The operator says that it has nothing to state, which its API allows: a valid answer, from which no check follows. */
export class NothingStated extends NotStated {
  override name = 'NothingStated'
}

/** The operator may not look back that far, or knows a shorter period only. */
export class WindowTooLong extends Error {
  override name = 'WindowTooLong'
  /** Its limit, where it is known. */
  readonly limitHours: number | undefined
  constructor(message: string, limitHours?: number) {
    super(message)
    this.limitHours = limitHours
  }
}
