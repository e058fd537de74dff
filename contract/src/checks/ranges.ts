// Is a number of a CAMARA request out of range? CAMARA tells that from a wrong type: OUT_OF_RANGE, INVALID_ARGUMENT.

import Type, { type TSchema } from 'typebox'

type Fields = Readonly<Record<string, TSchema>>
interface Range {
  type?: string
  minimum?: number
  maximum?: number
}

/** The fields with whole numbers of any size. */
export const withoutRanges = (fields: Fields): Record<string, TSchema> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => {
      const { type, minimum, maximum } = schema as Range
      if (type !== 'integer') return [name, schema]
      const whole = Type.Integer({ description: `From ${minimum ?? 'any'} to ${maximum ?? 'any'}` })
      return [name, Type.IsOptional(schema) ? Type.Optional(whole) : whole]
    }),
  )

/** What is wrong with the first number out of range; undefined when there is none. */
export function outOfRange(fields: Fields, body: object): string | undefined {
  for (const [name, schema] of Object.entries(fields)) {
    const value: unknown = Reflect.get(body, name)
    const { type, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema as Range
    if (type === 'integer' && typeof value === 'number' && (value < minimum || value > maximum))
      return `${name} must be from ${minimum} to ${maximum}`
  }
  return undefined
}
