// What does the user's browser or app report about itself? (specification 2.4, deviceInfo; 2.5, device_info)

import Type, { type Static } from 'typebox'
import { closed } from './schema-parts.ts'

const text = Type.Optional(Type.String())

const browser = { browserName: text, os: text, osVersion: text, device: text } as const

const device = {
  userAgent: text,
  platform: text,
  vendor: text,
  browser: text,
  connection: text,
  language: text,
  cookieEnabled: Type.Optional(Type.Boolean()),
  screenWidth: Type.Optional(Type.Integer()),
  screenHeight: Type.Optional(Type.Integer()),
  screenColorDepth: Type.Optional(Type.Integer()),
  devicePixelRatio: Type.Optional(Type.Number()),
  timezoneOffset: Type.Optional(Type.Integer({ description: 'Minutes' })),
  cpuArchitecture: text,
  fontFamily: text,
  deviceId: text,
} as const

/** Omits every fact that the device did not report. */
export const DeviceInfo = Type.Object(
  { ...device, browserInfo: Type.Optional(Type.Object(browser, closed)) },
  { $id: 'DeviceInfo', ...closed, description: 'What the device reported about itself' },
)
export type DeviceInfo = Static<typeof DeviceInfo>

/** `device_info` of the secure-info endpoint, with more in `browserInfo`. */
export const DeviceInfoDetail = Type.Object(
  {
    ...device,
    browserInfo: Type.Optional(
      Type.Object({ ...browser, browserMajorVersion: text, browserFullVersion: text, userAgent: text }, closed),
    ),
  },
  {
    $id: 'DeviceInfoDetail',
    ...closed,
    description: 'What the device reported about itself, with its browser versions',
  },
)
export type DeviceInfoDetail = Static<typeof DeviceInfoDetail>
