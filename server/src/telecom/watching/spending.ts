// May the tenant still pay a check today? Asked before a poll, whose look-up of the operator costs money too.

import type { WatchableCheck } from '@ringfence/contract'
import type { Telecom } from '../telecom.ts'

/** Whether every connector that answers this check costs more than is left of the daily cap. */
export async function isCapped(
  tenantId: string,
  check: WatchableCheck,
  { costs, connectors }: Pick<Telecom, 'costs' | 'connectors'>,
): Promise<boolean> {
  // Sources of portability are queried in turn, and the first may be free.
  if (check === 'portability') return false
  const left = await costs.remaining(tenantId, check)
  if (left === undefined) return false
  const prices = [...connectors.values()]
    .filter((connector) => connector.checks[check])
    .map(({ name }) => costs.priceOf(name, check) ?? 0)
  return prices.length > 0 && Math.min(...prices) > left
}
