// What does a backend learn of a device? The device fingerprint report, by the dfrId that an SDK gave. (specification 2.6, 4.6)

import Type, { type Static, type TProperties } from 'typebox'
import { DevicePlatform } from './sdk.ts'

const closed = { additionalProperties: false } as const
const part = <Fields extends TProperties>(description: string, fields: Fields) =>
  Type.Partial(Type.Object(fields), { ...closed, description: `${description}; a part that is not known is omitted` })
const flag = (description: string) => Type.Boolean({ description: `${description}; false where it is not known` })
const bytes = (description: string) => Type.String({ description: `${description}, bytes as decimal digits` })

export const DeviceReportRequest = Type.Object(
  {
    dfrId: Type.String({ description: 'What the SDK answered' }),
    deviceType: DevicePlatform,
  },
  { $id: 'DeviceReportRequest' },
)
export type DeviceReportRequest = Static<typeof DeviceReportRequest>

export const RuleAction = Type.Object(
  {
    action: Type.Enum(['ALLOW', 'WARN', 'BLOCK']),
    name: Type.String({ description: 'Of the rule that decided; empty when none fired' }),
    description: Type.String(),
    message: Type.String({ description: 'What the user may be told' }),
  },
  { $id: 'RuleAction', ...closed, description: 'What your rules make of the session' },
)
export type RuleAction = Static<typeof RuleAction>

export const AppliedRules = Type.Object(
  {
    rules: Type.Record(Type.String(), Type.Number(), { description: 'Score by `<rule id> : <rule name>`' }),
    totalScore: Type.Number({ description: 'Sum of the scores' }),
  },
  { $id: 'AppliedRules', ...closed, description: 'The rules that fired' },
)
export type AppliedRules = Static<typeof AppliedRules>

/** A record of one moment: read again, it says the same. */
export const DeviceReport = Type.Object(
  {
    requestId: Type.String({ description: 'Of the engine call' }),
    sessionId: Type.String({ description: 'tsId of the SDK' }),
    newDevice: flag('The device is seen for the first time'),
    deviceId: Type.String({ description: 'Stable id of the device; empty where there is none' }),
    sessionRiskScore: Type.Number({ description: '0 to 100: risk of this session' }),
    deviceRiskScore: Type.Number({ description: '0 to 100: risk that also weighs the history of the device' }),
    vpn: flag('A VPN is active'),
    proxy: flag('Behind a proxy, or an exit of Tor'),
    simulator: flag('Runs on a simulator or emulator'),
    jailbroken: flag('The device is jailbroken'),
    cloned: flag('A cloned instance of the app'),
    geoSpoofed: flag('The location is faked'),
    mirroredScreen: flag('The screen is mirrored or recorded'),
    hooking: flag('A hooking framework was found'),
    appTampering: flag('The app is not as it was published'),
    factoryReset: flag('The device was reset shortly before'),
    factoryResetTime: Type.Integer({ description: 'Epoch milliseconds; -1 when it is not known' }),
    ip: Type.String({ description: 'Address of the device; empty when it is not known' }),
    ipDetails: part('Place and reputation of the address', {
      city: Type.String({ description: 'English name' }),
      region: Type.String({ description: 'English name' }),
      country: Type.String({ description: 'ISO 3166-1 alpha-2 country code' }),
      isp: Type.String({ description: 'Organisation that runs the network' }),
      asn: Type.String({ description: 'Number of the autonomous system, digits only' }),
      fraudScore: Type.Number({
        description:
          '0 to 100, by published lists and by your labels; omitted where there are neither (ringfence data update)',
      }),
    }),
    gpsLocation: part('What the device says of its place, where its owner permits it', {
      latitude: Type.Number({ description: 'Degrees north' }),
      longitude: Type.Number({ description: 'Degrees east' }),
      altitude: Type.Number({ description: 'Metres above the sea' }),
    }),
    deviceMeta: part('The device itself', {
      brand: Type.String(),
      model: Type.String(),
      iOSVersion: Type.String({ description: 'Absent off iOS' }),
      cpuType: Type.String(),
      screenResolution: Type.String({ description: 'Width and height in pixels, as 1170x2532' }),
      totalRAM: bytes('Memory'),
      storageAvailable: bytes('Free storage'),
      storageTotal: bytes('Storage'),
    }),
    ruleAction: RuleAction,
    appliedRules: AppliedRules,
    additionalData: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'Params of the push and keys of `additionalInput` that the app’s setting `additionalDataFields` lists',
    }),
  },
  { $id: 'DeviceReport', ...closed, description: 'Everything that is known of a device at one moment' },
)
export type DeviceReport = Static<typeof DeviceReport>
