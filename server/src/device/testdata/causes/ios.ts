// What happened to iPhones, and what did they report?

import { readSamples } from '@ringfence/contract'
import { type Cause, thread } from './cause.ts'

const ios = readSamples().IosFacts!.everything as { appIntegrity: object; jailbreakTraces: object; hookTraces: object }

export const iosCauses = {
  palera1n: {
    happened:
      'An iPhone 8 Plus with iOS 16.7.11 and palera1n, rootless: the system is sealed, and only `/var/jb` is there',
    platform: 'IOS',
    facts: {
      deviceModel: { identifier: 'iPhone10,5', systemName: 'iOS', systemVersion: '16.7.11' },
      jailbreakTraces: { ...ios.jailbreakTraces, paths: ['/var/jb'] },
    },
    shows: ['jailbroken', 'secure_info.jailbroken'],
    source: thread('codenameone/CodenameOne#5584'),
    seen: 'reported',
  },
  libhooker: {
    happened: 'A jailbroken iPhone with libhooker and tweaks, by the images that a crash report lists',
    platform: 'IOS',
    facts: {
      jailbreakTraces: {
        ...ios.jailbreakTraces,
        paths: ['/usr/lib/TweakInject', '/usr/lib/libhooker.dylib'],
        libraries: ['!ABypass2.dylib', '0Cr4shed.dylib', 'CallBarX.dylib', 'pspawn_payload-stg2.dylib'],
      },
      hookTraces: {
        ...ios.hookTraces,
        libraries: ['TweakInject.dylib', 'libblackjack.dylib', 'libhooker.dylib', 'libsubstrate.dylib'],
      },
    },
    shows: ['jailbroken', 'hooking', 'secure_info.jailbroken'],
    source: thread('L1ghtmann/IAmLazy#10'),
    seen: 'reported',
  },
  simulator: {
    happened: 'The iOS simulator on a Mac with an Apple processor: the model is `arm64`',
    platform: 'IOS',
    facts: {
      simulator: { isTarget: true, hasEnvironment: true },
      deviceModel: { identifier: 'arm64', systemName: 'iOS' },
    },
    shows: ['simulator'],
    source: thread('InderKumarRathore/DeviceGuru#114'),
    seen: 'reported',
  },
  fridaGadget: {
    happened: 'The app was packed again with the gadget of Frida, on an iPhone 11 with iOS 14.2 that is not jailbroken',
    platform: 'IOS',
    facts: { hookTraces: { ...ios.hookTraces, libraries: ['FridaGadget.dylib'] } },
    shows: ['hooking', 'secure_info.frida'],
    source: thread('frida/frida#1561'),
    seen: 'reported',
  },
  sideloaded: {
    happened: 'The app was installed with AltStore, which signs it for another team and adds the team to its name',
    platform: 'IOS',
    publishedAs: 'io.github.madeye.meow',
    facts: {
      appIntegrity: {
        ...ios.appIntegrity,
        bundleId: 'io.github.madeye.meow.V78XPFY5B7',
        hasProfile: true,
        profileAppId: 'V78XPFY5B7.io.github.madeye.meow.V78XPFY5B7',
        isEncrypted: false,
      },
    },
    shows: ['appTampering', 'cloned'],
    source: thread('meow-rs/meow-ios#76'),
    seen: 'reported',
  },
  simulatedLocation: {
    happened:
      'LocationSimulator gives an iPhone another place: iOS says that software simulates it (the place is ours)',
    platform: 'IOS',
    facts: { location: { latitude: 37.3349, longitude: -122.009, accuracyMeters: 5, isSimulated: true } },
    shows: ['geoSpoofed', 'gpsLocation', 'secure_info.locationSpoofing'],
    source: thread('Schlaubischlump/LocationSimulator#213'),
    seen: 'reported',
  },
  recordedScreen: {
    happened: 'The screen of an iPad Pro is recorded',
    platform: 'IOS',
    facts: { screenCapture: { isCaptured: true, isMirrored: false } },
    shows: ['mirroredScreen'],
    source: thread('lionheart/openradar-mirror#18379'),
    seen: 'reported',
  },
  wireGuard: {
    happened: 'WireGuard runs on an iPhone: a `utun` has an IP address (which number it has is not reported)',
    platform: 'IOS',
    facts: { networkInterfaces: { scopedTunnels: [], routableTunnels: ['utun4'] } },
    shows: ['vpn', 'secure_info.vpn.result', 'secure_info.vpn.auxiliaryMobile'],
    source: thread('RenzoBeux/Dashboarr#340'),
    seen: 'reported',
  },
  charles: {
    happened: 'An HTTP proxy is set in the Wi-Fi settings of the phone, to read its traffic with Charles',
    platform: 'IOS',
    facts: { proxy: { http: true, socks: false, autoConfiguration: false, isLoopback: false } },
    shows: ['proxy'],
    source: thread('shaozj/blog#6'),
    seen: 'reported',
  },
  erasedIphone: {
    happened: 'The iPhone was erased an hour ago: its volume and the keychain of the app are new',
    platform: 'IOS',
    facts: {
      volumeDates: { volume: Date.parse('2026-03-01T11:00:00Z') / 1000 },
      keychainId: { id: '3d0f9f4e-5f0b-4e0b-9a51-2f6c1d9f3a77-1772362800', isNew: true },
    },
    shows: ['factoryReset', 'factoryResetTime', 'secure_info.factoryReset'],
    source: thread('fingerprintjs/fingerprintjs-ios#48'),
    seen: 'never',
  },
} as const satisfies Record<string, Cause>
