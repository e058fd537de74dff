// What does a backend learn about a device? The device fingerprint report, by the dfrId of an SDK. (specification 2.6, 4.6)

import Type, { type Static, type TProperties } from 'typebox'
import { UserId } from '../account-devices.ts'
import { closed } from '../schema-parts.ts'
import { DevicePlatform } from '../sdk.ts'
import { ReportIdentification } from './identification.ts'
import { ReportReasons, ReportSignals } from './report-details.ts'

const part = <Fields extends TProperties>(description: string, fields: Fields) =>
  Type.Partial(Type.Object(fields), { ...closed, description: `${description}; unknown fields are omitted` })
const flag = (description: string) => Type.Boolean({ description: `${description}; false when unknown` })
/** Android reports more than the specification has, which is that of the iOS SDK. */
const onAndroid = (description: string) =>
  Type.Optional(Type.Boolean({ description: `${description}; only of Android, absent when unknown` }))
const bytes = (description: string) => Type.String({ description: `${description}, in bytes, as decimal digits` })

export const DeviceReportRequest = Type.Object(
  {
    dfrId: Type.String({ description: 'The dfrId that the SDK returned' }),
    deviceType: DevicePlatform,
    userId: Type.Optional({
      ...UserId,
      description: 'Your id of the user who signed in. Confirms the device for this user',
    }),
    userVerified: Type.Optional(
      Type.Boolean({
        description:
          'false: the user has not signed in yet, so nothing is confirmed. Use it to ask before the sign-in. Default: true',
      }),
    ),
    expectedUserId: Type.Optional({
      ...UserId,
      description:
        'The user whose session this must be. A report whose `updateInfo` names another user, or none, is answered as unknown',
    }),
    maxAgeSeconds: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 31_536_000, description: 'An older report is answered as unknown' }),
    ),
    include: Type.Optional(
      Type.Array(Type.Enum(['identification', 'reasons', 'signals']), {
        maxItems: 8,
        description: 'Members to add to the report. Without it, the report has exactly the fields of the specification',
      }),
    ),
  },
  { $id: 'DeviceReportRequest' },
)
export type DeviceReportRequest = Static<typeof DeviceReportRequest>

export const RuleAction = Type.Object(
  {
    action: Type.Enum(['ALLOW', 'WARN', 'BLOCK']),
    name: Type.String({ description: 'Name of the rule that decided; empty when no rule fired' }),
    description: Type.String(),
    message: Type.String({ description: 'Message that you can show to the user' }),
  },
  { $id: 'RuleAction', ...closed, description: 'The decision of your rules' },
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

/** A snapshot: a later read returns the same report. */
export const DeviceReport = Type.Object(
  {
    requestId: Type.String({ description: 'requestId of the engine call' }),
    sessionId: Type.String({ description: 'tsId of the SDK' }),
    newDevice: flag('This is the first visit of the device'),
    deviceId: Type.String({ description: 'Stable id of the device; empty when it has none' }),
    sessionRiskScore: Type.Number({ description: 'Risk of this session, 0 to 100' }),
    deviceRiskScore: Type.Number({ description: 'Risk of this session and the history of the device, 0 to 100' }),
    vpn: flag('A VPN is active'),
    proxy: flag('The device is behind a proxy or a Tor exit node'),
    simulator: flag('The app runs on a simulator or emulator'),
    jailbroken: flag('The device is jailbroken'),
    cloned: flag('The app is a cloned instance'),
    geoSpoofed: flag('The location is spoofed'),
    mirroredScreen: flag('The screen is mirrored or recorded'),
    hooking: flag('A hooking framework was detected'),
    appTampering: flag('The app differs from the published one'),
    factoryReset: flag('The device was reset shortly before this session'),
    factoryResetTime: Type.Integer({ description: 'Epoch milliseconds; -1 when unknown' }),
    ip: Type.String({ description: 'IP address of the device; empty when unknown' }),
    ipDetails: part('Location and reputation of the IP address', {
      city: Type.String({ description: 'English name' }),
      region: Type.String({ description: 'English name' }),
      country: Type.String({ description: 'ISO 3166-1 alpha-2 country code' }),
      isp: Type.String({ description: 'Network operator (ISP)' }),
      asn: Type.String({ description: 'Autonomous system number, digits only' }),
      fraudScore: Type.Number({
        description:
          '0 to 100, from published IP lists and your labels; omitted without both (see ringfence data update)',
      }),
    }),
    gpsLocation: part('GPS location, when the user allows it', {
      latitude: Type.Number({ description: 'Degrees north' }),
      longitude: Type.Number({ description: 'Degrees east' }),
      altitude: Type.Number({ description: 'Metres above sea level' }),
    }),
    deviceMeta: part('Hardware and system of the device', {
      brand: Type.String(),
      model: Type.String(),
      iOSVersion: Type.String({ description: 'Only on iOS' }),
      cpuType: Type.String(),
      screenResolution: Type.String({ description: 'Width and height in pixels, for example 1170x2532' }),
      totalRAM: bytes('Memory'),
      storageAvailable: bytes('Free storage'),
      storageTotal: bytes('Storage'),
    }),
    activeCall: onAndroid('A call is in progress'),
    remoteAccess: onAndroid('An app for remote access is installed'),
    accessibilityService: onAndroid('An app that is no tool for accessibility can read and control the screen'),
    overlay: onAndroid('A window of another app covers this one'),
    foreignKeyboard: onAndroid('The keyboard in use did not come with the system'),
    sideloadedApp: onAndroid('No store installed the app'),
    userProfile: Type.Optional(
      Type.Enum(['MAIN', 'WORK', 'OTHER'], {
        description:
          'The user of the phone that runs the app: the first one, a work profile, or another; only of Android',
      }),
    ),
    openWifi: onAndroid('The Wi-Fi in use is not encrypted'),
    manualClock: onAndroid('The user sets the clock or the time zone by hand'),
    sim: Type.Optional(
      part('The SIM cards; only of Android', {
        slots: Type.Integer({ description: 'Slots of the phone' }),
        inserted: Type.Integer({ description: 'Slots with a card' }),
        networkCode: Type.String({ description: 'Of the first card: MCC and MNC, such as 404-45' }),
        carrier: Type.String({ description: 'Of the first card: the name that it shows' }),
        country: Type.String({ description: 'Of the first card: ISO 3166-1 alpha-2 country code' }),
      }),
    ),
    ruleAction: RuleAction,
    appliedRules: AppliedRules,
    additionalData: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'The params of the push and the keys of `additionalInput` that the app setting `additionalDataFields` lists',
    }),
  },
  { $id: 'DeviceReport', ...closed, description: 'Everything that is known about a device at one moment' },
)
export type DeviceReport = Static<typeof DeviceReport>

/** The report, and what `include` asks for. */
export const DeviceReportAnswer = Type.Object(
  {
    ...DeviceReport.properties,
    identification: Type.Optional(ReportIdentification),
    reasons: Type.Optional(ReportReasons),
    signals: Type.Optional(ReportSignals),
  },
  { $id: 'DeviceReportAnswer', ...closed, description: 'The report of a device, with the members that you ask for' },
)
export type DeviceReportAnswer = Static<typeof DeviceReportAnswer>

export type IncludedMember = NonNullable<DeviceReportRequest['include']>[number]
