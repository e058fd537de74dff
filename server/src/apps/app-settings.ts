// Which settings does an app have? Each with its default, meaning and check.

import Type, { type Static } from 'typebox'
import Value from 'typebox/value'
import { firstMistake } from '../core/config/schema-errors.ts'
import { GatePolicy } from './gate-policy.ts'

/** A missing setting has its default. `ringfence apps` checks them when they are written. */
const certificateForm = 'SHA-256 of a certificate in hex, A1:B2:… as apksigner verify --print-certs shows it'

export const AppSettings = Type.Object(
  {
    secure: Type.Boolean({
      default: true,
      description: 'Return `secureInfo` and `secure_info` when the facts of a sign-in were analysed',
    }),
    revealReport: Type.Boolean({ default: false, description: 'The answer to the push also contains the report' }),
    additionalDataFields: Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
      default: [],
      maxItems: 64,
      description: 'Params of a push, and keys of `additionalInput`, that the report returns as `additionalData`',
    }),
    channels: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        maxItems: 64,
        description:
          'Sign-in channels of the configuration file that this app offers, and `SILENT` for Number Verification. Default: all',
      }),
    ),
    silentFallback: Type.Enum(['OTP', 'NONE'], {
      default: 'OTP',
      description: 'What follows when Number Verification (SILENT) has no result: an OTP, or an error',
    }),
    redirectUrls: Type.Array(Type.String({ pattern: '^[a-z][a-z0-9+.-]*:[^\\s]+$', maxLength: 2048 }), {
      default: [],
      maxItems: 64,
      description:
        'URLs that a sign-in may lead back to, compared character by character. An app without any may use all pages of its origins on localhost',
    }),
    codeClients: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        maxItems: 64,
        description:
          'Client ids that may exchange the codes of this app at the token endpoint. Default: all of the tenant',
      }),
    ),
    countries: Type.Optional(
      Type.Array(Type.String({ pattern: '^[A-Z]{2}$' }), {
        maxItems: 256,
        description: 'Countries whose numbers can receive messages, as ISO 3166-1 codes. Default: all',
      }),
    ),
    gate: Type.Optional(GatePolicy),
    signInElsewhere: Type.Boolean({
      default: false,
      description:
        'A magic link without redirectUrl signs in the device that requested it, whichever device opens it. An attacker can then trick somebody into opening a link',
    }),
    androidCertificates: Type.Array(
      Type.String({ pattern: '^([0-9A-Fa-f]{2}:?){32}$', description: certificateForm }),
      {
        default: [],
        maxItems: 16,
        description:
          'SHA-256 of the certificates that sign your Android app. Any other certificate is `appTampering`, and refuses an attestation. Without any, no Android phone is attested',
      },
    ),
    appleTeamId: Type.Optional(
      Type.String({
        pattern: '^[A-Z0-9]{10}$',
        description: 'Your Apple team id. If set, App Attest proofs of iOS apps are checked',
      }),
    ),
    appAttest: Type.Enum(['accepted', 'development'], {
      default: 'accepted',
      description:
        'If appleTeamId is set: `accepted`: a wrong proof is `appTampering`. `development`: proofs of development builds are valid too',
    }),
    attestation: Type.Object(
      {
        IOS: Type.Enum(['off', 'report', 'required'], { default: 'report' }),
        ANDROID: Type.Enum(['off', 'report', 'required'], { default: 'off' }),
      },
      {
        default: {},
        additionalProperties: false,
        description:
          'A phone that does not prove its key is `unattested`: on iOS without App Attest, on Android without a chain of certificates from intact hardware. `off`: nothing is said. `report`: in `signals` of the report. `required`: decisions say CHALLENGE. Required of one kind of phone, it is required of both, since a program can claim to be either',
      },
    ),
    collect: Type.Record(
      Type.String({ maxLength: 64 }),
      Type.Union([
        Type.Boolean(),
        Type.Array(Type.String({ pattern: '^(IOS|ANDROID) [0-9]{1,4}(\\.[0-9]{1,4}){0,3}$' }), { maxItems: 32 }),
      ]),
      {
        default: {},
        maxProperties: 128,
        description:
          'Facts that SDKs must not collect: `{ "battery": false }`, or not on some versions of a system: `{ "drmId": ["ANDROID 8.1", "ANDROID 9"] }`. Lists of versions excuse no phone from its last id. All others are collected, except `diskSpace` on iOS: `{ "diskSpace": true }` switches it on',
      },
    ),
  },
  { additionalProperties: false },
)
export type AppSettings = Static<typeof AppSettings>

/** Fills in the defaults. Throws an error that names the first mistake. */
export function appSettings(given: object): AppSettings {
  const settings = Value.Default(AppSettings, structuredClone(given))
  const mistake = firstMistake(AppSettings, settings)
  if (mistake) throw new Error(mistake)
  return settings as AppSettings
}

/** What an app requires of a phone. A program chooses which phone it claims to be, so `required` of one is required of both. */
export function attestationPolicyOf({ attestation }: Pick<AppSettings, 'attestation'>, platform: 'IOS' | 'ANDROID') {
  return Object.values(attestation).includes('required') ? 'required' : attestation[platform]
}
