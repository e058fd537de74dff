// How suspect is the device, in one number? The sum of the weights of what was found.

import type { DevicePlatform } from '../../apps/app.ts'
import type { Verdicts } from '../signals/index.ts'
import type { SuspectScoreResult } from '../signals/verdicts.ts'

type Weights = Readonly<Partial<Record<DevicePlatform, number>>>

/** As published for the detectors of these names; a platform without a weight does not count. */
export const suspectWeights = {
  badBot: { WEB: 7 },
  incognito: { WEB: 4 },
  timezoneMismatch: { WEB: 3, ANDROID: 4, IOS: 4 },
  publicVPN: { WEB: 4, ANDROID: 5, IOS: 5 },
  tor: { WEB: 14, ANDROID: 16, IOS: 17 },
  publicProxy: { WEB: 14, ANDROID: 12, IOS: 15 },
  tampering: { WEB: 8 },
  virtualMachine: { WEB: 14 },
  privacySettings: { WEB: 6 },
  auxiliaryMobile: { ANDROID: 6, IOS: 6 },
  emulator: { ANDROID: 9 },
  rootApps: { ANDROID: 12 },
  clonedApp: { ANDROID: 9 },
  jailbroken: { IOS: 10 },
  frida: { ANDROID: 14 },
} as const satisfies Readonly<Record<string, Weights>>

/** `undefined` when no detector looked. */
export function suspectScore(verdicts: Partial<Verdicts>, platform: DevicePlatform): SuspectScoreResult | undefined {
  if (Object.keys(verdicts).length === 0) return undefined
  return { result: suspectContributions(verdicts, platform).reduce((sum, { weight }) => sum + weight, 0) }
}

/** Whatever was found, with its weight on this platform. */
export function suspectContributions(
  verdicts: Partial<Verdicts>,
  platform: DevicePlatform,
): { readonly source: keyof typeof suspectWeights; readonly weight: number }[] {
  const found: Readonly<Record<keyof typeof suspectWeights, boolean | undefined>> = {
    badBot: verdicts.bot?.result === 'bad',
    incognito: verdicts.incognito,
    timezoneMismatch: verdicts.vpn?.methods.timezoneMismatch,
    publicVPN: verdicts.vpn?.methods.publicVPN,
    tor: verdicts.tor?.result,
    publicProxy: verdicts.proxy?.result,
    tampering: verdicts.tampering?.result,
    virtualMachine: verdicts.virtualMachine?.result,
    privacySettings: verdicts.privacySettings?.result,
    auxiliaryMobile: verdicts.vpn?.methods.auxiliaryMobile,
    emulator: verdicts.emulator?.result,
    rootApps: verdicts.rootApps?.result,
    clonedApp: verdicts.clonedApp?.result,
    jailbroken: verdicts.jailbroken?.result,
    frida: verdicts.frida?.result,
  }
  return (Object.keys(found) as (keyof typeof suspectWeights)[]).flatMap((source) => {
    const { [platform]: weight = 0 }: Weights = suspectWeights[source]
    return found[source] && weight > 0 ? [{ source, weight }] : []
  })
}
