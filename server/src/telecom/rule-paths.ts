// Which rule paths do the telecom checks have? telecom.CHECK.FIELD for each text, number and flag of the answers that are stored.

import { type AnyCheck, type CheckName, type Checks, checkNames, checks, isTime } from '@ringfence/contract'
import Type, { type TNumber, type TObject, type TOptional, type TSchema } from 'typebox'
import { flag, number, oneOf, text } from '../core/path-types.ts'

type Fields<Row> = Row extends { readonly Answer: TObject<infer Properties> } ? Properties : never
type Answered<Row> = TObject<
  { [Field in keyof Fields<Row>]: TOptional<Fields<Row>[Field]> } & { ageSeconds: TOptional<TNumber> }
>

/** The type that rules read; undefined for a time, a list or an object, which they cannot compare. */
function ruleType(
  schema: TSchema & { type?: string; enum?: string[]; description?: string; pattern?: string },
  title: string,
) {
  const description = `The ${title} check. ${schema.description ?? ''}`.trim()
  if (schema.enum) return oneOf(schema.enum, description)
  if (schema.type === 'boolean') return flag(description)
  if (schema.type === 'integer' || schema.type === 'number') return number(description)
  return schema.type === 'string' && !isTime(schema) ? text(description) : undefined
}

/** Rules read stored answers. A check without a key is not stored, as its parameters are personal data; portability has its own store. */
const isStored = (name: CheckName) => name === 'portability' || (checks[name] as AnyCheck).keyOf !== undefined

/** Checks that a rule cannot read, as their answers are not stored. */
export const unreadChecks: readonly string[] = checkNames.filter((name) => !isStored(name))

const readable = checkNames.filter(isStored).map((name) => {
  const { Answer, title }: AnyCheck = checks[name]
  const types = Object.entries<TSchema>(Answer.properties).flatMap(([field, schema]) => {
    const type = ruleType(schema, title)
    return type ? [[field, type] as const] : []
  })
  const source =
    name === 'portability'
      ? 'a remote source was called; absent when imported data answered'
      : 'the operator was called'
  return [
    name,
    [...types, ['ageSeconds', number(`The ${title} check. Time since ${source}`, 'seconds')] as const],
  ] as const
})

/** Part of the rule input: the latest answer of each check that is stored. */
export const checkAnswers = Object.fromEntries(
  readable.map(([name, types]) => [name, Type.Partial(Type.Object(Object.fromEntries(types)))]),
) as unknown as { [Name in CheckName]: Answered<Checks[Name]> }

type Answers = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>
type Reader = (input: { readonly telecom?: object }) => unknown

export const checkReaders: Readonly<Record<string, Reader>> = Object.fromEntries(
  readable.flatMap(([name, types]) =>
    types.map(([field]): [string, Reader] => [
      `telecom.${name}.${field}`,
      ({ telecom }) => (telecom as Answers | undefined)?.[name]?.[field],
    ]),
  ),
)
