// What do the SDKs of an app send and receive, except for the sign-in? Session, engine call, push, and a token without a login.

import Type, { type Static } from 'typebox'
import { closed } from './schema-parts.ts'

export const DevicePlatform = Type.Enum(['WEB', 'IOS', 'ANDROID'], { description: 'Platform of the SDK' })
export type DevicePlatform = Static<typeof DevicePlatform>

const SdkId = (description: string) =>
  Type.String({ minLength: 1, maxLength: 64, description: `${description}, \`<UUID>-<epoch seconds>\`` })

/** The request id of an analysis. The SDK generates it. */
export const analysisIdPattern = /^[A-Za-z0-9-]{16,64}$/

/** The query of the config call. */
export const SdkConfigQuery = Type.Object(
  {
    packageName: Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'The bundle id, package name, or origin of the page',
    }),
    platform: DevicePlatform,
    systemVersion: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Version of Android or iOS, such as 14.1: `collect` may switch facts off for it',
      }),
    ),
  },
  { $id: 'SdkConfigQuery' },
)
export type SdkConfigQuery = Static<typeof SdkConfigQuery>

export const SdkConfig = Type.Object(
  {
    sessionId: Type.String({ description: 'tsId for the calls of this session' }),
    sessionToken: Type.String({ description: 'Bearer token for the calls of this session' }),
    expiresAt: Type.String({ description: 'ISO 8601 UTC' }),
    challenge: Type.String({ description: 'Send it with the next engine call; accepted once' }),
    collect: Type.Record(Type.String(), Type.Boolean(), { description: 'Facts by name; false: do not collect' }),
  },
  { $id: 'SdkConfig', ...closed, description: 'A session of an SDK' },
)
export type SdkConfig = Static<typeof SdkConfig>

/** What an integrator may add to a visit: `additionalInput` and the params of the push, together. */
export const customInputLimits = { bytes: 4096, keys: 64, depth: 4 } as const

/** The server drops wrong enum values and unknown keys (specification 4.7, rule 2). */
export const UpdateInfo = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'userId, phoneNumber, phoneInputType, otpInputType, userEventType, merchantId, additionalInput (specification 2.7). additionalInput shares the limits of the params of the push',
})

/**
 * The engine call. The same body repeated in its session returns the stored answer. A used challenge with another
 * `requestId`, another body with the same `requestId`, or another session is refused.
 */
export const IntelligenceRequest = Type.Object(
  {
    requestId: Type.String({
      pattern: analysisIdPattern.source,
      description: 'The id that the SDK generates for each analysis',
    }),
    challenge: Type.String({
      maxLength: 128,
      description: 'challenge of the config call, or nextChallenge of the previous answer',
    }),
    platform: DevicePlatform,
    sdkVersion: Type.String({ minLength: 1, maxLength: 32 }),
    tsId: SdkId('The id of the session'),
    inId: SdkId('The id of the installation'),
    facts: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'Facts by name, see the schemas WebFacts, IosFacts and AndroidFacts; facts of a wrong type are dropped',
    }),
    updateInfo: Type.Optional(UpdateInfo),
    factsMissing: Type.Optional(
      Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 16 }), {
        maxProperties: 128,
        description: 'Why a fact is missing, by its name: refused, unavailable or timedOut',
      }),
    ),
    proof: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'WEB and ANDROID: the signature by the key of the installation. publicKey: the 65 bytes of an uncompressed P-256 point; signature: ECDSA with SHA-256, 64 bytes of r and s, or DER; both in base64url. docs/guides/sdk-calls.md explains the signed text',
      }),
    ),
    carry: Type.Optional(
      Type.Boolean({
        description:
          'true: the SDK sends `analysis` of the answer with the push, and nothing is stored before it. The secure call ignores it',
      }),
    ),
    attestation: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'IOS: keyId, and attestation (of a new key) or assertion, of App Attest, in base64. The client data are the signed text, which the service builds itself. ANDROID, with the first call of a key: chain, the certificates of `KeyStore.getCertificateChain`, in base64; the challenge of the key is SHA-256 of the signed text. madeFor, when that call was not answered: its tsId, challenge, requestId and bodyDigest. integrityToken: a classic token of Play Integrity, whose nonce is the same challenge in base64url',
      }),
    ),
  },
  { $id: 'IntelligenceRequest' },
)
export type IntelligenceRequest = Static<typeof IntelligenceRequest>

export const IntelligenceAnswer = Type.Object(
  {
    requestId: Type.String(),
    sessionId: Type.String(),
    nextChallenge: Type.String({ description: 'Send it with the next engine call' }),
    deviceToken: Type.Optional(
      Type.String({ description: 'WEB: store it in the browser, and send it as the fact deviceToken next time' }),
    ),
    analysis: Type.Optional(
      Type.String({
        description:
          'Only with `carry`: the sealed analysis. Send it as `data.analysis` of the push within ten minutes',
      }),
    ),
    attest: Type.Optional(
      Type.Boolean({
        description:
          'true: the service does not know what attests the key of this call. ANDROID: send chain and madeFor of the key with the next call, if the phone has them. IOS: attest a new key, at most once a day',
      }),
    ),
  },
  { $id: 'IntelligenceAnswer', ...closed, description: 'The facts were analysed' },
)
export type IntelligenceAnswer = Static<typeof IntelligenceAnswer>

/** The push: reserved keys, and the integrator's params, which cannot override them (specification 4.7, rule 1). */
export const PushRequest = Type.Object(
  {
    data: Type.Object(
      {
        requestId: Type.String({ maxLength: 64 }),
        analysis: Type.Optional(
          Type.String({ maxLength: 8192, description: 'analysis of the engine call, if its answer had one' }),
        ),
      },
      { description: 'Answer of the engine call' },
    ),
    status: Type.Optional(Type.String()),
    requestId: Type.String({ pattern: analysisIdPattern.source, description: 'requestId of the engine call' }),
    message: Type.Optional(Type.String()),
    tsId: SdkId('The id of the session'),
    inId: SdkId('The id of the installation'),
    platform: DevicePlatform,
    appId: Type.String({ maxLength: 64 }),
  },
  {
    $id: 'PushRequest',
    additionalProperties: true,
    description: `The reserved fields, and any params of yours. Params and \`additionalInput\` together: at most ${customInputLimits.bytes} bytes of JSON, ${customInputLimits.keys} keys and ${customInputLimits.depth} levels`,
  },
)
export type PushRequest = Static<typeof PushRequest>

export const PushAnswer = Type.Object(
  {
    dfrId: Type.String({ description: 'Id of the report, 32 hex digits' }),
    intelligenceResponse: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'The report, only when the app setting revealReport is true',
      }),
    ),
  },
  { $id: 'PushAnswer', ...closed, description: 'The report is stored' },
)
export type PushAnswer = Static<typeof PushAnswer>

/** A token for secure info without a login. The body is that of the engine call, and is accepted once. */
export const SecureRequest = Type.Object(IntelligenceRequest.properties, { $id: 'SecureRequest' })
export type SecureRequest = Static<typeof SecureRequest>

export const SecureAnswer = Type.Object(
  {
    token: Type.String({ description: 'For the secure-info endpoint' }),
    nextChallenge: Type.String(),
    deviceToken: Type.Optional(Type.String()),
  },
  { $id: 'SecureAnswer', ...closed, description: 'A token without a login' },
)
export type SecureAnswer = Static<typeof SecureAnswer>

/** Error body of the device calls (specification 2.6). */
export const DeviceErrorBody = Type.Object(
  { requestId: Type.String(), errorMessage: Type.String() },
  { $id: 'DeviceErrorBody', ...closed, description: 'Why a device call was refused' },
)
export type DeviceErrorBody = Static<typeof DeviceErrorBody>
