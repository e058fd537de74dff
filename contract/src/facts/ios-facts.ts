// Which facts does an iPhone or iPad report? One per probe of the SDK. The server judges what they mean.

import Type, { type Static } from 'typebox'
import { part } from '../schema-parts.ts'
import type { AndroidFacts } from './android-facts.ts'
import { bytes, offsetMinutes, pixels, ratio, whereabouts } from './measures.ts'
import type { WebFacts } from './web-facts.ts'

const text = (description: string, maxLength = 256) => Type.String({ description, maxLength })
const hash = (description: string) => Type.String({ description: `${description}; SHA-256 in hex`, maxLength: 64 })
const names = (description: string) => Type.Array(Type.String({ maxLength: 256 }), { description, maxItems: 64 })
const flag = (description: string) => Type.Boolean({ description })
const epochSeconds = (description: string) => Type.Integer({ description: `${description}, epoch seconds` })

/**
 * Facts of an iOS device. A fact is absent when the device does not report it, it took too long, the user did not allow it, or
 * the service switched it off. A name means the same on every platform.
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
    memory: part('Memory', { totalBytes: bytes('Total') }),
    diskSpace: part('The volume of the app’s files', {
      totalBytes: bytes('Total'),
      availableBytes: bytes('Free'),
    }),
    volumeDates: part('Creation time of folders that an erase creates again', {
      home: epochSeconds('The app’s own folder'),
      volume: epochSeconds('The volume of the app’s files'),
    }),
    keychainId: part('An id that survives reinstallation of the app, but not an erase', {
      id: text('`<UUID>-<epoch seconds>`', 64),
      isNew: flag('Created for this call'),
    }),
    vendorId: text('UIDevice.identifierForVendor', 64),
    deviceCheck: text('Token of DCDevice, base64', 8192),
    appAttest: part('App Attest; the proof is in `attestation` of the call', {
      isSupported: flag('DCAppAttestService.isSupported'),
      failure: text(
        'Why the proof is missing: unsupported, unavailable, late, noId (the keychain id could not be read), invalidKey, failed',
        32,
      ),
    }),
    appIntegrity: part('The app itself', {
      bundleId: text('CFBundleIdentifier'),
      version: text('CFBundleShortVersionString', 64),
      build: text('CFBundleVersion', 64),
      hasProfile: flag('The app has an embedded.mobileprovision, so it is not from the App Store'),
      profileAppId: text('`<team id>.<bundle id>` of that file'),
      isEncrypted: flag('The executable is encrypted, as App Store apps are'),
      isDebugged: flag('A debugger is attached'),
    }),
    jailbreakTraces: part('Traces of a jailbreak', {
      paths: names('Existing paths of a list'),
      links: names('System folders that are symbolic links'),
      libraries: names('Libraries of a jailbreak in the process'),
      wroteOutside: flag('A file could be written outside the sandbox'),
      forked: flag('Another process could be started'),
    }),
    hookTraces: part('Traces of hooking frameworks', {
      libraries: names('Libraries of the process'),
      classes: names('Objective-C classes'),
      openPorts: Type.Array(Type.Integer(), { description: 'Open ports of this device', maxItems: 16 }),
    }),
    simulator: part('Simulator', {
      isTarget: flag('The app is built for the simulator'),
      hasEnvironment: flag('The environment variables of the simulator are set'),
    }),
    networkInterfaces: part('VPN interfaces', {
      scopedTunnels: names('utun, tun, tap, ppp, ipsec under `__SCOPED__` of the system’s proxy settings'),
      routableTunnels: names('Tunnels that are up and have a routable IP address'),
    }),
    proxy: part('Proxy settings of the system', {
      http: flag('HTTP or HTTPS'),
      socks: flag('SOCKS'),
      autoConfiguration: flag('A PAC file is set'),
      isLoopback: flag('The proxy runs on this device'),
    }),
    screenCapture: part('Screen capture and mirroring', {
      isCaptured: flag('UIScreen.isCaptured'),
      isMirrored: flag('UIScreen.mirrored'),
      isSceneCaptured: flag('UITraitCollection.sceneCaptureState, iOS 17'),
    }),
    location: part('Last known location, when the user allows it', {
      ...whereabouts,
      isSimulated: flag('CLLocationSourceInformation.isSimulatedBySoftware'),
      isFromAccessory: flag('CLLocationSourceInformation.isProducedByAccessory'),
    }),
    wifi: part('Wi-Fi, when the app is entitled to read it', { ssid: hash('Name'), bssid: hash('Access point') }),
    cloudAccount: hash('iCloud account of this app, when it uses CloudKit'),
  }),
  { $id: 'IosFacts', description: 'Facts of an iPhone or iPad' },
)
export type IosFacts = Static<typeof IosFacts>

/** Facts of any device. A fact of several platforms has one name. */
export type Facts = WebFacts & IosFacts & AndroidFacts
