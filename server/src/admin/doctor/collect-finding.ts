// Do apps switch off every id of a phone for versions of its system?

import { listApps } from '../../apps/stored-apps.ts'
import type { Database } from '../../core/storage/database.ts'
import { systemsWithoutId } from '../../device/analysis/owed-switches.ts'
import { type Finding, warning } from './finding.ts'

/**
 * Undefined where none does. A phone owes its last id all the same: whoever claims such a version would have no history. `subject` says
 * whose apps they are, where there are several tenants.
 */
export async function collectFinding(
  database: Database,
  tenantId: string,
  subject = 'facts',
): Promise<Finding | undefined> {
  const apps = (await listApps(database, tenantId)).filter(({ disabledAt }) => disabledAt === null)
  const found = apps.flatMap((app) => {
    const systems = systemsWithoutId(app)
    return systems.length > 0 ? [`${app.name} (${systems.join(', ')})`] : []
  })
  if (found.length === 0) return undefined
  const text = `collect leaves no id of the phone, so that its reports are incomplete: ${found.join(', ')}`
  return warning(subject, text, 'leave one of them on: keychainId or vendorId, drmId or androidId')
}
