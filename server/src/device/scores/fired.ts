// Which signals fired? Verdicts of every shape become the names that scores weigh.

import type { Judgement } from '../signals/index.ts'
import type { WeighedSignal } from './session-score.ts'

type Verdicts = Judgement['verdicts']

const tests: Readonly<Partial<Record<WeighedSignal, (verdicts: Verdicts) => boolean | undefined>>> = {
  bot: ({ bot }) => bot?.result === 'bad',
  tampering: ({ tampering }) => tampering?.result,
  incognito: ({ incognito }) => incognito,
  privacySettings: ({ privacySettings }) => privacySettings?.result,
  developerTools: ({ developerTools }) => developerTools?.result,
  virtualMachine: ({ virtualMachine }) => virtualMachine?.result,
  timezoneMismatch: ({ vpn }) => vpn?.methods.timezoneMismatch,
  publicVPN: ({ vpn }) => vpn?.methods.publicVPN,
  tor: ({ tor }) => tor?.result,
  proxy: ({ proxy }) => proxy?.result,
  auxiliaryMobile: ({ vpn }) => vpn?.methods.auxiliaryMobile,
  osMismatch: ({ vpn }) => vpn?.methods.osMismatch,
  systemProxy: ({ systemProxy }) => systemProxy?.result,
  jailbroken: ({ jailbroken }) => jailbroken?.result,
  rootApps: ({ rootApps }) => rootApps?.result,
  simulator: ({ simulator }) => simulator?.result,
  emulator: ({ emulator }) => emulator?.result,
  clonedApp: ({ clonedApp }) => clonedApp?.result,
  appTampering: ({ appTampering }) => appTampering?.result,
  frida: ({ frida }) => frida?.result,
  // Frida is a hooking framework: it counts once.
  hooking: ({ hooking, frida }) => hooking?.result && !frida?.result,
  locationSpoofing: ({ locationSpoofing }) => locationSpoofing?.result,
  mirroredScreen: ({ mirroredScreen }) => mirroredScreen?.result,
  factoryReset: ({ recentReset }) => recentReset?.result,
}

/** What the session is weighed by. */
export const firedSignals = (verdicts: Verdicts): WeighedSignal[] =>
  Object.entries(tests).flatMap(([name, fires]) => (fires(verdicts) ? [name as WeighedSignal] : []))
