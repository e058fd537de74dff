// What does the integrator know of the person and the moment? (specification 2.7, 4.7 rule 2)

import Type, { type Static, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

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
  Object.entries(UpdateInfo.properties).map(([name, schema]) => [name, Compile(schema as TSchema)] as const),
)

/** Unknown keys, invalid enum strings and values of other types are dropped in silence; of `additionalInput`, each value by itself. */
export function readUpdateInfo(given: Readonly<Record<string, unknown>>): UpdateInfo {
  const kept = Object.entries(given)
    .map(([name, value]) => [name, name === 'additionalInput' ? textsOf(value) : value] as const)
    .filter(([name, value]) => checks.get(name)?.Check(value))
  return Object.fromEntries(kept)
}

/** The phone number of a session, whichever way it was written; undefined where there is none. */
export const digitsOf = ({ phoneNumber }: Pick<UpdateInfo, 'phoneNumber'>): string | undefined =>
  phoneNumber?.replaceAll(/\D/g, '') || undefined

function textsOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return Object.fromEntries(Object.entries(value).filter(([, part]) => typeof part === 'string'))
}
