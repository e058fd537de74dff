// Which calls do the SDKs of an app make, beside the sign-in? Public ones: an app id, never a client secret. (design: wire.md)

import {
  DeviceErrorBody,
  IntelligenceAnswer,
  IntelligenceRequest,
  PushAnswer,
  PushRequest,
  SdkConfig,
  SdkConfigQuery,
  SecureAnswer,
  SecureRequest,
} from '../sdk.ts'
import { type Endpoint, everyCall, type RefusalRow } from './endpoint.ts'

const refused = (description: string, ...samples: string[]): RefusalRow => ({
  description,
  body: DeviceErrorBody,
  samples,
})

/** The refusals of every call of an SDK, in the shape of the device report. */
const everySdkCall = {
  405: refused('Another method; see Allow', 'method-not-allowed'),
  408: everyCall[408],
  413: refused('The body is larger than 64 KiB, or 256 KiB where it may bring facts', 'body-too-large'),
  415: refused('The body is not JSON, or is compressed', 'media-type-unsupported'),
  429: refused('Rate limit of the app and address exceeded; see Retry-After', 'rate-limited'),
  431: everyCall[431],
  500: refused('An unexpected failure', 'unexpected'),
  503: refused('Overloaded, draining or without its store; see Retry-After', 'unavailable'),
} as const

const device = { errorFormat: 'device', tag: 'SDK', accepted: 'Done' } as const

/** The refusals of every call of a session. */
const everySessionCall = {
  ...everySdkCall,
  400: refused('A field is missing or wrong, or the body is no JSON', 'field-invalid', 'invalid-json'),
  401: refused(
    'The session is unknown, expired or another one than the body names, its origin is not the app’s, or the call was made before with another body',
    'session-invalid',
    'session-foreign',
    'challenge-used',
    'origin-unlisted',
    'package-unlisted',
    'app-disabled',
  ),
} as const

export const sdkEndpoints = {
  sdkConfig: {
    ...device,
    method: 'GET',
    path: '/sdk/v1/device-fingerprint/config',
    caller: 'app',
    summary: 'Begin a session of an SDK',
    description:
      'What an SDK asks when it is initialized: a session of 15 minutes, bound to app, platform and package, and which facts to collect. A browser is admitted from the origins of the app only.',
    request: SdkConfigQuery,
    answer: SdkConfig,
    refusals: {
      ...everySdkCall,
      400: refused('packageName or platform is missing or wrong', 'field-invalid'),
      401: refused(
        'The app id is malformed or disabled, or the app does not list the package or origin',
        'app-id-malformed',
        'app-disabled',
        'package-unlisted',
        'origin-unlisted',
      ),
      404: refused('No app has this id', 'app-unknown'),
    },
  },
  intelligence: {
    ...device,
    method: 'POST',
    path: '/sdk/v1/intelligence',
    caller: 'session',
    summary: 'Engine call: analyse the facts of a device',
    description:
      'The facts are bound to the session and its single-use challenge. The same body repeated in its session is answered as before. Facts of wrong types are dropped, never refused.',
    request: IntelligenceRequest,
    answer: IntelligenceAnswer,
    refusals: everySessionCall,
  },
  pushFingerprint: {
    ...device,
    method: 'POST',
    path: '/sdk/v1/device-fingerprint',
    caller: 'session',
    summary: 'Push: add your params to an analysis',
    description:
      'The answer names the report, `dfrId`, which a backend exchanges for it. Params of your own stand beside the reserved fields and are kept as they are. The same body repeated in its session is answered as before.',
    request: PushRequest,
    answer: PushAnswer,
    refusals: everySessionCall,
  },
  secure: {
    ...device,
    method: 'POST',
    path: '/sdk/v1/secure',
    caller: 'session',
    summary: 'A token for secure info, without a login',
    description:
      'Analyses the facts as the engine call does, and answers a token that /auth/v1/secure-info takes. The same body repeated in its session is answered with another token of the same analysis.',
    request: SecureRequest,
    answer: SecureAnswer,
    refusals: everySessionCall,
  },
} as const satisfies Record<string, Endpoint>
