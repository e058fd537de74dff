// Which facts does a platform always send, and does a report lack them? A near-empty report must not pass for a device without faults.

import type { AndroidFacts, DevicePlatform, Facts, IosFacts, WebFacts } from '@ringfence/contract'

interface Owed<Name> {
  /** Answered at once, by every browser or system that was tried. Most of them must be there. */
  readonly most: readonly Name[]
  /** Speak against a device: who leaves one out hides something. */
  readonly each: readonly Name[]
}

/** Of WEB: in all recordings of browsers (device/testdata/recordings). Of IOS: probes that always answer. */
const owed: {
  readonly WEB: Owed<keyof WebFacts>
  readonly IOS: Owed<keyof IosFacts>
  readonly ANDROID: Owed<keyof AndroidFacts>
} = {
  WEB: {
    most: [
      ...(['userAgent', 'platform', 'vendor', 'language', 'languages', 'cookieEnabled', 'screen'] as const),
      ...(['devicePixelRatio', 'timezoneOffset', 'timezone', 'fontFamily', 'hardwareConcurrency'] as const),
      'maxTouchPoints',
    ],
    each: ['automation', 'alteredFunctions'],
  },
  IOS: {
    most: [
      ...(['language', 'languages', 'locale', 'timezone', 'timezoneOffset', 'devicePixelRatio', 'screen'] as const),
      ...(['deviceModel', 'memory', 'appIntegrity'] as const),
    ],
    each: ['jailbreakTraces', 'hookTraces', 'simulator'],
  },
  // There is no SDK: the integrator's own collector sends what it has.
  ANDROID: {
    most: ['language', 'timezone', 'timezoneOffset', 'screen', 'deviceModel', 'build', 'memory', 'appIntegrity'],
    each: [],
  },
}

/** `collect`: what the app has switched off is not owed. What only the page has switched off is. */
export function isIncomplete(
  platform: DevicePlatform,
  facts: Facts,
  collect: Readonly<Record<string, boolean>> = {},
): boolean {
  const { most, each }: Owed<string> = owed[platform]
  const isOwed = (name: string) => collect[name] !== false
  const isMissing = (name: string) => !Object.hasOwn(facts, name)
  const expected = most.filter(isOwed)
  return each.filter(isOwed).some(isMissing) || expected.filter(isMissing).length * 2 > expected.length
}
