// Which signals are there, and what do they say of one device?

import type { Evidence } from '../analysis/evidence.ts'
import { suspectScore } from '../scores/suspect-score.ts'
import { appTampering } from './app-tampering.ts'
import { bot } from './bot.ts'
import { clonedApp } from './cloned-app.ts'
import { developerTools } from './developer-tools.ts'
import { emulator } from './emulator.ts'
import { factoryReset } from './factory-reset.ts'
import { frida } from './frida.ts'
import { hooking } from './hooking.ts'
import { incognito } from './incognito.ts'
import { jailbroken } from './jailbroken.ts'
import { locationSpoofing } from './location-spoofing.ts'
import { mirroredScreen } from './mirrored-screen.ts'
import { privacySettings } from './privacy-settings.ts'
import { proxy } from './proxy.ts'
import { recentReset } from './recent-reset.ts'
import { rootApps } from './root-apps.ts'
import type { Signal } from './signal.ts'
import { simulator } from './simulator.ts'
import { systemProxy } from './system-proxy.ts'
import { tampering } from './tampering.ts'
import { tor } from './tor.ts'
import type { SuspectScoreResult } from './verdicts.ts'
import { virtualMachine } from './virtual-machine.ts'
import { vpn } from './vpn.ts'

/** Each under the name of its detector in the contract, where that has one. */
export const signals = {
  bot,
  incognito,
  privacySettings,
  developerTools,
  virtualMachine,
  tampering,
  vpn,
  tor,
  proxy,
  jailbroken,
  rootApps,
  simulator,
  emulator,
  clonedApp,
  appTampering,
  hooking,
  frida,
  systemProxy,
  mirroredScreen,
  locationSpoofing,
  factoryReset,
  recentReset,
}

/** What the report tells and secure info has no detector for. */
export const onlyInReport = [
  'tor',
  'proxy',
  'simulator',
  'appTampering',
  'hooking',
  'systemProxy',
  'mirroredScreen',
  'recentReset',
] as const satisfies readonly SignalName[]

export type SignalName = keyof typeof signals
/** The verdict of every signal, by its name. */
export type Verdicts = { [Name in SignalName]: (typeof signals)[Name] extends Signal<infer Verdict> ? Verdict : never }

export interface Judgement {
  /** A signal that the evidence does not answer is absent. */
  readonly verdicts: Partial<Verdicts> & { readonly suspectScore?: SuspectScoreResult }
  /** What each verdict rests on; for whoever investigates, never for a client. */
  readonly reasons: Readonly<Partial<Record<SignalName, readonly string[]>>>
  /** Of the signals that answered, so that a stored verdict can be told from a newer one's. */
  readonly versions: Readonly<Partial<Record<SignalName, number>>>
}

/** Asks every signal of the platform. Pure: the same evidence gets the same judgement. */
export function judgeAll(evidence: Evidence): Judgement {
  const verdicts: Partial<Record<SignalName, unknown>> = {}
  const reasons: Partial<Record<SignalName, readonly string[]>> = {}
  const versions: Partial<Record<SignalName, number>> = {}
  for (const name of Object.keys(signals) as SignalName[]) {
    const signal: Signal<unknown> = signals[name]
    const finding = signal.platforms.includes(evidence.platform) ? signal.judge(evidence) : undefined
    if (!finding) continue
    verdicts[name] = finding.verdict
    reasons[name] = finding.reasons
    versions[name] = signal.version
  }
  const score = suspectScore(verdicts as Partial<Verdicts>, evidence.platform)
  return { verdicts: { ...(verdicts as Partial<Verdicts>), ...(score && { suspectScore: score }) }, reasons, versions }
}
