// What does the browser report in a worker? Scripts that disguise a page often miss its workers.

import { timezone } from './timezone.ts'
import { timezoneOffset } from './timezone-offset.ts'

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
