// What does the integrator say about the user and the session? (specification 2.7, 4.7 rule 2)

import Type, { type Static, type TSchema } from 'typebox'
import { compileOnUse } from '../../core/json/compile-on-use.ts'
import { comparedDigits } from '../../phone/read-number.ts'

const text = Type.String({ maxLength: 256 })

export const UpdateInfo = Type.Object({
  userId: Type.Optional(text),
  phoneNumber: Type.Optional(text),
  phoneInputType: Type.Optional(Type.Enum(['MANUAL', 'COPY_PASTED', 'GOOGLE_HINT'])),
  otpInputType: Type.Optional(Type.Enum(['MANUAL', 'COPY_PASTED', 'AUTO_FILLED'])),
  userEventType: Type.Optional(Type.Enum(['LOGIN', 'SIGNUP', 'TRANSACTION', 'OTHERS'])),
  merchantId: Type.Optional(text),
  additionalInput: Type.Optional(Type.Record(Type.String(), Type.String())),
})
export type UpdateInfo = Static<typeof UpdateInfo>

const checks = new Map(
  Object.entries(UpdateInfo.properties).map(([name, schema]) => [name, compileOnUse(schema as TSchema)] as const),
)

/** Drops unknown keys, invalid enum strings and values of wrong types. Drops each wrong value of `additionalInput` separately. */
export function readUpdateInfo(given: Readonly<Record<string, unknown>>): UpdateInfo {
  const valid = Object.entries(given)
    .map(([name, value]) => [name, name === 'additionalInput' ? textsOf(value) : value] as const)
    .filter(([name, value]) => checks.get(name)?.Check(value))
  return Object.fromEntries(valid)
}

/** The canonical digits of the session's phone number; undefined when it has none, and for a text that is no number. */
export const digitsOf = ({ phoneNumber }: Pick<UpdateInfo, 'phoneNumber'>): string | undefined =>
  phoneNumber === undefined ? undefined : comparedDigits(phoneNumber)

function textsOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return Object.fromEntries(Object.entries(value).filter(([, part]) => typeof part === 'string'))
}
