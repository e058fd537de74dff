// /admin/v1/spending: what do the telecom checks of this tenant cost, by upstream and check, and what may it still spend today?

import { type NoFields, type Spending, spendingDays } from '@ringfence/contract'
import type { ActorCall } from '../../call.ts'
import type { AdminNeeds } from '../../room.ts'

export async function adminReadSpending(
  _: NoFields,
  { actor: { tenantId } }: ActorCall,
  { telecom: { costs } }: AdminNeeds,
): Promise<Spending> {
  const { today, caps, days } = await costs.ledger(tenantId, spendingDays)
  return {
    ...(costs.currency !== undefined && { currency: costs.currency }),
    today: dayText(today),
    caps: [...caps],
    days: days.map(({ day, ...spent }) => ({ day: dayText(day), ...spent, parts: [...spent.parts] })),
  }
}

const dayText = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10)
