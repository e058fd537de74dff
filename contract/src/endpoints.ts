// Which calls does the service answer, with which bodies and statuses? One row a call; OpenAPI and the server's table rest on it.

import type { TSchema } from 'typebox'
import { ErrorBody, UnexpectedErrorBody } from './errors.ts'
import {
  CallForwardingRequest,
  CallForwardingResult,
  PortabilityRequest,
  PortabilityResult,
  SimSwapRequest,
  SimSwapResult,
} from './telecom.ts'

/** Who may call: a tenant's client with its secret, or anyone (health, documentation). */
export type Caller = 'client' | 'anyone'

/** The four error shapes of the contract; see the server's errors.ts. */
export type Dialect = 'telecom'

export interface Endpoint {
  readonly method: 'POST'
  readonly path: `/${string}`
  readonly caller: Caller
  readonly dialect: Dialect
  readonly tag: string
  readonly summary: string
  readonly description: string
  readonly request: TSchema
  readonly answer: TSchema
  /** Refusals by status; the shape of each is the dialect's. */
  readonly refusals: Readonly<Record<number, { description: string; body: TSchema }>>
}

const telecomRefusals = {
  400: { description: 'Invalid request, or a check that the operator of the number does not support', body: ErrorBody },
  401: { description: 'Missing or invalid credentials', body: ErrorBody },
  413: { description: 'The body is larger than 64 KiB', body: ErrorBody },
  415: { description: 'The body is not JSON', body: ErrorBody },
  429: { description: 'Rate limit exceeded; see Retry-After, RateLimit and RateLimit-Policy', body: ErrorBody },
  500: { description: 'An unexpected failure', body: UnexpectedErrorBody },
  503: { description: 'Overloaded, draining or without its store; see Retry-After', body: ErrorBody },
} as const

const telecom = {
  method: 'POST',
  caller: 'client',
  dialect: 'telecom',
  tag: 'Telecom',
  refusals: telecomRefusals,
} as const

export const endpoints = {
  simSwapCheck: {
    ...telecom,
    path: '/v1/telecom/sim-swap-check',
    summary: 'SIM swap check',
    description:
      'Whether the SIM was swapped within a lookback window. `swapped` false means only that no swap was found within the window. Read the HTTP status first; on 200 read `success`; read `swapped` only when `success` is true.',
    request: SimSwapRequest,
    answer: SimSwapResult,
  },
  callForwardingCheck: {
    ...telecom,
    path: '/v1/telecom/call-forwarding-check',
    summary: 'Call forwarding check',
    description:
      'Whether call forwarding is active on the number; forwarding can divert voice OTP calls to a device that the user does not control.',
    request: CallForwardingRequest,
    answer: CallForwardingResult,
  },
  portability: {
    ...telecom,
    path: '/v1/telecom/portability',
    summary: 'Number portability check',
    description: 'Whether the number has been ported away from its home operator: `phoneDetail.isPorted`.',
    request: PortabilityRequest,
    answer: PortabilityResult,
  },
} as const satisfies Record<string, Endpoint>

export type EndpointName = keyof typeof endpoints
