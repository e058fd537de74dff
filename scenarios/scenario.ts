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

/** Whom it shows: somebody to be left alone, a program, a private window, a browser that pretends to be another or elsewhere. */
export type Kind = 'ordinary' | 'bot' | 'private' | 'spoofing'

export interface Scenario {
  readonly name: string
  readonly kind: Kind
  readonly expected: Expectation
  /** The programs it needs on this machine. */
  readonly needs: readonly string[]
  /** The address that a trusted proxy would tell, where the scenario is about places; documentation addresses lead nowhere. */
  readonly zoneOfAddress?: { readonly timezone: string; readonly country: string }
  /** The page waits so long, until what is opened beside it is there. */
  readonly delayMs?: number
  /** The page stands in a frame of another one, and is not seen. */
  readonly isFramed?: boolean
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
