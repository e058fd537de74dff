// What kind of device is it, and which location does it report? `deviceMeta` and `gpsLocation` of the report.

import type { DeviceInfoDetail, DevicePlatform, DeviceReport, Facts } from '@ringfence/contract'
import { withoutUnknown } from '../../core/json/without-unknown.ts'
import { parseUserAgent } from './user-agent.ts'

/** `deviceMeta` of specification 2.6; parts that the platform does not report are absent. */
export function deviceMetaOf(
  platform: DevicePlatform,
  facts: Facts,
  deviceInfo: DeviceInfoDetail,
): DeviceReport['deviceMeta'] {
  return platform === 'WEB' ? ofBrowser(facts, deviceInfo) : ofApp(facts, platform)
}

/** Memory and storage are absent: a browser rounds the one and reports a quota for the other. */
function ofBrowser({ clientHints }: Facts, deviceInfo: DeviceInfoDetail): DeviceReport['deviceMeta'] {
  const { userAgent, screenWidth, screenHeight, devicePixelRatio = 1, cpuArchitecture } = deviceInfo
  const { vendor } = userAgent === undefined ? {} : parseUserAgent(userAgent).platform
  const pixels = (cssPixels: number) => Math.round(cssPixels * devicePixelRatio)
  const isKnown = screenWidth !== undefined && screenHeight !== undefined
  return withoutUnknown({
    brand: vendor,
    model: clientHints?.model,
    cpuType: cpuArchitecture,
    screenResolution: isKnown ? `${pixels(screenWidth)}x${pixels(screenHeight)}` : undefined,
  })
}

function ofApp(
  { deviceModel, screen, memory, diskSpace }: Facts,
  platform: DevicePlatform,
): DeviceReport['deviceMeta'] {
  const { nativeWidth, nativeHeight } = screen ?? {}
  const isKnown = nativeWidth !== undefined && nativeHeight !== undefined
  return withoutUnknown({
    brand: deviceModel?.brand ?? (platform === 'IOS' && deviceModel ? 'Apple' : undefined),
    model: deviceModel?.identifier,
    iOSVersion: platform === 'IOS' ? deviceModel?.systemVersion : undefined,
    cpuType: deviceModel?.cpuType,
    screenResolution: isKnown ? `${nativeWidth}x${nativeHeight}` : undefined,
    totalRAM: memory?.totalBytes?.toString(),
    storageAvailable: diskSpace?.availableBytes?.toString(),
    storageTotal: diskSpace?.totalBytes?.toString(),
  })
}

/** `gpsLocation` of specification 2.6, as the device reports it. */
export function gpsLocationOf({ location = {} }: Facts): DeviceReport['gpsLocation'] {
  const { latitude, longitude, altitude } = location
  return withoutUnknown({ latitude, longitude, altitude })
}
