// Which reports does a tenant have? All that are kept, for rules that are tried over them.

import type { Platform } from '../../platform.ts'
import type { StoredReport } from '../../rules/stored-report.ts'
import { reportsAfter } from '../../storage/device-analyses.ts'
import type { ReportGrounds } from './make.ts'
import { openReport } from './sealed.ts'

const atOnce = 200

/** In no order of time. Reports that come or go meanwhile may be among them or not. */
export async function* keptReports(
  tenantId: string,
  { database, tenantKeyring, clock }: Pick<Platform, 'database' | 'tenantKeyring' | 'clock'>,
): AsyncGenerator<StoredReport> {
  const keys = await tenantKeyring.keysOf(tenantId)
  let after = ''
  while (true) {
    const some = await reportsAfter(database, tenantId, after, { now: clock.now(), limit: atOnce })
    for (const report of some) {
      const { requestId, dfrId, pushedAt } = report
      const { input }: ReportGrounds = JSON.parse(openReport(report, keys).grounds.text)
      yield { requestId, dfrId, at: pushedAt, input }
    }
    const last = some.at(-1)
    if (!last || some.length < atOnce) return
    after = last.dfrId
  }
}
