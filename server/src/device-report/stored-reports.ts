// Which reports does a tenant have? Reads all stored ones, for a backtest of rules.

import { storedSince } from '../device/history/retention.ts'
import type { DeviceNeeds } from '../device/room.ts'
import { reportsAfter } from '../device/store/device-analyses.ts'
import { openRecord } from '../device/store/record.ts'
import type { StoredReport } from '../rules/backtests/stored-report.ts'
import { basisOf } from './basis.ts'
import { ruleInputOf } from './rule-input.ts'

const batchSize = 200

/** Not in order of time. A report that is stored or deleted during the read may be included or not. */
export async function* storedReports(
  tenantId: string,
  {
    compression,
    database,
    tenantKeyring,
    clock,
    settings,
  }: Pick<DeviceNeeds, 'compression' | 'database' | 'tenantKeyring' | 'clock' | 'settings'>,
): AsyncGenerator<StoredReport> {
  const keys = await tenantKeyring.keysOf(tenantId)
  let after = ''
  while (true) {
    const since = storedSince(clock.now(), settings)
    const some = await reportsAfter(database, { tenantId, dfrId: after }, { since, limit: batchSize })
    for (const row of some) {
      const { analysis, report } = openRecord(row, keys, compression)
      if (!report) continue
      const { requestId, evidence } = analysis
      yield { requestId, dfrId: row.dfrId, at: evidence.now, input: ruleInputOf(analysis, basisOf(report)) }
    }
    const last = some.at(-1)
    if (!last || some.length < batchSize) return
    after = last.dfrId
  }
}
