// What does a request to an upstream cost, and may the tenant still pay it today? All servers count together, in the store.

import type { Cost, PaidName } from '@ringfence/contract'
import type { Clock } from '../../core/clock.ts'
import type { CostCap, CostSettings } from '../../core/config/cost-settings.ts'
import { ConditionFailed, type Database } from '../../core/storage/database.ts'
import { logged } from '../../upstream/upstream-error.ts'
import {
  countTelecomCost,
  dropTelecomCosts,
  telecomCostsOf,
  telecomCostsSince,
  uncountTelecomCost,
} from '../store/telecom-costs.ts'

/** No request is sent: it would cost more than the tenant may spend today. */
export class CostCapReached extends Error {
  override name = 'CostCapReached'
}

/** What a log line says of a request that failed. A cap that is reached is no fault, so it has no stack. */
export const loggedUnlessCapped = (error: unknown) =>
  error instanceof CostCapReached ? { reason: 'cost cap', cause: error.message } : logged(error)

/** The price of a request, counted before it is sent. */
export interface Charge {
  /** Undefined: no price is configured. */
  readonly micros: number | undefined
  /** The upstream does not bill it: it refused the request or was not asked. */
  giveBack(): Promise<void>
}

export interface Spent {
  readonly check: PaidName
  readonly micros: number
  readonly requests: number
}

/** Days since 1970-01-01 UTC; amounts in millionths of the currency. */
export interface Ledger {
  readonly today: number
  /** Without a check: of all together. */
  readonly caps: readonly { readonly check?: PaidName; readonly capMicros: number; readonly spentMicros: number }[]
  /** Days on which something was spent, newest first. */
  readonly days: readonly {
    readonly day: number
    readonly micros: number
    readonly requests: number
    readonly parts: readonly (Spent & { readonly upstream: string })[]
  }[]
}

export interface Costs {
  /** Undefined: the configuration has no prices. */
  readonly currency: string | undefined
  /** In millionths. Undefined: no price is configured. */
  priceOf(connector: string, check: PaidName): number | undefined
  /** Counts a request before it is sent. @throws CostCapReached */
  charge(tenantId: string, connector: string, check: PaidName): Promise<Charge>
  /** What a tenant may still spend for a check today, in millionths; undefined: no limit. Others may spend it meanwhile. */
  remaining(tenantId: string, check: PaidName): Promise<number | undefined>
  /** What a tenant has spent on a day, by check. */
  spent(tenantId: string, day?: number): Promise<readonly Spent[]>
  /** What a tenant has spent on the last days, today included, and the caps of today. */
  ledger(tenantId: string, days: number): Promise<Ledger>
  /** The sum of charges; undefined when one has no price, or nothing has. */
  sumOf(charges: Iterable<Charge>): Cost | undefined
  /** Deletes counts of days long ago. */
  dropOld(): Promise<void>
}

export interface CostsResources {
  readonly settings: CostSettings | undefined
  readonly database: Database
  readonly clock: Clock
}

const dayMs = 86_400_000
const keptDays = 400
/** The row of the requests to one upstream. */
const partName = (check: PaidName, upstream: string) => `${check}@${upstream}`
const isCheck = (name: string) => name !== total && !name.includes('@')

function partsOf(rows: readonly { day: number; check: string; micros: number; requests: number }[], day: number) {
  return rows
    .flatMap(({ day: of, check: name, micros, requests }) => {
      const [check, ...upstream] = name.split('@')
      if (of !== day || upstream.length === 0 || requests === 0) return []
      return [{ upstream: upstream.join('@'), check: check as PaidName, micros, requests }]
    })
    .toSorted((a, b) => b.micros - a.micros)
}
/** The row of all checks together. */
const total = '*'

export function costs({ settings, database, clock }: CostsResources): Costs {
  const prices = new Map(Object.entries(settings?.prices ?? {}))
  const currency = settings?.currency
  const today = () => Math.floor(clock.now() / dayMs)
  const capOf = (tenantId: string): CostCap => settings?.tenants?.[tenantId] ?? settings?.dailyCap ?? {}

  const priceOf: Costs['priceOf'] = (connector, check) => {
    const own = prices.get(connector)
    return own?.[check] ?? own?.otherwise
  }

  async function spent(tenantId: string, day = today()) {
    return currency === undefined ? [] : telecomCostsOf(database, { tenantId, day, currency })
  }

  return {
    currency,
    priceOf,

    async charge(tenantId, connector, check) {
      const micros = priceOf(connector, check)
      if (currency === undefined || !micros) return { micros, giveBack: async () => {} }
      const { total: most, checks = {} } = capOf(tenantId)
      const key = { tenantId, day: today(), currency }
      const rows = [
        { ...key, check: total, micros, cap: most },
        { ...key, check, micros, cap: checks[check] },
        { ...key, check: partName(check, connector), micros, cap: undefined },
      ]
      try {
        await countTelecomCost(database, rows)
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error
        throw new CostCapReached(`a request of ${micros} millionths would exceed the daily cap of the tenant`)
      }
      return {
        micros,
        giveBack: () => uncountTelecomCost(database, rows),
      }
    },

    async remaining(tenantId, check) {
      const { total: most, checks = {} } = capOf(tenantId)
      const own = checks[check]
      if (most === undefined && own === undefined) return undefined
      const rows = await spent(tenantId)
      const left = (cap: number | undefined, name: string) =>
        cap === undefined ? Number.POSITIVE_INFINITY : cap - (rows.find((row) => row.check === name)?.micros ?? 0)
      return Math.max(0, Math.min(left(most, total), left(own, check)))
    },

    async spent(tenantId, day) {
      return (await spent(tenantId, day)).filter(({ check }) => isCheck(check)) as unknown as Spent[]
    },

    async ledger(tenantId, days) {
      const day = today()
      const rows =
        currency === undefined ? [] : await telecomCostsSince(database, { tenantId, day: day - days + 1, currency })
      const spentToday = (name: string) => rows.find((row) => row.day === day && row.check === name)?.micros ?? 0
      const { total: most, checks = {} } = capOf(tenantId)
      const capped = Object.entries(checks) as [PaidName, number][]
      return {
        today: day,
        caps: [
          ...(most === undefined ? [] : [{ capMicros: most, spentMicros: spentToday(total) }]),
          ...capped.map(([check, capMicros]) => ({ check, capMicros, spentMicros: spentToday(check) })),
        ],
        days: rows
          .filter(({ check, requests }) => check === total && requests > 0)
          .toSorted((a, b) => b.day - a.day)
          .map(({ day, micros, requests }) => ({ day, micros, requests, parts: partsOf(rows, day) })),
      }
    },

    sumOf(charges) {
      if (currency === undefined) return undefined
      let sum = 0
      for (const { micros } of charges) {
        if (micros === undefined) return undefined
        sum += micros
      }
      return { currency, micros: sum }
    },

    async dropOld() {
      await dropTelecomCosts(database, today() - keptDays)
    },
  }
}
