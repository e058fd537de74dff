// For how long may an answer of a check be reused? The operator's entry says so, else the configuration, else a setting.

import type { CheckName } from '@ringfence/contract'
import type { Settings } from '../../core/config/settings.ts'

type Seconds = Partial<Record<CheckName, number>>

export interface Reuse {
  /** In seconds; 0: every check calls the operator. `operator`: its id. */
  secondsOf(check: CheckName, operator?: string): number
  /** The longest of any check and operator. */
  readonly longestSeconds: number
}

export function reuse(config: {
  readonly settings: Settings
  readonly reuseSeconds?: Seconds
  readonly operators: readonly { readonly id: string; readonly reuseSeconds?: Seconds }[]
}): Reuse {
  const { simSwapReuseSeconds, callForwardingReuseSeconds, portabilityReuseSeconds } = config.settings
  const usual: Seconds = {
    simSwap: simSwapReuseSeconds,
    callForwarding: callForwardingReuseSeconds,
    ...config.reuseSeconds,
    portability: portabilityReuseSeconds,
  }
  const own = new Map(config.operators.map(({ id, reuseSeconds = {} }) => [id, reuseSeconds]))
  return {
    secondsOf: (check, operator = '') => own.get(operator)?.[check] ?? usual[check] ?? 0,
    longestSeconds: Math.max(...[usual, ...own.values()].flatMap((seconds) => Object.values(seconds))),
  }
}
