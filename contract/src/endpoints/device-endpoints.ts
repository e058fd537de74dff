// Which calls does a backend make about devices? With its client secret, never from an app. (specification 4.6)

import {
  AccountDevices,
  AccountDevicesRequest,
  DeleteAccountDevicesRequest,
  DeletedAccountDevices,
  TrustedDevice,
  UpdateAccountDeviceRequest,
} from '../account-devices.ts'
import { DeviceReportAnswer, DeviceReportRequest } from '../device-report/device-report.ts'
import { LabelAnswer, LabelRequest } from '../labels.ts'
import { DeviceErrorBody } from '../sdk.ts'
import type { Endpoint, RefusalRow } from './endpoint.ts'
import { everyCall, restricted } from './endpoint.ts'

const refused = (description: string, ...samples: string[]): RefusalRow => ({
  description,
  body: DeviceErrorBody,
  samples,
})

const refusals = {
  400: refused('A field is missing or wrong, or the body is not JSON', 'field-invalid', 'invalid-json'),
  401: refused('Missing or invalid credentials', 'credentials-missing', 'credentials-invalid'),
  403: refused(restricted, 'client-restricted'),
  405: refused('Wrong method; see Allow', 'method-not-allowed'),
  408: everyCall[408],
  413: refused('The body is larger than 64 KiB', 'body-too-large'),
  415: refused('The body is not JSON, or is compressed', 'media-type-unsupported'),
  429: refused('Rate limit exceeded; see Retry-After', 'rate-limited'),
  431: refused(everyCall[431].description, 'headers-too-large'),
  500: refused('An unexpected failure', 'unexpected'),
  503: refused('The service is overloaded or stopping, or cannot reach its database; see Retry-After', 'unavailable'),
} as const

const device = {
  method: 'POST',
  caller: 'client',
  scope: 'device',
  errorFormat: 'device',
  tag: 'Devices',
  accepted: 'Done',
} as const

export const deviceEndpoints = {
  deviceFingerprint: {
    ...device,
    path: '/client/v1/device-fingerprint',
    summary: 'Device fingerprint report',
    description:
      'Returns risk scores, flags, IP address, device and the decision of your rules, for the dfrId of an SDK. A report is a snapshot: it does not change while it is stored. With userId, the session is confirmed as one of the user, and `include` adds whether the user knows the device.',
    request: DeviceReportRequest,
    answer: DeviceReportAnswer,
    refusals: {
      ...refusals,
      404: refused('The report does not exist, has expired, or is of another tenant or deviceType', 'report-unknown'),
    },
  },
  labelReports: {
    ...device,
    scope: 'labels',
    path: '/client/v1/labels',
    summary: 'Label sessions',
    description:
      'Report how sessions turned out. Labels feed the history of devices (deviceRiskScore, rules on history) and measure the precision of rules (ringfence rules backtest). A repeated label changes nothing; a label with a later knownAt replaces an earlier one.',
    request: LabelRequest,
    answer: LabelAnswer,
    refusals,
  },
  listAccountDevices: {
    ...device,
    path: '/client/v1/accounts/devices/list',
    summary: 'List the devices of a user',
    description:
      'Returns the devices that were confirmed for a user: by a report read with userId, an issued token, a sign-in, or a label with userId.',
    request: AccountDevicesRequest,
    answer: AccountDevices,
    refusals,
  },
  updateAccountDevice: {
    ...device,
    scope: 'admin',
    path: '/client/v1/accounts/devices/update',
    summary: 'Name or revoke a device of a user',
    description:
      'Names a device, or revokes it with trusted: false. A revoked device is unknown to the account until a later session of it is confirmed.',
    request: UpdateAccountDeviceRequest,
    answer: TrustedDevice,
    refusals: { ...refusals, 404: refused('The user has no such device', 'account-device-unknown') },
  },
  deleteAccountDevices: {
    ...device,
    scope: 'admin',
    path: '/client/v1/accounts/devices/delete',
    summary: 'Delete the devices of a user',
    description:
      'Deletes what is stored about one device of a user, or about all of them, for example when the account is closed. Repeating it is a success.',
    request: DeleteAccountDevicesRequest,
    answer: DeletedAccountDevices,
    refusals,
  },
} as const satisfies Record<string, Endpoint>
