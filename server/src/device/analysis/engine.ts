// Which browser does the evidence claim to be, and which engine is it really?

import type { WebFacts } from '@ringfence/contract'
import type { Evidence } from './evidence.ts'

export type Engine = 'chromium' | 'firefox' | 'webkit'
export type System = 'windows' | 'mac' | 'ios' | 'android' | 'linux'

/** By the user agent; `undefined` for other engines. Every browser on iOS is WebKit. */
export function claimedEngine(userAgent: string | undefined): Engine | undefined {
  if (userAgent === undefined) return undefined
  if (/\b(iPhone|iPad|iPod)\b/.test(userAgent)) return 'webkit'
  if (/\b(Headless)?Chrom(e|ium)\/\d/.test(userAgent)) return 'chromium'
  if (/\bFirefox\/\d/.test(userAgent)) return 'firefox'
  return /\bAppleWebKit\/\d/.test(userAgent) ? 'webkit' : undefined
}

/** Major version of Chromium or Firefox. A WebKit's version says nothing about its engine. */
export function claimedVersion(userAgent: string | undefined): number | undefined {
  const version = /\b(?:(?:Headless)?Chrom(?:e|ium)|Firefox)\/(\d+)/.exec(userAgent ?? '')?.[1]
  return version === undefined ? undefined : Number(version)
}

/** By built-in behaviour: only V8 has `v8BreakIterator`, and only V8 writes the text of a native function on one line. */
export function builtEngine({ engine, userAgent }: WebFacts): Engine | 'not chromium' | undefined {
  if (engine?.isV8 === undefined || engine.nativeTextLength === undefined) return undefined
  if (engine.isV8 && engine.nativeTextLength < 36) return 'chromium'
  if (engine.isV8 || engine.nativeTextLength < 36) return undefined
  const claimed = claimedEngine(userAgent)
  return claimed === 'chromium' ? 'not chromium' : claimed
}

/** The engine that verdicts use: as built, else as claimed; `undefined` when the claim is false and the engine unknown. */
export function engineOf({ facts }: Evidence): Engine | undefined {
  const built = builtEngine(facts)
  return built === 'not chromium' ? undefined : (built ?? claimedEngine(facts.userAgent))
}

/** Operating system by the user agent. */
export function systemOfUserAgent(userAgent: string | undefined): System | undefined {
  if (userAgent === undefined) return undefined
  if (/Windows/.test(userAgent)) return 'windows'
  if (/\b(iPhone|iPad|iPod)\b/.test(userAgent)) return 'ios'
  if (/Android/.test(userAgent)) return 'android'
  if (/Macintosh/.test(userAgent)) return 'mac'
  return /Linux|X11|CrOS/.test(userAgent) ? 'linux' : undefined
}

/** Operating system by `navigator.platform`. */
export function systemOfPlatform(platform: string | undefined): System | undefined {
  if (!platform) return undefined
  if (/^Win/.test(platform)) return 'windows'
  if (/^(iPhone|iPad|iPod)/.test(platform)) return 'ios'
  if (/^Mac/.test(platform)) return 'mac'
  return /^(Linux|Android|CrOS)/.test(platform) ? 'linux' : undefined
}

/** Operating system by the platform of client hints. */
export function systemOfHint(platform: string | undefined): System | undefined {
  const systems: Readonly<Record<string, System>> = {
    Windows: 'windows',
    macOS: 'mac',
    iOS: 'ios',
    Android: 'android',
    Linux: 'linux',
    'Chrome OS': 'linux',
    'Chromium OS': 'linux',
  }
  return platform === undefined ? undefined : systems[platform]
}

/** Android has the kernel of Linux. An iPad that requests desktop pages claims to be a Mac. */
export function areOneSystem(first: System, second: System): boolean {
  const family = (system: System) => (system === 'android' ? 'linux' : system === 'ios' ? 'mac' : system)
  return family(first) === family(second)
}
