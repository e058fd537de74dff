// What is a signal? One question about a device, answered from evidence by one pure function, in a file of its own.

import type { DevicePlatform } from '../../apps/app.ts'
import type { Evidence } from '../analysis/evidence.ts'

/** A verdict, and the reasons for it. */
export interface Finding<Verdict> {
  readonly verdict: Verdict
  /** What it rests on, for whoever investigates a case; stored with the analysis, never shown to a client. */
  readonly reasons: readonly string[]
}

export interface Signal<Verdict> {
  /** Raised whenever the same evidence may get another verdict. */
  readonly version: number
  /** Where the question has an answer; elsewhere it is not asked. */
  readonly platforms: readonly DevicePlatform[]
  /** `undefined` when the evidence does not tell: the detector is then absent, never a constant. */
  judge(evidence: Evidence): Finding<Verdict> | undefined
}
