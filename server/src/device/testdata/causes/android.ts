// What happened to Android phones, and what did they report?

import { readSamples } from '@ringfence/contract'
import { type Cause, type Source, thread } from './cause.ts'

const android = readSamples().AndroidFacts!.everything as { appIntegrity: object }

/** A page of the reference of Android. */
const reference = (path: string, text: string): Source => ({
  text: `Android: ${text}`,
  url: `https://developer.android.com/reference/${path}`,
})

/** An app that reports where its data are. */
const dataIn = (dataFolder: string, bundleId: string) => ({
  appIntegrity: { ...android.appIntegrity, bundleId, dataFolder },
})

export const androidCauses = {
  emulatorOfAndroidStudio: {
    happened: 'The emulator of Android Studio, Pixel 4 XL with API 30',
    platform: 'ANDROID',
    facts: {
      build: {
        fingerprint: 'google/sdk_gphone_x86_arm/generic_x86_arm:11/RSR1.201013.001/6903271:userdebug/dev-keys',
        product: 'sdk_gphone_x86_arm',
        tags: 'dev-keys',
      },
      deviceModel: { brand: 'google', identifier: 'sdk_gphone_x86_arm' },
    },
    shows: ['simulator', 'deviceMeta', 'secure_info.emulator'],
    source: thread('DeepakArora76/nativescript-dna-deviceinfo#21'),
    seen: 'reported',
  },
  emulatorOfAndroid6: {
    happened: 'The emulator of Android Studio with Android 6, by its `getprop`',
    platform: 'ANDROID',
    facts: {
      build: {
        fingerprint: 'Android/sdk_google_phone_x86_64/generic_x86_64:6.0/MASTER/5525988:userdebug/test-keys',
        product: 'sdk_google_phone_x86_64',
        tags: 'test-keys',
      },
      deviceModel: { identifier: 'Android SDK built for x86_64', systemVersion: '6.0', cpuType: 'x86_64' },
    },
    shows: ['simulator', 'secure_info.emulator'],
    source: thread('NativeScript/nativescript-cli#4952'),
    seen: 'reported',
  },
  genymotion: {
    happened: 'Genymotion, with Android 5.1',
    platform: 'ANDROID',
    facts: {
      build: { hardware: 'vbox86', product: 'vbox86p' },
      deviceModel: { brand: 'generic', identifier: 'Custom Phone - 5.1.0 - API 22 - 768x1280' },
    },
    shows: ['simulator', 'secure_info.emulator'],
    source: thread('mixpanel/mixpanel-android#232'),
    seen: 'reported',
  },
  blueStacks: {
    happened: 'BlueStacks, which poses as a phone and has files of its own',
    platform: 'ANDROID',
    facts: { emulatorTraces: ['/data/.bluestacks.prop', '/mnt/windows/BstSharedFolder'] },
    shows: ['simulator', 'secure_info.emulator'],
    source: thread('TUGOhost/anti_Android#20'),
    seen: 'reported',
  },
  magisk: {
    happened: 'A phone rooted with Magisk, on a userdebug build: two `su`',
    platform: 'ANDROID',
    facts: { rootTraces: { paths: ['/system/xbin/su', '/sbin/su'], packages: [], properties: [] } },
    shows: [
      'sessionRiskScore',
      'deviceRiskScore',
      'ruleAction',
      'appliedRules',
      'secure_info.rootApps',
      'secure_info.suspectScore',
    ],
    source: thread('madeye/proxydroid#26'),
    seen: 'reported',
  },
  openSystem: {
    happened: 'A Nexus 5 with an open system: `ro.debuggable` 1 and `ro.secure` 0, without `su`',
    platform: 'ANDROID',
    facts: { rootTraces: { paths: [], packages: [], properties: ['ro.debuggable=1', 'ro.secure=0'] } },
    shows: ['secure_info.rootApps'],
    source: thread('scottyab/rootbeer#11'),
    seen: 'reported',
  },
  parallelSpace: {
    happened: 'The app runs in Parallel Space, on a Samsung with Android 14',
    platform: 'ANDROID',
    publishedAs: 'com.bruno.antitamperingapp',
    facts: dataIn(
      '/data/data/com.lbe.parallel.intl/parallel_intl/0/com.bruno.antitamperingapp',
      'com.bruno.antitamperingapp',
    ),
    shows: ['cloned', 'secure_info.clonedApp'],
    source: {
      text: 'brunovsiqueira/AntiTamperingApp: results of its tests',
      url: 'https://github.com/brunovsiqueira/AntiTamperingApp',
    },
    seen: 'reported',
  },
  dkplugin: {
    happened: 'The app runs in a cloner whose folder ends with its own name',
    platform: 'ANDROID',
    publishedAs: 'x.x.x',
    facts: dataIn('/data/user/0/dkplugin.ypx.okr/virtual/data/user/0/x.x.x', 'x.x.x'),
    shows: ['cloned', 'secure_info.clonedApp'],
    source: thread('lamster2018/EasyProtector#71'),
    seen: 'reported',
  },
  excean: {
    happened: 'The app runs in the cloner of Excean',
    platform: 'ANDROID',
    publishedAs: 'x.x.x',
    facts: dataIn('/data/user/0/com.excean.maid/gameplugins/x.x.x', 'x.x.x'),
    shows: ['cloned', 'secure_info.clonedApp'],
    source: thread('lamster2018/EasyProtector#72'),
    seen: 'reported',
  },
  testKey: {
    happened: 'The app was signed again with the public test key of Android',
    platform: 'ANDROID',
    facts: {
      appIntegrity: {
        ...android.appIntegrity,
        certificates: ['a40da80a59d170caa950cf15c18c454d47a39b26989d8b640ecd745ba71bf5dc'],
      },
    },
    shows: ['appTampering'],
    source: thread('iamr0s/Dhizuku#98'),
    seen: 'reported',
  },
  fridaOnAndroid: {
    happened: 'Frida is attached: its agent is in `/proc/self/maps`',
    platform: 'ANDROID',
    facts: { hookTraces: { libraries: ['frida-agent-32.so'], classes: [], openPorts: [] } },
    shows: ['hooking', 'secure_info.frida'],
    source: thread('frida/frida#1919'),
    seen: 'reported',
  },
  xposed: {
    happened: 'LSPosed hooks the app: the class of Xposed is loaded',
    platform: 'ANDROID',
    facts: { hookTraces: { libraries: [], classes: ['de.robv.android.xposed.XposedBridge'], openPorts: [] } },
    shows: ['hooking'],
    source: thread('LSPosed/LSPosed#1516'),
    seen: 'reported',
  },
  fakeGps: {
    happened: 'An app for fake locations is set as the provider, such as Fake GPS (the place is ours)',
    platform: 'ANDROID',
    facts: { location: { latitude: 48.2082, longitude: 16.3738, accuracyMeters: 5, isSimulated: true } },
    shows: ['geoSpoofed', 'secure_info.locationSpoofing'],
    source: thread('capacitor-community/background-geolocation#48'),
    seen: 'reported',
  },
  locationOfEmulator: {
    happened: 'The user allows the location: that of a new emulator',
    platform: 'ANDROID',
    facts: { location: { latitude: 37.4219983, longitude: -122.084, accuracyMeters: 23.429, isSimulated: false } },
    shows: ['gpsLocation'],
    source: thread('Lyokone/flutterlocation#21'),
    seen: 'reported',
  },
  castingOnAndroid: {
    happened: 'The screen of an Android phone is cast: it has a display for presentations',
    platform: 'ANDROID',
    facts: { screenCapture: { isMirrored: true } },
    shows: ['mirroredScreen'],
    source: reference('android/hardware/display/DisplayManager', 'DisplayManager.DISPLAY_CATEGORY_PRESENTATION'),
    seen: 'never',
  },
  callWhilePaying: {
    happened: 'The customer phones: the audio mode is that of a call',
    platform: 'ANDROID',
    facts: { audioMode: 2 },
    shows: ['activeCall'],
    source: reference('android/media/AudioManager#MODE_IN_CALL', 'AudioManager.MODE_IN_CALL'),
    seen: 'never',
  },
  quickSupport: {
    happened: 'An app for remote support is installed, which the manifest names',
    platform: 'ANDROID',
    facts: { remoteAccessApps: ['com.teamviewer.quicksupport.market'] },
    shows: ['remoteAccess'],
    source: reference('android/content/pm/PackageManager#getPackageInfo', 'package visibility with <queries>'),
    seen: 'never',
  },
  clicker: {
    happened: 'An app that is no tool for accessibility has an accessibility service, as a clicker has',
    platform: 'ANDROID',
    facts: { accessibilityServices: ['com.example.clicker'] },
    shows: ['accessibilityService'],
    source: reference(
      'android/accessibilityservice/AccessibilityServiceInfo#isAccessibilityTool()',
      'AccessibilityServiceInfo.isAccessibilityTool()',
    ),
    seen: 'never',
  },
  windowOverApp: {
    happened: 'A window of another app lies over the touched place',
    platform: 'ANDROID',
    facts: { touch: { isObscured: true, isPartiallyObscured: false } },
    shows: ['overlay'],
    source: reference('android/view/MotionEvent#FLAG_WINDOW_IS_OBSCURED', 'MotionEvent.FLAG_WINDOW_IS_OBSCURED'),
    seen: 'never',
  },
  installedKeyboard: {
    happened: 'The user types with a keyboard from a store',
    platform: 'ANDROID',
    facts: { inputMethod: { package: 'com.example.keys', isSystem: false } },
    shows: ['foreignKeyboard'],
    source: reference('android/content/pm/ApplicationInfo#FLAG_SYSTEM', 'ApplicationInfo.FLAG_SYSTEM'),
    seen: 'never',
  },
  installedFromFile: {
    happened: 'The app was installed from a file, by the package installer',
    platform: 'ANDROID',
    facts: { appIntegrity: { ...android.appIntegrity, installer: 'com.google.android.packageinstaller' } },
    shows: ['sideloadedApp'],
    source: reference(
      'android/content/pm/InstallSourceInfo#getInstallingPackageName()',
      'InstallSourceInfo.getInstallingPackageName()',
    ),
    seen: 'never',
  },
  workProfile: {
    happened: 'The app runs in the work profile that a company manages',
    platform: 'ANDROID',
    facts: { user: { isManaged: true, isSystemUser: false } },
    shows: ['userProfile'],
    source: reference('android/os/UserManager#isManagedProfile()', 'UserManager.isManagedProfile()'),
    seen: 'never',
  },
  wifiOfHotel: {
    happened: 'The phone is in the open Wi-Fi of a hotel',
    platform: 'ANDROID',
    facts: { wifi: { security: 0 } },
    shows: ['openWifi'],
    source: reference('android/net/wifi/WifiInfo#getCurrentSecurityType()', 'WifiInfo.getCurrentSecurityType()'),
    seen: 'never',
  },
  clockByHand: {
    happened: 'The user has set the clock by hand',
    platform: 'ANDROID',
    facts: { clock: { isAutomatic: false, isZoneAutomatic: true } },
    shows: ['manualClock'],
    source: reference('android/provider/Settings.Global#AUTO_TIME', 'Settings.Global.AUTO_TIME'),
    seen: 'never',
  },
  secondCard: {
    happened: 'The phone has a SIM card of France, for a journey',
    platform: 'ANDROID',
    facts: { sim: { slots: 2, inserted: 1, cards: [{ networkCode: '20801', carrier: 'Orange F', country: 'fr' }] } },
    shows: ['sim'],
    source: reference('android/telephony/TelephonyManager#getSimCountryIso()', 'TelephonyManager.getSimCountryIso()'),
    seen: 'never',
  },
  resetAndroid: {
    happened: 'The phone was reset an hour ago, so `/data` is new',
    platform: 'ANDROID',
    facts: { volumeDates: { data: Date.parse('2026-03-01T11:00:00Z') / 1000 } },
    shows: ['factoryReset', 'factoryResetTime', 'secure_info.factoryReset'],
    source: thread('fingerprintjs/fingerprintjs-android#81'),
    seen: 'never',
  },
} as const satisfies Record<string, Cause>
