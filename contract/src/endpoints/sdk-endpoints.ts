// Which calls do the SDKs of an app make, except for the sign-in? All are public: with an app id, never with a client secret.

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

/** The errors of every SDK call, in the format of the device report. */
const everySdkCall = {
  405: refused('Wrong method; see Allow', 'method-not-allowed'),
  408: everyCall[408],
  413: refused('The body is larger than 64 KiB, or 256 KiB for a call with facts', 'body-too-large'),
  415: refused('The body is not JSON, or is compressed', 'media-type-unsupported'),
  429: refused('Rate limit of the app and IP address exceeded; see Retry-After', 'rate-limited'),
  431: refused(everyCall[431].description, 'headers-too-large'),
  500: refused('An unexpected failure', 'unexpected'),
  503: refused('The service is overloaded or stopping, or cannot reach its database; see Retry-After', 'unavailable'),
} as const

const device = { errorFormat: 'device', tag: 'SDK', accepted: 'Done' } as const

/** The errors of every call of a session. */
const everySessionCall = {
  ...everySdkCall,
  400: refused('A field is missing or wrong, or the body is not JSON', 'field-invalid', 'invalid-json'),
  401: refused(
    'The session is unknown or expired, the body names another session, the app does not list the origin, or the requestId was used with another body',
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
    summary: 'Start an SDK session',
    description:
      'Called when an SDK is initialized. Returns a session of 15 minutes, bound to app, platform and package, and which facts to collect. A browser is accepted only from an origin of the app.',
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
    summary: 'Engine call: analyse a device',
    description:
      'Analyses the facts of a device. They are bound to the session and its single-use challenge. The same body repeated in its session returns the same answer. Facts of a wrong type are dropped.',
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
      'Returns the `dfrId` of the report, with which your backend reads it. Your params are stored as they are, beside the reserved fields. The same body repeated in its session returns the same answer.',
    request: PushRequest,
    answer: PushAnswer,
    refusals: everySessionCall,
  },
  secure: {
    ...device,
    method: 'POST',
    path: '/sdk/v1/secure',
    caller: 'session',
    summary: 'Token for secure info, without a login',
    description:
      'Analyses the facts like the engine call, and returns a token for /auth/v1/secure-info. The same body repeated in its session returns a new token for the same analysis.',
    request: SecureRequest,
    answer: SecureAnswer,
    refusals: everySessionCall,
  },
} as const satisfies Record<string, Endpoint>
