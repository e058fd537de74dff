// Which types can a path have? Each is a JSON schema with the description for the reference.

import Type from 'typebox'

export const flag = (description: string) => Type.Boolean({ description })
export const text = (description: string) => Type.String({ description })
export const oneOf = <const Values extends string[]>(values: Values, description: string) =>
  Type.Enum(values, { description })
export const number = (description: string, unit = '') => Type.Number({ description, ...(unit && { unit }) })
