// What does an Android device say of itself? There is no Android SDK: an integrator's own collector sends these. (design: device.md)

import Type, { type Static, type TProperties } from 'typebox'
import { bytes, offsetMinutes, pixels, ratio, whereabouts } from '../measures.ts'

const text = (description: string, maxLength = 256) => Type.String({ description, maxLength })
const names = (description: string) => Type.Array(Type.String({ maxLength: 256 }), { description, maxItems: 64 })
const flag = (description: string) => Type.Boolean({ description })
const epochSeconds = (description: string) => Type.Integer({ description: `${description}, epoch seconds` })
const part = <Fields extends TProperties>(description: string, fields: Fields) =>
  Type.Partial(Type.Object(fields), { description })

/** A fact is absent when the device does not tell it. Names that other platforms have too mean the same here. */
export const AndroidFacts = Type.Partial(
  Type.Object({
    language: text('Locale.getDefault().toLanguageTag()', 64),
    languages: Type.Array(Type.String({ maxLength: 256 }), { description: 'LocaleList.getDefault()', maxItems: 64 }),
    timezone: text('TimeZone.getDefault().getID()', 64),
    timezoneOffset: offsetMinutes('Minutes; behind UTC is positive'),
    devicePixelRatio: ratio('DisplayMetrics.density'),
    screen: part('Display', {
      width: pixels('dp'),
      height: pixels('dp'),
      nativeWidth: pixels('Pixels'),
      nativeHeight: pixels('Pixels'),
    }),
    deviceModel: part('Model and system', {
      brand: text('Build.BRAND', 64),
      identifier: text('Build.MODEL', 64),
      systemName: text('Android', 64),
      systemVersion: text('Build.VERSION.RELEASE', 64),
      systemBuild: text('Build.DISPLAY', 64),
      cpuType: text('Build.SUPPORTED_ABIS, the first', 32),
      cores: Type.Integer(),
    }),
    build: part('The build of the system', {
      fingerprint: text('Build.FINGERPRINT'),
      hardware: text('Build.HARDWARE', 64),
      product: text('Build.PRODUCT', 64),
      tags: text('Build.TAGS', 64),
    }),
    memory: part('Memory', { totalBytes: bytes('ActivityManager.MemoryInfo.totalMem') }),
    diskSpace: part('The volume of the app’s files', {
      totalBytes: bytes('In all'),
      availableBytes: bytes('Free'),
    }),
    bootTime: epochSeconds('Last start of the system'),
    volumeDates: part('When folders were made that a reset makes anew', { data: epochSeconds('/data') }),
    drmId: text('MediaDrm.PROPERTY_DEVICE_UNIQUE_ID, hashed; survives a reset', 128),
    androidId: text('Settings.Secure.ANDROID_ID', 64),
    appIntegrity: part('The app itself', {
      bundleId: text('Context.getPackageName()'),
      version: text('PackageInfo.versionName', 64),
      build: text('PackageInfo.getLongVersionCode()', 64),
      certificates: names('SHA-256 of the signing certificates, hex'),
      dataFolder: text('ApplicationInfo.dataDir'),
      isDebugged: flag('Debug.isDebuggerConnected()'),
    }),
    rootTraces: part('Traces of root', {
      paths: names('Of a list of paths (su, Magisk, KernelSU), those that exist'),
      packages: names('Installed packages that manage root'),
      properties: names('System properties of an open system, as ro.debuggable=1'),
    }),
    hookTraces: part('Traces of hooking frameworks', {
      libraries: names('Libraries of the process, by /proc/self/maps'),
      classes: names('Classes, as de.robv.android.xposed.XposedBridge'),
      openPorts: Type.Array(Type.Integer(), { description: 'Ports of this device that answer', maxItems: 16 }),
    }),
    emulatorTraces: names('Files that an emulator has, as /dev/qemu_pipe'),
    networkInterfaces: part('Networks that tunnel', {
      routableTunnels: names('Interfaces of active networks with TRANSPORT_VPN, as tun0'),
    }),
    proxy: part('Proxy settings of the network in use', {
      http: flag('LinkProperties.getHttpProxy()'),
      autoConfiguration: flag('By a PAC file'),
      isLoopback: flag('On this device'),
    }),
    screenCapture: part('Who sees the screen', { isMirrored: flag('A presentation display, or a projection') }),
    developerOptions: part('Settings for developers', {
      isEnabled: flag('Settings.Global.DEVELOPMENT_SETTINGS_ENABLED'),
      isAdbEnabled: flag('Settings.Global.ADB_ENABLED'),
    }),
    location: part('The last place that the system knows, where the person has allowed it', {
      ...whereabouts,
      isSimulated: flag('Location.isMock()'),
    }),
  }),
  { $id: 'AndroidFacts', description: 'What an Android device tells of itself' },
)
export type AndroidFacts = Static<typeof AndroidFacts>
