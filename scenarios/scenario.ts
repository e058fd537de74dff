// What is a scenario? A browser in one condition on this machine, and what the signals must say of it.

import type { BotResult } from '@ringfence/server/device/signals/verdicts.ts'
import type { Display } from './display.ts'

/** What must be said; a detector that is not named may say anything, or nothing. */
export interface Expectation {
  readonly bot?: BotResult['result']
  readonly incognito?: boolean
  readonly privacySettings?: boolean
  readonly developerTools?: boolean
  readonly virtualMachine?: boolean
  readonly tampering?: boolean
  readonly timezoneMismatch?: boolean
}

export interface Scenario {
  readonly name: string
  readonly expected: Expectation
  /** The programs it needs on this machine. */
  readonly needs: readonly string[]
  /** The address that a trusted proxy would tell, where the scenario is about places; documentation addresses lead nowhere. */
  readonly zoneOfAddress?: { readonly timezone: string; readonly country: string }
  /** Opens `url`; the page then tells its facts by itself. */
  open(url: string, stage: Stage): Promise<void>
}

/** What a scenario may use. */
export interface Stage {
  readonly display: Display
  /** A folder of its own, which browsers may write. */
  readonly folder: string
  /** Registers what ends with the scenario; the last one goes first. */
  after(clean: () => unknown): void
}

/** Nothing suspicious, and each of them looked at. */
export const ordinary: Expectation = { bot: 'notDetected', incognito: false, privacySettings: false, tampering: false }
