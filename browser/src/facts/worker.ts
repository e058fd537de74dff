// What does the browser report in a worker? Scripts that disguise a page often miss its workers.
// Some pages may start none (Content-Security-Policy), and older Safari lacks some of these values there.

import { timezone, timezoneOffset } from './region.ts'

/** `undefined` in the page, where the other facts already report these values. */
export function workerScope() {
  if (typeof document !== 'undefined') return undefined
  const { userAgent, platform, languages, hardwareConcurrency } = navigator
  const { deviceMemory, userAgentData } = navigator as { deviceMemory?: number; userAgentData?: { platform: string } }
  return {
    userAgent,
    platform,
    languages: [...languages],
    hardwareConcurrency,
    timezone: timezone(),
    timezoneOffset: timezoneOffset(),
    ...(deviceMemory !== undefined && { deviceMemory }),
    ...(userAgentData && { hintedPlatform: userAgentData.platform }),
  }
}
