// What did one check cost? Each request is paid before it is sent; what the upstream does not bill is given back.

import type { Cost, PaidName } from '@ringfence/contract'
import type { Logger } from 'pino'
import type { Metrics } from '../../core/metrics/metrics.ts'
import { UpstreamError, UpstreamRefusal } from '../../upstream/upstream-error.ts'
import type { Charge, Costs } from './costs.ts'

export interface Meter {
  /**
   * Runs a request that costs its price, unless the signal is aborted before that.
   *
   * @throws CostCapReached when the tenant may not pay it today
   */
  pay<Answer>(connector: string, signal: AbortSignal, request: () => Promise<Answer>): Promise<Answer>
  /** Of all requests until now; undefined: a price is not configured. */
  cost(): Cost | undefined
}

export interface MeterResources {
  readonly costs: Costs
  readonly metrics: Pick<Metrics, 'add'>
  readonly log: Logger
}

export function meter({ costs, metrics, log }: MeterResources, tenantId: string, check: PaidName): Meter {
  const { currency } = costs
  // Nothing is counted where nothing has a price.
  if (currency === undefined) return free
  const charges = new Set<Charge>()
  return {
    async pay(connector, signal, request) {
      const charge = await costs.charge(tenantId, connector, check)
      charges.add(charge)
      let isBilled = !signal.aborted
      try {
        // Another upstream may have answered while the charge was written.
        signal.throwIfAborted()
        return await request()
      } catch (error) {
        isBilled &&= !isFree(error)
        throw error
      } finally {
        const { micros } = charge
        if (!isBilled) {
          charges.delete(charge)
          await charge.giveBack().catch((error) => log.warn({ err: error, check }, 'cannot take back a cost'))
        } else if (micros) metrics.add('checkCost', micros, check, connector, currency)
      }
    },
    cost: () => costs.sumOf(charges),
  }
}

const free: Meter = {
  pay: (_connector, signal, request) => (signal.aborted ? Promise.reject(signal.reason) : request()),
  cost: () => undefined,
}

/** Not sent, or refused as a whole. Any other failure may be billed, so it counts. */
const isFree = (error: unknown) =>
  error instanceof UpstreamRefusal ||
  (error instanceof UpstreamError && (error.isUnsent || error.reason === 'overloaded'))
