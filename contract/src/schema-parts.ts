// What do many schemas have? Objects without other fields, and times.

import Type, { type TProperties } from 'typebox'

/** Options of an object that has no other fields. */
export const closed = { additionalProperties: false } as const

/** A time as text. */
export const time = (description: string) => Type.String({ description: `${description}; ISO 8601 UTC` })

/** Facts about one thing, each of which may be missing. */
export const part = <Fields extends TProperties>(description: string, fields: Fields) =>
  Type.Partial(Type.Object(fields), { description })
