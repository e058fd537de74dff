// Which decisions does a tenant have? Reads all stored ones in the order of their time, for a backtest of rules.

import type { Platform } from '../platform.ts'
import type { StoredReport } from '../rules/stored-report.ts'
import { decisionsAfter } from '../storage/decisions/decisions.ts'
import { openInput } from './record.ts'
import { decidedSince } from './retention.ts'

const batchSize = 200
const beforeAll = '00000000-0000-0000-0000-000000000000'

/** A decision that is made during the read may be included or not. */
export async function* storedDecisions(
  tenantId: string,
  {
    compression,
    database,
    tenantKeyring,
    clock,
    settings,
  }: Pick<Platform, 'compression' | 'database' | 'tenantKeyring' | 'clock' | 'settings'>,
): AsyncGenerator<StoredReport & { decisionId: string; at: number }> {
  const keys = await tenantKeyring.keysOf(tenantId)
  const since = decidedSince(clock.now(), settings)
  let after = beforeAll
  while (true) {
    const some = await decisionsAfter(database, { tenantId, decisionId: after }, { since, limit: batchSize })
    for (const row of some) {
      yield { decisionId: row.decisionId, at: row.decidedAt, input: openInput(row, keys, compression) }
    }
    const last = some.at(-1)
    if (!last || some.length < batchSize) return
    after = last.decisionId
  }
}
