// Does a push come back to the server of its engine call? Then that server has the analysis, and need not open what it sealed.

import type { DevicePlatform } from '@ringfence/contract'
import type { Clock } from '../../core/clock.ts'
import { ExpiringMap } from '../../core/expiring-map.ts'
import type { CarriedAnalysis } from '../../device/calls/carried-analysis.ts'

/** An SDK pushes at once. Later, or at another server, the sealed text is opened. */
const keptMs = 5_000
/** 20 KB each. */
const mostKept = 500

/** Whose call it is: what the sealed text is bound to. */
export interface Whose {
  readonly requestId: string
  readonly sessionId: string
  readonly appId: string
  readonly platform: DevicePlatform
}

export class HandedOver {
  readonly #kept: ExpiringMap<string, CarriedAnalysis>

  constructor(clock: Clock) {
    this.#kept = new ExpiringMap({ clock, ttlMs: keptMs, most: mostKept })
  }

  /** `sealed`: the text that the SDK will bring back. */
  keep(sealed: string, carried: CarriedAnalysis): void {
    this.#kept.set(sealed, carried)
  }

  /** Once: a repeated push opens the text. Undefined for any text that was not made here for this call. */
  take(sealed: string, { requestId, sessionId, appId, platform }: Whose): CarriedAnalysis | undefined {
    const carried = this.#kept.get(sealed)
    if (!carried) return undefined
    const { analysis } = carried
    const isOfCall =
      analysis.requestId === requestId &&
      analysis.sessionId === sessionId &&
      analysis.appId === appId &&
      analysis.platform === platform
    if (!isOfCall) return undefined
    this.#kept.delete(sealed)
    return carried
  }
}
