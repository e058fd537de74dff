// For how long may an answer of a check be reused?

import type { CheckName } from '@ringfence/contract'
import type { Settings } from '../config/settings.ts'

/** In seconds; 0: every check queries the operator. */
export function reuseSecondsOf(check: CheckName, settings: Settings): number {
  if (check === 'simSwap' || check === 'deviceSwap') return settings.simSwapReuseSeconds
  if (check === 'portability') return settings.portabilityReuseSeconds
  return check === 'callForwarding' ? settings.callForwardingReuseSeconds : 0
}
