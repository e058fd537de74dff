// Which facts does an Android device report? Those that the SDK in android/ reads, or the integrator's own collector.

import Type, { type Static } from 'typebox'
import { part } from '../schema-parts.ts'
import { bytes, offsetMinutes, pixels, ratio, whereabouts } from './measures.ts'

const text = (description: string, maxLength = 256) => Type.String({ description, maxLength })
const names = (description: string, maxItems = 64) =>
  Type.Array(Type.String({ maxLength: 256 }), { description, maxItems })
const flag = (description: string) => Type.Boolean({ description })
const epochSeconds = (description: string) => Type.Integer({ description: `${description}, epoch seconds` })
const count = (description: string, maximum = 10_000) => Type.Integer({ description, minimum: 0, maximum })
/** More than any phone has. */
const mostSims = 8
/** A constant of Android, as the system returns it. */
const constant = (description: string) => Type.Integer({ description, minimum: -16, maximum: 255 })

/**
 * A fact is absent when the device does not report it. A name means the same on every platform. The server cuts parts of a fact that are
 * too long, since makers write texts of any length, and drops other facts that are: half of an id would be another one.
 */
export const AndroidFacts = Type.Partial(
  Type.Object({
    language: text('Locale.getDefault().toLanguageTag()', 64),
    languages: names('LocaleList.getDefault()'),
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
      totalBytes: bytes('Total'),
      availableBytes: bytes('Free'),
    }),
    bootTime: epochSeconds('Last boot'),
    volumeDates: part('Creation time of folders that a reset creates again', { data: epochSeconds('/data') }),
    drmId: text('MediaDrm.PROPERTY_DEVICE_UNIQUE_ID, hashed; survives a reset', 128),
    androidId: text('Settings.Secure.ANDROID_ID', 64),
    appIntegrity: part('The app itself', {
      bundleId: text('Context.getPackageName()'),
      version: text('PackageInfo.versionName', 64),
      build: text('PackageInfo.getLongVersionCode()', 64),
      certificates: names('SHA-256 of the signing certificates, hex'),
      dataFolder: text('ApplicationInfo.dataDir'),
      installer: text(
        'InstallSourceInfo.getInstallingPackageName(); empty when the system names none. Absent for an app that came with the phone',
      ),
      isDebugged: flag('Debug.isDebuggerConnected()'),
    }),
    rootTraces: part('Traces of root', {
      paths: names('Existing paths of a list (su, Magisk, KernelSU), and mounts of root managers in /proc/self/mounts'),
      packages: names('Installed packages that manage root'),
      properties: names('Properties of an open system, such as ro.debuggable=1 and selinux=permissive'),
    }),
    hookTraces: part('Traces of hooking frameworks', {
      libraries: names('Libraries in /proc/self/maps, and abstract sockets in /proc/net/unix, such as @frida'),
      classes: names('Classes, such as de.robv.android.xposed.XposedBridge'),
      openPorts: Type.Array(Type.Integer(), { description: 'Open ports of this device', maxItems: 16 }),
    }),
    emulatorTraces: names('Files of emulators, such as /dev/qemu_pipe'),
    peripherals: part('What a phone has and an emulator lacks', {
      sensors: count('SensorManager.getSensorList(TYPE_ALL), how many'),
      cameras: count('CameraManager.getCameraIdList(), how many'),
      hardwareCodecs: count('MediaCodecList, without names that begin with OMX.google. or c2.android.'),
    }),
    networkInterfaces: part('VPN interfaces', {
      routableTunnels: names('NetworkInterface: tunnels that are up and have a routable IP address, such as tun0'),
    }),
    proxy: part('Proxy settings of the network in use', {
      http: flag('LinkProperties.getHttpProxy()'),
      autoConfiguration: flag('A PAC file is set'),
      isLoopback: flag('The proxy runs on this device'),
    }),
    screenCapture: part('Screen capture and mirroring', {
      isMirrored: flag('A presentation display, or a projection'),
      isRecorded: flag('SCREEN_RECORDING_STATE_VISIBLE of WindowManager.addScreenRecordingCallback, Android 15'),
    }),
    developerOptions: part('Developer options', {
      isEnabled: flag('Settings.Global.DEVELOPMENT_SETTINGS_ENABLED'),
      isAdbEnabled: flag('Settings.Global.ADB_ENABLED'),
      isWirelessDebuggingEnabled: flag('Settings.Global adb_wifi_enabled, Android 11'),
    }),
    remoteAccessApps: names('Installed apps for remote access, of the few that your manifest names in <queries>', 16),
    accessibilityServices: names(
      'Packages of enabled services that are no system app and not AccessibilityServiceInfo.isAccessibilityTool(), Android 12',
      16,
    ),
    inputMethod: part('The keyboard in use', {
      package: text('Package of Settings.Secure.DEFAULT_INPUT_METHOD'),
      isSystem: flag('It is a system app'),
    }),
    audioMode: constant('AudioManager.getMode()'),
    touch: part('What the last touch of the app shows; absent before the first, and five minutes later', {
      isObscured: flag('MotionEvent.FLAG_WINDOW_IS_OBSCURED'),
      isPartiallyObscured: flag('MotionEvent.FLAG_WINDOW_IS_PARTIALLY_OBSCURED, Android 10'),
    }),
    user: part('The user of Android that runs the app', {
      isManaged: flag('UserManager.isManagedProfile(), Android 11'),
      isSystemUser: flag('UserManager.isSystemUser()'),
    }),
    wifi: part('Wi-Fi in use', { security: constant('WifiInfo.getCurrentSecurityType(), Android 12') }),
    clock: part('Who sets the clock', {
      isAutomatic: flag('Settings.Global.AUTO_TIME'),
      isZoneAutomatic: flag('Settings.Global.AUTO_TIME_ZONE'),
    }),
    sim: part('SIM cards, without a permission: no number, no serial, no subscriber', {
      slots: count('TelephonyManager.getActiveModemCount()', mostSims),
      inserted: count(
        'Slots whose getSimState(slot) is neither SIM_STATE_ABSENT nor SIM_STATE_UNKNOWN; absent for 0 when one is unknown',
        mostSims,
      ),
      cards: Type.Array(
        part('A SIM card', {
          networkCode: text('TelephonyManager.getSimOperator(): MCC and MNC', 8),
          carrier: text('TelephonyManager.getSimOperatorName()', 64),
          country: text('TelephonyManager.getSimCountryIso()', 8),
        }),
        { description: 'That of the default subscription; with READ_PHONE_STATE all of them', maxItems: mostSims },
      ),
    }),
    location: part('Last known location, when the user allows it', {
      ...whereabouts,
      isSimulated: flag('Location.isMock()'),
    }),
  }),
  { $id: 'AndroidFacts', description: 'Facts of an Android device' },
)
export type AndroidFacts = Static<typeof AndroidFacts>
