// What does the device look like? Facts and headers → `deviceInfo` and `device_info` of the specification (2.4, 2.5).

import type { DeviceInfo, DeviceInfoDetail, Facts, WebFacts } from '@ringfence/contract'
import { withoutUnknown } from '../../core/json/without-unknown.ts'
import type { Evidence } from './evidence.ts'
import { agentOf } from './user-agent.ts'

/** Facts from scripts win over headers. */
type Source = Pick<Evidence, 'platform' | 'facts' | 'headers'>

/** `device_info` of 2.5; unknown parts are omitted. */
export function deviceInfoDetail({ platform, facts, headers }: Source, deviceId?: string): DeviceInfoDetail {
  // An empty user agent counts as none.
  const userAgent = facts.userAgent || headers['user-agent'] || undefined
  const browserInfo = platform === 'WEB' ? browserOf(facts, userAgent) : systemOf(facts, userAgent)
  const { screen = {} } = facts
  return withoutUnknown({
    userAgent,
    platform: facts.platform ?? facts.deviceModel?.systemName,
    vendor: facts.vendor,
    browser: browserInfo?.browserName,
    connection: facts.connection,
    language: facts.language || headers['accept-language']?.split(/[,;]/, 1)[0],
    cookieEnabled: facts.cookieEnabled,
    screenWidth: screen.width,
    screenHeight: screen.height,
    screenColorDepth: screen.colorDepth,
    devicePixelRatio: facts.devicePixelRatio,
    timezoneOffset: facts.timezoneOffset,
    cpuArchitecture: facts.cpuArchitecture ?? facts.deviceModel?.cpuType,
    fontFamily: facts.fontFamily,
    deviceId,
    browserInfo,
  })
}

/** `deviceInfo` of 2.4: the same, without the three fields of `browserInfo` that only 2.5 has. */
export function withoutDetail({ browserInfo, ...device }: DeviceInfoDetail): DeviceInfo {
  if (!browserInfo) return device
  const { browserMajorVersion: _, browserFullVersion: __, userAgent: ___, ...browser } = browserInfo
  return { ...device, browserInfo: browser }
}

type BrowserInfo = NonNullable<DeviceInfoDetail['browserInfo']>

function browserOf(facts: WebFacts, userAgent: string | undefined): BrowserInfo | undefined {
  if (userAgent === undefined) return undefined
  const { browser, os, device } = agentOf(userAgent, facts)
  return withoutUnknown({
    browserName: browser.name,
    os: os.name,
    osVersion: os.version,
    device,
    browserMajorVersion: browser.version?.split('.', 1)[0],
    browserFullVersion: browser.version,
    userAgent,
  })
}

/** An app is not a browser, whatever the user agent of its HTTP client says. */
function systemOf({ deviceModel = {} }: Facts, userAgent: string | undefined): BrowserInfo | undefined {
  const { systemName, systemVersion, identifier } = deviceModel
  const known = withoutUnknown({ os: systemName, osVersion: systemVersion, device: identifier, userAgent })
  return Object.keys(known).length === 0 ? undefined : known
}
