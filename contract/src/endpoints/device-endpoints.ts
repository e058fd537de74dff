// What does a backend ask and tell of devices? With its client's secret, never from an app. (specification 4.6; design: wire.md)

import { DeviceReport, DeviceReportRequest } from '../device-report.ts'
import { LabelAnswer, LabelRequest } from '../labels.ts'
import { DeviceErrorBody } from '../sdk.ts'
import type { Endpoint, RefusalRow } from './endpoint.ts'
import { everyCall } from './endpoint.ts'

const refused = (description: string, ...samples: string[]): RefusalRow => ({
  description,
  body: DeviceErrorBody,
  samples,
})

const refusals = {
  400: refused('A field is missing or wrong, or the body is no JSON', 'field-invalid', 'invalid-json'),
  401: refused('Missing or invalid credentials', 'credentials-missing', 'credentials-invalid'),
  405: refused('Another method; see Allow', 'method-not-allowed'),
  408: everyCall[408],
  413: refused('The body is larger than 64 KiB', 'body-too-large'),
  415: refused('The body is not JSON, or is compressed', 'media-type-unsupported'),
  429: refused('Rate limit exceeded; see Retry-After', 'rate-limited'),
  431: everyCall[431],
  500: refused('An unexpected failure', 'unexpected'),
  503: refused('Overloaded, draining or without its store; see Retry-After', 'unavailable'),
} as const

const device = { method: 'POST', caller: 'client', errorFormat: 'device', tag: 'Devices', accepted: 'Done' } as const

export const deviceEndpoints = {
  deviceFingerprint: {
    ...device,
    path: '/client/v1/device-fingerprint',
    summary: 'Device fingerprint report',
    description:
      'Risk scores, flags, address, device and the outcome of your rules for the dfrId that an SDK answered. A report is a record of one moment: it is read again unchanged while it is kept.',
    request: DeviceReportRequest,
    answer: DeviceReport,
    refusals: {
      ...refusals,
      404: refused('No such report, or it is another tenant’s, of another deviceType, or forgotten', 'report-unknown'),
    },
  },
  labelReports: {
    ...device,
    path: '/client/v1/labels',
    summary: 'Tell how sessions turned out',
    description:
      'Labels feed the history of devices (deviceRiskScore, rules on history) and tell how precise rules are (ringfence rules backtest). Told again, a label changes nothing; one that is known later replaces an earlier one.',
    request: LabelRequest,
    answer: LabelAnswer,
    refusals,
  },
} as const satisfies Record<string, Endpoint>
