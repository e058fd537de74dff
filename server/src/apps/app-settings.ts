// What may an app's owner choose? Each setting with its default, meaning and check; the table in the guide is about these.

import Type, { type Static } from 'typebox'
import Value from 'typebox/value'
import { GatePolicy } from '../authentication/gate-policy.ts'
import { firstMistake } from '../config/schema-errors.ts'

/** A setting that is absent has its default. `ringfence apps` checks them when they are written. */
export const AppSettings = Type.Object(
  {
    secure: Type.Boolean({
      default: true,
      description: '`secureInfo` and `secure_info` are told where the facts of a sign-in were analysed',
    }),
    revealReport: Type.Boolean({ default: false, description: 'The push answers with the report too' }),
    additionalDataFields: Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
      default: [],
      maxItems: 64,
      description: 'Params of a push and keys of `additionalInput` that the report shows as `additionalData`',
    }),
    channels: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        maxItems: 64,
        description: 'Sign-in channels of the configuration file that this app offers; absent: all',
      }),
    ),
    redirectUrls: Type.Array(Type.String({ pattern: '^[a-z][a-z0-9+.-]*:[^\\s]+$', maxLength: 2048 }), {
      default: [],
      maxItems: 64,
      description: 'Beside the origins: addresses that a redirect or magic link may lead back to',
    }),
    countries: Type.Optional(
      Type.Array(Type.String({ pattern: '^[A-Z]{2}$' }), {
        maxItems: 256,
        description: 'ISO 3166-1 codes of the countries to whose numbers messages go; absent: all',
      }),
    ),
    gate: Type.Optional(GatePolicy),
    signInElsewhere: Type.Boolean({
      default: false,
      description:
        'A magic link without redirectUrl signs in the device that asked for it, whichever device opens it; people must then heed whom they let in',
    }),
    androidCertificates: Type.Array(Type.String({ pattern: '^([0-9A-Fa-f]{2}:?){32}$' }), {
      default: [],
      maxItems: 16,
      description: 'SHA-256 of the certificates that sign your Android app; one signed with another is `appTampering`',
    }),
    appleTeamId: Type.Optional(
      Type.String({
        pattern: '^[A-Z0-9]{10}$',
        description: 'Your team at Apple; with it the proofs of App Attest that iOS apps send are checked',
      }),
    ),
    appAttest: Type.Enum(['accepted', 'required', 'development'], {
      default: 'accepted',
      description:
        'Where appleTeamId is set. accepted: a wrong proof is `appTampering`; required: a missing one too; development: as accepted, and builds for development may prove themselves',
    }),
    collect: Type.Record(Type.String({ maxLength: 64 }), Type.Boolean(), {
      default: {},
      maxProperties: 128,
      description: 'Facts by name that SDKs shall not collect (false); all others are collected',
    }),
  },
  { additionalProperties: false },
)
export type AppSettings = Static<typeof AppSettings>

/** The settings, with the default of each that is not given. Throws an error that names the first mistake. */
export function appSettings(given: object): AppSettings {
  const settings = Value.Default(AppSettings, structuredClone(given))
  const mistake = firstMistake(AppSettings, settings)
  if (mistake) throw new Error(mistake)
  return settings as AppSettings
}
