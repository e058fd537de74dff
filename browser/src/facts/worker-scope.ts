// What does the browser tell of itself in a worker? Disguises of a page often do not reach there.

import { timezone } from './timezone.ts'

/** Nothing beside a page, which would only tell the same again. */
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
    ...(deviceMemory !== undefined && { deviceMemory }),
    ...(userAgentData && { hintedPlatform: userAgentData.platform }),
  }
}
