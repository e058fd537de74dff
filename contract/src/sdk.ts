// What do the SDKs of an app ask, before and beside a sign-in? Session, engine call, push, and a token without a login. (design: wire.md)

import Type, { type Static } from 'typebox'

const closed = { additionalProperties: false } as const

export const DevicePlatform = Type.Enum(['WEB', 'IOS', 'ANDROID'], { description: 'Platform of the SDK' })

const SdkId = (description: string) =>
  Type.String({ minLength: 1, maxLength: 64, description: `${description}, \`<UUID>-<epoch seconds>\`` })

/** The request id of an analysis, which its SDK makes. */
export const analysisIdPattern = /^[A-Za-z0-9-]{16,64}$/

/** The query of the config call. */
export const SdkConfigQuery = Type.Object(
  {
    packageName: Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'Bundle id, package name, or origin of the page',
    }),
    platform: DevicePlatform,
  },
  { $id: 'SdkConfigQuery' },
)
export type SdkConfigQuery = Static<typeof SdkConfigQuery>

export const SdkConfig = Type.Object(
  {
    sessionId: Type.String({ description: 'tsId of the calls of this session' }),
    sessionToken: Type.String({ description: 'Bearer token of the calls of this session' }),
    expiresAt: Type.String({ description: 'ISO 8601 UTC' }),
    challenge: Type.String({ description: 'To be sent with the next engine call; accepted once' }),
    collect: Type.Record(Type.String(), Type.Boolean(), { description: 'Facts by name; false: not to be collected' }),
  },
  { $id: 'SdkConfig', ...closed, description: 'A session of an SDK' },
)
export type SdkConfig = Static<typeof SdkConfig>

/** Wrong enum values and unknown keys are dropped, never refused (specification 4.7, rule 2). */
export const UpdateInfo = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'userId, phoneNumber, phoneInputType, otpInputType, userEventType, merchantId, additionalInput (specification 2.7)',
})

/**
 * The engine call. The same body repeated in its session returns the stored answer; a used challenge under another
 * `requestId`, another body under the same one, or another session is refused.
 */
export const IntelligenceRequest = Type.Object(
  {
    requestId: Type.String({
      pattern: analysisIdPattern.source,
      description: 'Made by the SDK, new for each analysis',
    }),
    challenge: Type.String({ maxLength: 128, description: 'Of the config call or the answer before' }),
    platform: DevicePlatform,
    sdkVersion: Type.String({ minLength: 1, maxLength: 32 }),
    tsId: SdkId('Session'),
    inId: SdkId('Installation'),
    facts: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'Facts by name, as the schemas WebFacts, IosFacts and AndroidFacts say; those of wrong types are dropped',
    }),
    updateInfo: Type.Optional(UpdateInfo),
    attestation: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'App Attest (iOS): keyId, clientData (JSON of challenge and requestId), and attestation or assertion; base64',
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
    nextChallenge: Type.String({ description: 'To be sent with the next engine call' }),
    deviceToken: Type.Optional(
      Type.String({ description: 'WEB: to be kept in the browser, and sent as the fact of this name next time' }),
    ),
  },
  { $id: 'IntelligenceAnswer', ...closed, description: 'The facts were analysed' },
)
export type IntelligenceAnswer = Static<typeof IntelligenceAnswer>

/** The push. Params of the integrator stand beside the reserved keys, which they cannot override (specification 4.7, rule 1). */
export const PushRequest = Type.Object(
  {
    data: Type.Object({ requestId: Type.String({ maxLength: 64 }) }, { description: 'Of the engine call' }),
    status: Type.Optional(Type.String()),
    requestId: Type.String({ pattern: analysisIdPattern.source, description: 'Of the engine call' }),
    message: Type.Optional(Type.String()),
    tsId: SdkId('Session'),
    inId: SdkId('Installation'),
    platform: DevicePlatform,
    appId: Type.String({ maxLength: 64 }),
  },
  { $id: 'PushRequest', additionalProperties: true, description: 'Beside these, any params of your own' },
)
export type PushRequest = Static<typeof PushRequest>

export const PushAnswer = Type.Object(
  {
    dfrId: Type.String({ description: 'Identifier of the report, 32 hex digits' }),
    intelligenceResponse: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'The report as a backend reads it, where the app reveals it',
      }),
    ),
  },
  { $id: 'PushAnswer', ...closed, description: 'The report can be fetched' },
)
export type PushAnswer = Static<typeof PushAnswer>

/** A token for secure info without a login; the body is the engine call's, and is accepted once like it. */
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
