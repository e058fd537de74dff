// What is a scenario? A browser in one condition on this machine, and the verdicts that are expected.

import type { BotResult } from '@ringfence/server/device/signals/verdicts.ts'
import type { Display } from './display.ts'

/** The expected verdicts; any verdict is right for a detector that is not named. */
export interface Expectation {
  readonly bot?: BotResult['result']
  readonly botCategory?: BotResult['category']
  readonly incognito?: boolean
  readonly privacySettings?: boolean
  readonly developerTools?: boolean
  readonly virtualMachine?: boolean
  /** `notTrue`: facts may be missing, and then nobody knows. */
  readonly tampering?: boolean | 'notTrue'
  readonly timezoneMismatch?: boolean
}

/** Who is behind the browser: an ordinary person, a program, a private window, or a browser in disguise. */
export type Kind = 'ordinary' | 'bot' | 'private' | 'spoofing'

export interface Scenario {
  readonly name: string
  readonly kind: Kind
  readonly expected: Expectation
  /** The programs that this machine must have. */
  readonly needs: readonly string[]
  /** The IP address that a trusted proxy reports, where the scenario is about places; a documentation address. */
  readonly zoneOfAddress?: { readonly timezone: string; readonly country: string }
  /** The page waits this long for what is opened next to it. */
  readonly delayMs?: number
  /** The page is in a hidden frame of another page. */
  readonly isFramed?: boolean
  /** Opens `url`; the page then sends its facts on its own. */
  open(url: string, stage: Stage): Promise<void>
}

/** What a scenario may use. */
export interface Stage {
  readonly display: Display
  /** A separate folder that browsers may write to. */
  readonly folder: string
  /** Reports a browser that was started. */
  started?(pid: number): void
  /** Registers what ends with the scenario; last in, first out. */
  after(clean: () => unknown): void
}

/** Nothing suspicious, and every detector must have a verdict. */
export const ordinary: Expectation = { bot: 'notDetected', incognito: false, privacySettings: false, tampering: false }
