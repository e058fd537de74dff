// Is a number or a date of a CAMARA request out of range? CAMARA tells that from a wrong type: OUT_OF_RANGE, INVALID_ARGUMENT.

import Type, { type TSchema } from 'typebox'

type Fields = Readonly<Record<string, TSchema>>
interface Range {
  type?: string
  minimum?: number
  maximum?: number
  isPast?: true
}

/** Where the day begins first. */
const earliestZoneMs = 14 * 3_600_000

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

/** What is wrong with the first number or date out of range; undefined when there is none. */
export function outOfRange(fields: Fields, body: object, nowMs: number): string | undefined {
  const today = new Date(nowMs + earliestZoneMs).toISOString().slice(0, 10)
  for (const [name, schema] of Object.entries(fields)) {
    const value: unknown = Reflect.get(body, name)
    const { type, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY, isPast } = schema as Range
    if (isPast && typeof value === 'string' && value > today) return `${name} must not be in the future`
    if (type === 'integer' && typeof value === 'number' && (value < minimum || value > maximum))
      return `${name} must be from ${minimum} to ${maximum}`
  }
  return undefined
}
