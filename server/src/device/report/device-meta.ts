// What kind of device is it? `deviceMeta` of the report, as far as the device tells.

import type { DeviceReport } from '@ringfence/contract'
import Bowser from 'bowser'
import { told } from '../../told.ts'
import type { Analysis } from '../analyse.ts'

export function deviceMetaOf({
  evidence,
  deviceInfo,
}: Pick<Analysis, 'evidence' | 'deviceInfo'>): DeviceReport['deviceMeta'] {
  const { userAgent, screenWidth, screenHeight, devicePixelRatio = 1, cpuArchitecture } = deviceInfo
  const { vendor } = userAgent === undefined ? {} : Bowser.parse(userAgent).platform
  const isKnown = screenWidth !== undefined && screenHeight !== undefined
  const pixels = (cssPixels: number) => Math.round(cssPixels * devicePixelRatio)
  return told({
    brand: vendor,
    model: evidence.facts.clientHints?.model,
    cpuType: cpuArchitecture,
    screenResolution: isKnown ? `${pixels(screenWidth)}x${pixels(screenHeight)}` : undefined,
  })
}
