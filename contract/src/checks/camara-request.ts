// Which body does a call of a CAMARA API have, in one of its versions?

import Type, { type TObject, type TSchema } from 'typebox'
import { CamaraDevice, CamaraPhoneNumber } from './camara-api.ts'
import { type CamaraVersion, knownTo } from './camara-versions.ts'
import type { AnyCamaraApi, CamaraCall } from './check.ts'
import { withoutRanges } from './ranges.ts'

const subjects = { phoneNumber: { phoneNumber: CamaraPhoneNumber }, device: { device: Type.Optional(CamaraDevice) } }

/** The body of a call in one version. */
export function camaraRequest(
  { identifier }: AnyCamaraApi,
  // biome-ignore lint/suspicious/noExplicitAny: its functions take what the schemas of its check allow
  { Body = {} }: CamaraCall<any, any>,
  version: CamaraVersion,
): TObject {
  const fields: Record<string, TSchema> = { ...subjects[identifier], ...knownTo(version, withoutRanges(Body)) }
  return Type.Object(fields, version.isStrict ? { additionalProperties: false } : {})
}
