// What does an iPhone or iPad say of itself? Facts only, one for each probe of the SDK; what they mean is judged by the server. (design: device.md, iOS)

import Type, { type Static, type TProperties } from 'typebox'
import { bytes, offsetMinutes, pixels, ratio, whereabouts } from '../measures.ts'
import type { AndroidFacts } from './android-facts.ts'
import type { WebFacts } from './web-facts.ts'

const text = (description: string, maxLength = 256) => Type.String({ description, maxLength })
const hash = (description: string) => Type.String({ description: `${description}; SHA-256 in hex`, maxLength: 64 })
const names = (description: string) => Type.Array(Type.String({ maxLength: 256 }), { description, maxItems: 64 })
const flag = (description: string) => Type.Boolean({ description })
const epochSeconds = (description: string) => Type.Integer({ description: `${description}, epoch seconds` })
const part = <Fields extends TProperties>(description: string, fields: Fields) =>
  Type.Partial(Type.Object(fields), { description })

/**
 * Facts of an iOS device. A fact is absent when the device does not tell it, it took too long, the person did not allow it, or
 * the service switched it off. Names that browsers have too mean the same here.
 */
export const IosFacts = Type.Partial(
  Type.Object({
    language: text('Locale.preferredLanguages, the first', 64),
    languages: Type.Array(Type.String({ maxLength: 256 }), {
      description: 'Locale.preferredLanguages',
      maxItems: 64,
    }),
    locale: text('Locale.current', 128),
    timezone: text('IANA name', 64),
    timezoneOffset: offsetMinutes('Minutes; behind UTC is positive'),
    devicePixelRatio: ratio('UIScreen.scale'),
    screen: part('UIScreen', {
      width: pixels('Points'),
      height: pixels('Points'),
      nativeWidth: pixels('Pixels'),
      nativeHeight: pixels('Pixels'),
      framesPerSecond: Type.Integer(),
    }),
    deviceModel: part('Model and system', {
      identifier: text('hw.machine: iPhone15,3', 64),
      systemName: text('UIDevice.systemName', 64),
      systemVersion: text('UIDevice.systemVersion', 64),
      systemBuild: text('kern.osversion', 64),
      cpuType: text('arm64e, arm64, x86_64', 32),
      cores: Type.Integer(),
    }),
    memory: part('Memory', { totalBytes: bytes('Of the device') }),
    diskSpace: part('The volume of the app’s files', {
      totalBytes: bytes('In all'),
      availableBytes: bytes('Free'),
    }),
    volumeDates: part('When was made what an erase makes anew', {
      home: epochSeconds('The app’s own folder'),
      volume: epochSeconds('The volume of the app’s files'),
    }),
    keychainId: part('An id that outlives the app, and dies with an erase', {
      id: text('`<UUID>-<epoch seconds>`', 64),
      isNew: flag('Made for this fetch: there was none'),
    }),
    vendorId: text('UIDevice.identifierForVendor', 64),
    deviceCheck: text('Token of DCDevice, base64', 8192),
    appAttest: part('App Attest; its proof is the call’s `attestation`', {
      isSupported: flag('DCAppAttestService.isSupported'),
      failure: text('Why there is no proof: unsupported, unavailable, late, invalidKey, failed', 32),
    }),
    appIntegrity: part('The app itself', {
      bundleId: text('CFBundleIdentifier'),
      version: text('CFBundleShortVersionString', 64),
      build: text('CFBundleVersion', 64),
      hasProfile: flag('There is an embedded.mobileprovision: it is not from the App Store'),
      profileAppId: text('`<team id>.<bundle id>` of that file'),
      isEncrypted: flag('The executable is encrypted, as the App Store delivers it'),
      isDebugged: flag('A debugger is attached'),
    }),
    jailbreakTraces: part('Traces of a jailbreak', {
      paths: names('Of a list of paths, those that exist'),
      links: names('System folders that are links'),
      libraries: names('Libraries of the process that a jailbreak loads'),
      wroteOutside: flag('A file could be written outside of the sandbox'),
      forked: flag('Another process could be started'),
    }),
    hookTraces: part('Traces of hooking frameworks', {
      libraries: names('Libraries of the process'),
      classes: names('Objective-C classes'),
      openPorts: Type.Array(Type.Integer(), { description: 'Ports of this device that answer', maxItems: 16 }),
    }),
    simulator: part('Simulator', {
      isTarget: flag('Built for it'),
      hasEnvironment: flag('Its environment variables are set'),
    }),
    networkInterfaces: part('Interfaces that tunnel', {
      scopedTunnels: names('utun, tun, tap, ppp, ipsec under `__SCOPED__` of the system’s proxy settings'),
      routableTunnels: names('Those that are up and have a routable address'),
    }),
    proxy: part('Proxy settings of the system', {
      http: flag('HTTP or HTTPS'),
      socks: flag('SOCKS'),
      autoConfiguration: flag('By a PAC file'),
      isLoopback: flag('On this device'),
    }),
    screenCapture: part('Who sees the screen', {
      isCaptured: flag('UIScreen.isCaptured'),
      isMirrored: flag('UIScreen.mirrored'),
      isSceneCaptured: flag('UITraitCollection.sceneCaptureState, iOS 17'),
    }),
    location: part('The last place that the system knows, where the person has allowed it', {
      ...whereabouts,
      isSimulated: flag('CLLocationSourceInformation.isSimulatedBySoftware'),
      isFromAccessory: flag('CLLocationSourceInformation.isProducedByAccessory'),
    }),
    wifi: part('Wi-Fi, where the app is entitled to know', { ssid: hash('Name'), bssid: hash('Access point') }),
    cloudAccount: hash('iCloud account as this app sees it, where the app has CloudKit'),
  }),
  { $id: 'IosFacts', description: 'What an iPhone or iPad tells of itself' },
)
export type IosFacts = Static<typeof IosFacts>

/** Facts of any device. What several platforms tell has one name. */
export type Facts = WebFacts & IosFacts & AndroidFacts
