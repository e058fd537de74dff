// How does the console read everything of a device, user or phone number, and act on it?

import { admin } from '../admin-endpoint.ts'
import { problem } from '../problem.ts'
import { ListDevicesRequest, ListedDevices } from './entities.ts'
import { AdminDeviceRequest, AdminDeviceVisitsRequest, ForgottenDevice, ShownDevice, ShownVisits } from './subjects.ts'

const devices = 'Console devices'
const deviceUnknown = { 404: problem('Nothing is stored about this device', 'device-unknown') } as const

export const subjectEndpoints = {
  listDevices: admin({
    method: 'POST',
    path: '/admin/v1/devices/list',
    permission: 'devices.read',
    effect: 'read',
    tag: devices,
    summary: 'List devices',
    description:
      'Returns devices of the event log, a page at a time: when they were seen, decisions, labels and state. They are about half a minute behind.',
    request: ListDevicesRequest,
    answer: ListedDevices,
  }),
  readDevice: admin({
    method: 'GET',
    path: '/admin/v1/devices/{deviceId}',
    permission: 'devices.read',
    tag: devices,
    summary: 'Read a device',
    description:
      'Returns what is known of a device: installations, places, accounts and numbers seen with it, labels, velocities and the newest report.',
    request: AdminDeviceRequest,
    fieldFailures: { deviceId: 'deviceUnknown' },
    answer: ShownDevice,
    refusals: deviceUnknown,
  }),
  listDeviceVisits: admin({
    method: 'GET',
    path: '/admin/v1/devices/{deviceId}/visits',
    permission: 'devices.read',
    tag: devices,
    summary: 'List the visits of a device',
    description:
      'Returns visits, newest first: how each was recognised, from where it came, its scores and rules, and what changed since the visit before.',
    request: AdminDeviceVisitsRequest,
    fieldFailures: { deviceId: 'deviceUnknown' },
    answer: ShownVisits,
    refusals: deviceUnknown,
  }),
  forgetDevice: admin({
    method: 'POST',
    path: '/admin/v1/devices/{deviceId}/forget',
    permission: 'devices.forget',
    tag: devices,
    summary: 'Forget a device',
    description:
      'Deletes everything about a device, and the reports of its visits. It gets a new id when it returns. Events and decisions stay until their retention ends.',
    request: AdminDeviceRequest,
    fieldFailures: { deviceId: 'deviceUnknown' },
    answer: ForgottenDevice,
    refusals: deviceUnknown,
  }),
} as const
