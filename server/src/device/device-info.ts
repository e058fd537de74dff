// What does the device look like? Facts and headers → `deviceInfo` and `device_info` of the specification (2.4, 2.5).

import type { DeviceInfo, DeviceInfoDetail, WebFacts } from '@ringfence/contract'
import Bowser from 'bowser'
import type { Evidence } from './evidence.ts'

/** What is told of a browser: facts where scripts gave them, else what its headers say. */
type Told = Pick<Evidence, 'facts' | 'headers'>

/** `device_info` of 2.5; every part that nobody told is omitted. */
export function deviceInfoDetail({ facts, headers }: Told, deviceId?: string): DeviceInfoDetail {
  // An empty one tells nothing.
  const userAgent = facts.userAgent || headers['user-agent'] || undefined
  const browser = userAgent === undefined ? {} : browserOf(userAgent, facts)
  const { screen = {} } = facts
  return told({
    userAgent,
    platform: facts.platform ?? facts.deviceModel?.systemName,
    vendor: facts.vendor,
    browser: browser.browserName,
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
    browserInfo: userAgent === undefined ? undefined : browser,
  })
}

/** `deviceInfo` of 2.4: the same, without the three fields of `browserInfo` that only 2.5 has. */
export function withoutDetail({ browserInfo, ...device }: DeviceInfoDetail): DeviceInfo {
  if (!browserInfo) return device
  const { browserMajorVersion: _, browserFullVersion: __, userAgent: ___, ...browser } = browserInfo
  return { ...device, browserInfo: browser }
}

type BrowserInfo = NonNullable<DeviceInfoDetail['browserInfo']>

/** Client hints where there are any: browsers have frozen what the user agent says of system and model. */
function browserOf(userAgent: string, { clientHints = {} }: WebFacts): BrowserInfo {
  const { browser, os, platform } = Bowser.parse(userAgent, hintsOf(clientHints))
  const browserFullVersion = fullVersion(browser.name, clientHints) ?? browser.version
  return told({
    browserName: browser.name,
    os: os.name,
    osVersion: systemVersion(clientHints) ?? os.version,
    device: clientHints.model || platform.model || platform.type,
    browserMajorVersion: browserFullVersion?.split('.', 1)[0],
    browserFullVersion,
    userAgent,
  })
}

type ClientHints = NonNullable<WebFacts['clientHints']>

function hintsOf({ brands, mobile, platform, platformVersion, model }: ClientHints) {
  return told({ brands: brands?.filter(isWhole), mobile, platform, platformVersion, model })
}

type Brand = { brand: string; version: string }
const isWhole = (brand: Partial<Brand>): brand is Brand => brand.brand !== undefined && brand.version !== undefined

/** Of the brand that names the browser: "Google Chrome" is Chrome. */
function fullVersion(name: string | undefined, { fullVersionList = [] }: ClientHints): string | undefined {
  if (!name) return undefined
  return fullVersionList.find(({ brand }) => brand === name || brand.endsWith(` ${name}`))?.version
}

/** Windows tells a number of its own, from 13 on for Windows 11 (documented by Microsoft for `platformVersion`). */
function systemVersion({ platform, platformVersion }: ClientHints): string | undefined {
  if (!platformVersion) return undefined
  if (platform !== 'Windows') return platformVersion
  const major = Number(platformVersion.split('.', 1)[0])
  return major >= 13 ? '11' : major > 0 ? '10' : undefined
}

/** Without the parts that are not known. */
function told<Parts extends object>(parts: Parts): { [Name in keyof Parts]?: Exclude<Parts[Name], undefined> } {
  const known = Object.entries(parts).filter(([, value]) => value !== undefined && value !== '')
  return Object.fromEntries(known) as { [Name in keyof Parts]?: Exclude<Parts[Name], undefined> }
}
