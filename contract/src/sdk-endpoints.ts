// Which calls do the SDKs of an app make, beside the sign-in? Public ones: an app id, never a client secret. (design: wire.md)

import { type Endpoint, everyCall, type RefusalRow } from './endpoint.ts'
import { DeviceErrorBody, SdkConfig, SdkConfigQuery } from './sdk.ts'

const refused = (description: string, ...samples: string[]): RefusalRow => ({
  description,
  body: DeviceErrorBody,
  samples,
})

/** The refusals of every call of an SDK, in the shape of the device report. */
const everySdkCall = {
  405: refused('Another method; see Allow', 'method-not-allowed'),
  408: everyCall[408],
  413: refused('The body is larger than 256 KiB', 'body-too-large'),
  415: refused('The body is not JSON, or is compressed', 'media-type-unsupported'),
  429: refused('Rate limit of the app and address exceeded; see Retry-After', 'rate-limited'),
  431: everyCall[431],
  500: refused('An unexpected failure', 'unexpected'),
  503: refused('Overloaded, draining or without its store; see Retry-After', 'unavailable'),
} as const

const device = { dialect: 'device', tag: 'SDK', accepted: 'Done' } as const

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
} as const satisfies Record<string, Endpoint>
