// What does one change to an ordinary device cause? For each platform and signal: a fact, list or header, and all that it must change.

import type { DevicePlatform } from '@ringfence/contract'
import { type DeviceReport, type Facts, type IntelligenceRequest, readSamples } from '@ringfence/contract'
import type { WeightName } from '../signals/index.ts'

const samples = readSamples()
/** The facts of an ordinary device of each platform. */
export const sampleOf: Readonly<Record<DevicePlatform, Facts>> = {
  WEB: (samples.IntelligenceRequest!.web as IntelligenceRequest).facts as Facts,
  IOS: samples.IosFacts!.everything as Facts,
  ANDROID: samples.AndroidFacts!.everything as Facts,
}
const [web, ios, android] = [sampleOf.WEB, sampleOf.IOS, sampleOf.ANDROID]

/** Where each sample is: an IP block in its time zone, with an IP address on each list. */
export const places: Readonly<Record<DevicePlatform, { block: string; timeZone: string; country: string }>> = {
  WEB: { block: '81.2.69', timeZone: 'Europe/London', country: 'GB' },
  IOS: { block: '85.214.132', timeZone: 'Europe/Berlin', country: 'DE' },
  ANDROID: { block: '49.200.0', timeZone: 'Asia/Kolkata', country: 'IN' },
}
export const hostOnList = { unlisted: 1, tor: 2, openProxy: 3, vpnServer: 4 } as const

/** A change to a session, and all that it must cause. */
export interface Case {
  readonly changes?: Facts
  /** The IP address is on this list. */
  readonly list?: keyof typeof hostOnList
  readonly headers?: Readonly<Record<string, string>>
  /** What an Android phone attests of itself: with a withdrawn certificate, or that another app controls it. */
  readonly attests?: 'revoked' | 'controlled'
  /** Facts without which the change means nothing. */
  readonly beside?: Facts
  /** Flags of the report (2.6). */
  readonly report: readonly (keyof DeviceReport)[]
  /** Signals of secure info (2.5), methods of `vpn` as `vpn.publicVPN`. */
  readonly secure: readonly string[]
  /** The weights of the session score. */
  readonly weighed: readonly WeightName[]
  readonly suspectScore?: number
}

const vpnOf = (method: string) => ['vpn', `vpn.${method}`]
/** The ways in which a phone shows a VPN. */
const vpnOfPhone = (tunnel: string): Case[] => [
  {
    changes: { networkInterfaces: { routableTunnels: [tunnel] } },
    report: ['vpn'],
    secure: vpnOf('auxiliaryMobile'),
    weighed: ['auxiliaryMobile'],
    suspectScore: 6,
  },
  {
    changes: { timezone: 'Asia/Tokyo' },
    report: ['vpn'],
    secure: vpnOf('timezoneMismatch'),
    weighed: ['timezoneMismatch'],
    suspectScore: 4,
  },
  { list: 'vpnServer', report: ['vpn'], secure: vpnOf('publicVPN'), weighed: ['publicVPN'], suspectScore: 5 },
]
/** It raises no score of the device. */
const ofMoment = (changes: Facts, ...report: (keyof DeviceReport)[]): Case => ({
  ...{ changes, report, secure: [], weighed: [] },
})
const brave = {
  ...web.clientHints,
  brands: [
    ...(web.clientHints?.brands ?? []).filter(({ brand }) => brand !== 'Google Chrome'),
    { brand: 'Brave', version: '156' },
  ],
}
const tokyo = { timezone: 'Asia/Tokyo', timezoneOffset: -540 }
/** JSON leaves out what is undefined. */
const withoutPlugins = { plugins: undefined } as object as Facts
const synOfLinux = '0050A8FAF005B4473F0204080103'
/** An hour before the clock of the tests. */
const justNow = Date.parse('2026-03-01T11:00:00Z') / 1000

export const cases: Readonly<Record<DevicePlatform, readonly Case[]>> = {
  WEB: [
    {
      changes: { automation: { ...web.automation, webdriver: true } },
      report: [],
      secure: ['bot'],
      weighed: ['bot'],
      suspectScore: 7,
    },
    {
      changes: { fileSystem: { callMicros: 250 } },
      report: [],
      secure: ['incognito'],
      weighed: ['incognito'],
      suspectScore: 4,
    },
    {
      beside: { clientHints: brave },
      changes: { pageCanvasExact: false },
      report: [],
      secure: ['privacySettings'],
      weighed: ['privacySettings'],
      suspectScore: 6,
    },
    {
      changes: { inspection: { stacksWritten: 1, awaitRatio: 40 } },
      report: [],
      secure: ['developerTools'],
      weighed: ['developerTools'],
    },
    {
      changes: { webgl: { vendor: 'Google Inc. (VMware, Inc.)', renderer: 'ANGLE (VMware, SVGA3D)' } },
      report: [],
      secure: ['virtualMachine'],
      weighed: ['virtualMachine'],
      suspectScore: 14,
    },
    {
      changes: { alteredFunctions: ['Navigator.platform'] },
      report: [],
      secure: ['tampering'],
      weighed: ['tampering'],
      suspectScore: 8,
    },
    {
      changes: { ...tokyo, workerScope: { ...web.workerScope, ...tokyo } },
      report: ['vpn'],
      secure: vpnOf('timezoneMismatch'),
      weighed: ['timezoneMismatch'],
      suspectScore: 3,
    },
    { headers: { 'x-tcp-fp': synOfLinux }, report: ['vpn'], secure: vpnOf('osMismatch'), weighed: ['osMismatch'] },
    { list: 'vpnServer', report: ['vpn'], secure: vpnOf('publicVPN'), weighed: ['publicVPN'], suspectScore: 4 },
    { changes: withoutPlugins, report: [], secure: [], weighed: ['missingFacts'] },
    { list: 'tor', report: ['proxy'], secure: [], weighed: ['tor'], suspectScore: 14 },
    { list: 'openProxy', report: ['proxy'], secure: [], weighed: ['proxy'], suspectScore: 14 },
  ],
  IOS: [
    {
      changes: { jailbreakTraces: { ...ios.jailbreakTraces, paths: ['/var/jb'], forked: true } },
      report: ['jailbroken'],
      secure: ['jailbroken'],
      weighed: ['jailbroken'],
      suspectScore: 10,
    },
    {
      changes: { simulator: { ...ios.simulator, hasEnvironment: true } },
      report: ['simulator'],
      secure: [],
      weighed: ['simulator'],
    },
    {
      changes: { hookTraces: { ...ios.hookTraces, classes: ['SSLKillSwitch'] } },
      report: ['hooking'],
      secure: [],
      weighed: ['hooking'],
    },
    {
      changes: { hookTraces: { ...ios.hookTraces, libraries: ['FridaGadget.dylib'] } },
      report: ['hooking'],
      secure: ['frida'],
      weighed: ['frida'],
    },
    {
      changes: { appIntegrity: { ...ios.appIntegrity, isEncrypted: false } },
      report: ['appTampering'],
      secure: [],
      weighed: ['appTampering'],
    },
    {
      changes: { appIntegrity: { ...ios.appIntegrity, bundleId: 'com.other' } },
      report: ['cloned'],
      secure: [],
      weighed: ['clonedApp'],
    },
    { changes: { proxy: { socks: true } }, report: ['proxy'], secure: [], weighed: ['systemProxy'] },
    {
      changes: { screenCapture: { isCaptured: true } },
      report: ['mirroredScreen'],
      secure: [],
      weighed: ['mirroredScreen'],
    },
    {
      changes: { location: { ...ios.location, isSimulated: true } },
      report: ['geoSpoofed'],
      secure: ['locationSpoofing'],
      weighed: ['locationSpoofing'],
    },
    {
      beside: { keychainId: { id: 'new', isNew: true } },
      changes: { volumeDates: { volume: justNow } },
      report: ['factoryReset', 'factoryResetTime'],
      secure: ['factoryReset'],
      weighed: ['factoryReset'],
    },
    ...vpnOfPhone('utun4'),
    { headers: { 'user-agent': 'python-requests/2.32.3' }, report: [], secure: [], weighed: ['unattested'] },
    { list: 'tor', report: ['proxy'], secure: [], weighed: ['tor'], suspectScore: 17 },
    { list: 'openProxy', report: ['proxy'], secure: [], weighed: ['proxy'], suspectScore: 15 },
    { headers: { 'x-tcp-fp': synOfLinux }, report: [], secure: [], weighed: [] },
  ],
  ANDROID: [
    {
      changes: { rootTraces: { ...android.rootTraces, packages: ['com.topjohnwu.magisk'] } },
      report: [],
      secure: ['rootApps'],
      weighed: ['rootApps'],
      suspectScore: 12,
    },
    {
      changes: { emulatorTraces: ['/dev/qemu_pipe'] },
      report: ['simulator'],
      secure: ['emulator'],
      weighed: ['emulator'],
      suspectScore: 9,
    },
    {
      changes: { appIntegrity: { ...android.appIntegrity, dataFolder: '/data/user/0/com.lbe.parallel/com.other' } },
      report: ['cloned'],
      secure: ['clonedApp'],
      weighed: ['clonedApp'],
      suspectScore: 9,
    },
    {
      changes: { appIntegrity: { ...android.appIntegrity, certificates: ['00'.repeat(32)] } },
      report: ['appTampering'],
      secure: [],
      weighed: ['appTampering'],
    },
    {
      changes: { hookTraces: { ...android.hookTraces, classes: ['de.robv.android.xposed.XposedBridge'] } },
      report: ['hooking'],
      secure: [],
      weighed: ['hooking'],
    },
    {
      changes: { hookTraces: { ...android.hookTraces, openPorts: [27042] } },
      report: ['hooking'],
      secure: ['frida'],
      weighed: ['frida'],
      suspectScore: 14,
    },
    { changes: { proxy: { http: true } }, report: ['proxy'], secure: [], weighed: ['systemProxy'] },
    {
      changes: { screenCapture: { isMirrored: true } },
      report: ['mirroredScreen'],
      secure: [],
      weighed: ['mirroredScreen'],
    },
    {
      changes: { location: { ...android.location, isSimulated: true } },
      report: ['geoSpoofed'],
      secure: ['locationSpoofing'],
      weighed: ['locationSpoofing'],
    },
    {
      changes: { developerOptions: { isEnabled: true, isAdbEnabled: false } },
      report: [],
      secure: ['developerTools'],
      weighed: ['developerTools'],
    },
    {
      changes: { developerOptions: { isEnabled: false, isAdbEnabled: true } },
      report: [],
      secure: ['developerTools'],
      weighed: ['developerTools'],
    },
    {
      changes: { screenCapture: { isMirrored: false, isRecorded: true } },
      report: ['mirroredScreen'],
      secure: [],
      weighed: ['mirroredScreen'],
    },
    {
      changes: { peripherals: { sensors: 0, cameras: 0, hardwareCodecs: 0 } },
      report: ['simulator'],
      secure: ['emulator'],
      weighed: ['emulator'],
      suspectScore: 9,
    },
    ofMoment({ audioMode: 2 }, 'activeCall'),
    ofMoment({ touch: { isObscured: true, isPartiallyObscured: false } }, 'overlay'),
    ofMoment({ touch: { isObscured: false, isPartiallyObscured: true } }, 'overlay'),
    ofMoment({ inputMethod: { isSystem: false } }, 'foreignKeyboard'),
    ofMoment({ wifi: { security: 0 } }, 'openWifi'),
    ofMoment({ clock: { isAutomatic: false, isZoneAutomatic: true } }, 'manualClock'),
    ofMoment({ user: { isManaged: true, isSystemUser: false } }),
    ofMoment({ sim: { slots: 1, inserted: 0 } }),
    {
      changes: { remoteAccessApps: ['com.anydesk.anydeskandroid'] },
      report: ['remoteAccess'],
      secure: [],
      weighed: ['remoteAccess'],
    },
    {
      changes: { accessibilityServices: ['com.example.clicker'] },
      report: ['accessibilityService'],
      secure: [],
      weighed: ['accessibilityService'],
    },
    {
      changes: { appIntegrity: { ...android.appIntegrity, installer: '' } },
      report: ['sideloadedApp'],
      secure: [],
      weighed: ['sideloadedApp'],
    },
    {
      changes: { volumeDates: { data: justNow } },
      report: ['factoryReset', 'factoryResetTime'],
      secure: ['factoryReset'],
      weighed: ['factoryReset'],
    },
    { attests: 'revoked', report: [], secure: [], weighed: ['revokedAttestation'] },
    { attests: 'controlled', report: [], secure: [], weighed: ['appAccessRisk'] },
    ...vpnOfPhone('tun0'),
    { list: 'tor', report: ['proxy'], secure: [], weighed: ['tor'], suspectScore: 16 },
    { list: 'openProxy', report: ['proxy'], secure: [], weighed: ['proxy'], suspectScore: 12 },
  ],
}
