// Which reports does a tenant have? All that are kept, for rules that are tried over them.

import type { Platform } from '../../platform.ts'
import type { StoredReport } from '../../rules/stored-report.ts'
import { reportsAfter } from '../../storage/device-analyses.ts'
import { keptSince } from '../history/retention.ts'
import { ruleInputOf } from '../report/rule-input.ts'
import { openKept } from './record.ts'

const atOnce = 200

/** In no order of time. Reports that come or go meanwhile may be among them or not. */
export async function* keptReports(
  tenantId: string,
  {
    compression,
    database,
    tenantKeyring,
    clock,
    settings,
  }: Pick<Platform, 'compression' | 'database' | 'tenantKeyring' | 'clock' | 'settings'>,
): AsyncGenerator<StoredReport> {
  const keys = await tenantKeyring.keysOf(tenantId)
  let after = ''
  while (true) {
    const since = keptSince(clock.now(), settings)
    const some = await reportsAfter(database, { tenantId, dfrId: after }, { since, limit: atOnce })
    for (const row of some) {
      const { analysis, report } = openKept(row, keys, compression)
      if (!report) continue
      const { requestId, evidence } = analysis
      yield { requestId, dfrId: row.dfrId, at: evidence.now, input: ruleInputOf(analysis, report.basis) }
    }
    const last = some.at(-1)
    if (!last || some.length < atOnce) return
    after = last.dfrId
  }
}
