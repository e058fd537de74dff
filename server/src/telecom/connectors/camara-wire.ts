// What do the calls of all CAMARA APIs share? Their headers, and what an error stands for (Commonalities 0.6).

import { errorCodeOf, type UpstreamResponse } from '../../upstream/guard.ts'
import type { Inquiry } from '../inquiry.ts'

/** Device status 1.0, SIM swap 2.0, Number Verification 2.0 and others of their time take nothing else. */
const correlatorOf = (correlator: string) => correlator.replace(/[^a-zA-Z0-9-]/g, '-').slice(0, 55)

/** @param body absent: the request has none */
export const camaraHeaders = ({ correlator, trace }: Pick<Inquiry, 'correlator' | 'trace'>, body?: string) => ({
  accept: 'application/json',
  ...(body !== undefined && { 'content-type': 'application/json' }),
  'x-correlator': correlatorOf(correlator),
  ...trace,
})

/** The operator does not offer the call for this number. */
export const saysUnsupported = ({ status, body }: UpstreamResponse): boolean =>
  status === 501 || (status >= 300 && errorCodeOf(body) === 'SERVICE_NOT_APPLICABLE')
