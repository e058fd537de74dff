// How risky is this session by itself? Each signal that fired weighs as this table says.

import { type Contribution, combined } from './combine.ts'

/**
 * Weight of each signal, and why. They are our judgement, in the order of how rarely an honest person shows the signal and how
 * much work a fraudster has to do without it; labelled outcomes (see the guide to rules) tell whether they fit yours.
 */
export const sessionWeights = {
  bot: [0.6, 'automation drives the browser'],
  tampering: [0.5, 'the device contradicts itself'],
  hooking: [0.6, 'a hooking framework runs'],
  frida: [0.6, 'Frida runs'],
  appTampering: [0.6, 'the app is not the one that was published'],
  simulator: [0.55, 'a simulator, not a device'],
  emulator: [0.55, 'an emulator, not a device'],
  clonedApp: [0.4, 'a cloned instance of the app'],
  jailbroken: [0.3, 'the protections of the device are off; some owners do so themselves'],
  rootApps: [0.3, 'the protections of the device are off; some owners do so themselves'],
  locationSpoofing: [0.45, 'the location is faked'],
  tor: [0.5, 'the address is an exit of Tor'],
  proxy: [0.4, 'the address is an open proxy'],
  systemProxy: [0.1, 'the device is set to a proxy; companies do so too'],
  publicVPN: [0.2, 'the address is that of a VPN; many honest people use one'],
  timezoneMismatch: [0.2, 'the clock of the device is not that of its address; travellers are rare'],
  auxiliaryMobile: [0.2, 'the device says that a VPN is active'],
  osMismatch: [0.3, 'the network shows another operating system than the browser claims'],
  virtualMachine: [0.25, 'a virtual machine; some work in one'],
  privacySettings: [0.15, 'settings that hide what the browser is'],
  incognito: [0.1, 'a private window'],
  developerTools: [0.1, 'developer tools are open, or the phone is in developer mode'],
  mirroredScreen: [0.15, 'the screen is mirrored or recorded'],
  factoryReset: [0.2, 'the device was just reset, and knows its keys no more'],
} as const satisfies Readonly<Record<string, readonly [weight: number, because: string]>>

export type WeighedSignal = keyof typeof sessionWeights

/** An address of the worst reputation weighs as much as an exit of Tor. */
const addressWeight = 0.5

export interface SessionScore {
  /** 0 to 100. */
  readonly score: number
  readonly contributions: readonly Contribution[]
}

/**
 * sessionRiskScore of specification 2.6. `fired`: the signals that fired; `fraudScore`: of the address (0 to 100), which counts
 * where no list says more of it.
 */
export function sessionScore(fired: readonly WeighedSignal[], fraudScore = 0): SessionScore {
  const contributions: Contribution[] = fired.map((source) => {
    const [weight, because] = sessionWeights[source]
    return { source, weight, because }
  })
  const isExplained = fired.some((signal) => signal === 'tor' || signal === 'proxy' || signal === 'publicVPN')
  if (fraudScore > 0 && !isExplained) {
    const weight = (addressWeight * fraudScore) / 100
    contributions.push({ source: 'fraudScore', weight, because: `the address has a fraud score of ${fraudScore}` })
  }
  return { score: combined(contributions), contributions }
}
