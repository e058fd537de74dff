// What kind of device is it? `deviceMeta` of the report, as far as the device tells.

import type { DeviceReport } from '@ringfence/contract'
import Bowser from 'bowser'
import type { DevicePlatform } from '../../apps/app.ts'
import { told } from '../../told.ts'
import type { Analysis } from '../analyse.ts'

export function deviceMetaOf({ platform, evidence, deviceInfo }: Source): DeviceReport['deviceMeta'] {
  return platform === 'WEB' ? ofBrowser(evidence.facts, deviceInfo) : ofApp(evidence.facts, platform)
}

type Source = Pick<Analysis, 'platform' | 'evidence' | 'deviceInfo'>
type Facts = Source['evidence']['facts']

/** A browser tells neither memory nor storage: what it says of them is rounded, or a quota. */
function ofBrowser({ clientHints }: Facts, deviceInfo: Source['deviceInfo']): DeviceReport['deviceMeta'] {
  const { userAgent, screenWidth, screenHeight, devicePixelRatio = 1, cpuArchitecture } = deviceInfo
  const { vendor } = userAgent === undefined ? {} : Bowser.parse(userAgent).platform
  const pixels = (cssPixels: number) => Math.round(cssPixels * devicePixelRatio)
  const isKnown = screenWidth !== undefined && screenHeight !== undefined
  return told({
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
  return told({
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
