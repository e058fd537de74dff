// Is a fact there, with all of its parts that verdicts read? An SDK sends them together, so a part alone was left out.

import type { AndroidFacts, DevicePlatform, Facts, IosFacts, WebFacts } from '@ringfence/contract'

type Parts<Of> = { readonly [Name in keyof Of]?: readonly (keyof NonNullable<Of[Name]> & string)[] }

/** Of WEB: in every recording that has the fact. Of IOS: what its probe always answers. Of ANDROID: what verdicts read. */
export const factParts: {
  readonly WEB: Parts<WebFacts>
  readonly IOS: Parts<IosFacts>
  readonly ANDROID: Parts<AndroidFacts>
} = {
  WEB: {
    automation: ['webdriver', 'globals', 'chromeObject'],
    canvas: ['isStable', 'isExact'],
    clientHints: ['brands', 'platform', 'fullVersionList'],
    engine: ['nativeTextLength', 'isV8', 'features'],
    inspection: ['stacksWritten'],
    mediaQueries: ['any-pointer'],
    permissions: ['notifications'],
    screen: ['width', 'height', 'availWidth', 'availHeight'],
    storage: ['localStorage', 'sessionStorage', 'indexedDB'],
    webgl: ['renderer'],
    windowGeometry: ['innerWidth', 'innerHeight', 'isTop'],
    workerScope: ['userAgent', 'platform', 'languages', 'hardwareConcurrency', 'timezone'],
  },
  IOS: {
    appIntegrity: ['bundleId', 'hasProfile', 'isEncrypted', 'isDebugged'],
    deviceModel: ['identifier'],
    hookTraces: ['libraries', 'classes', 'openPorts'],
    jailbreakTraces: ['paths', 'links', 'libraries', 'wroteOutside', 'forked'],
    keychainId: ['isNew'],
    networkInterfaces: ['scopedTunnels', 'routableTunnels'],
    proxy: ['http', 'socks', 'autoConfiguration'],
    screenCapture: ['isCaptured', 'isMirrored'],
    simulator: ['isTarget', 'hasEnvironment'],
  },
  ANDROID: {
    appIntegrity: ['bundleId', 'dataFolder'],
    build: ['fingerprint', 'hardware', 'product', 'tags'],
    clock: ['isAutomatic', 'isZoneAutomatic'],
    developerOptions: ['isEnabled', 'isAdbEnabled'],
    deviceModel: ['identifier', 'cpuType'],
    hookTraces: ['libraries', 'classes', 'openPorts'],
    inputMethod: ['isSystem'],
    networkInterfaces: ['routableTunnels'],
    peripherals: ['sensors', 'cameras', 'hardwareCodecs'],
    proxy: ['http'],
    rootTraces: ['paths', 'packages', 'properties'],
    screenCapture: ['isMirrored'],
    touch: ['isObscured'],
    user: ['isManaged', 'isSystemUser'],
    wifi: ['security'],
  },
}

type Sent = { facts: Facts; platform: DevicePlatform }

/** False for a fact that is absent, an empty text, or lacks a part: it may show something, but never that there is nothing. */
export function isWhole({ facts, platform }: Sent, name: string): boolean {
  if (!Object.hasOwn(facts, name)) return false
  const value: unknown = facts[name as keyof Facts]
  if (value === '') return false
  for (const part of partsOf(platform, name)) if (!Object.hasOwn(value as object, part)) return false
  return true
}

/** What there is not of a fact: `build` when it is absent or an empty text, else its parts, such as `build.tags`. */
export function missingOf({ facts, platform }: Sent, name: string): string[] {
  if (!Object.hasOwn(facts, name)) return [name]
  const value = facts[name as keyof Facts]
  if (value === '') return [name]
  return partsOf(platform, name)
    .filter((part) => !Object.hasOwn(value as object, part))
    .map((part) => `${name}.${part}`)
}

const none: readonly string[] = []

const partsOf = (platform: DevicePlatform, name: string): readonly string[] =>
  (factParts[platform] as Readonly<Record<string, readonly string[]>>)[name] ?? none
