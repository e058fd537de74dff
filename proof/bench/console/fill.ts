// Fills a store as a shop would within a month of a million decisions.

import { recountActivity } from '../../../server/src/admin/overview/count-activity.ts'
import { readConfig } from '../../../server/src/core/config/config.ts'
import type { Core } from '../../../server/src/core/core.ts'
import { logTo } from '../../../server/src/core/telemetry/log.ts'
import { decisionBeforeNewest } from '../../../server/src/decisions/store/decisions.ts'
import { listReviewed } from '../../../server/src/decisions/store/reviews.ts'
import { startService } from '../../../server/src/main.ts'
import { addCopies } from './copies.ts'
import { playMonth } from './demo-month.ts'
import type { Subjects } from './population.ts'
import { addSetting, type Counts } from './setting.ts'
import { templatesOf } from './templates.ts'

/** Without a URL it is the embedded store. */
export interface FilledStore {
  readonly dataFolder: string
  readonly databaseUrl?: string
}

export interface Filled {
  readonly tenantId: string
  /** Who has tens of thousands of decisions. */
  readonly busiest: Subjects
  readonly webhookId: string
  /** Of a backend. */
  readonly credentials: Readonly<Record<string, string>>
  /** Ids of the last decision, of one in the middle, and of the first. */
  readonly decisionIds: readonly string[]
  readonly dfrId: string
  /** Id of a reviewed decision, an open one if there is one; undefined when the month has none. */
  readonly reviewId: string | undefined
}

export const masterKey = Buffer.alloc(32, 1).toString('base64')

export async function fill(store: FilledStore, decisions: number, counts: Counts): Promise<Filled> {
  const config = readConfig({ options: { ...store, masterKey, port: 0, drainMs: 0 } })
  const service = await startService({ config, log: logTo(2).child({}, { level: 'error' }) })
  const { parts: needs } = service
  const { database, compression, tenantKeyring } = needs
  try {
    const tenantId = await playMonth(needs)
    const keys = await tenantKeyring.keysOf(tenantId)
    const templates = await templatesOf({ database, compression, tenantId, keys })
    const now = Date.now()
    await addCopies(decisions, templates, { database, compression, tenantId, keys, until: now - 60_000 })
    // Users, devices and numbers are made of the events.
    await recountActivity(tenantId, needs)
    const webhookId = await addSetting(counts, { needs, tenantId, keys, now })
    const credentials = { ...(await needs.clients.createClient(tenantId, 'bench')) }
    const examples = await examplesOf(needs, tenantId, decisions)
    return { tenantId, busiest: templates.busiest, webhookId, credentials, ...examples }
  } finally {
    await service.stop()
  }
}

/** The first decision, one in the middle and the last; the last report. */
async function examplesOf(
  { database }: Pick<Core, 'database'>,
  tenantId: string,
  decisions: number,
): Promise<Pick<Filled, 'decisionIds' | 'dfrId' | 'reviewId'>> {
  const [first = '', middle = '', last = ''] = await Promise.all(
    [decisions - 1, Math.floor(decisions / 2), 0].map((newer) => decisionBeforeNewest(database, tenantId, newer)),
  )
  const [report] = await database.query<{ id: Uint8Array }>(
    'select dfr_id as "id" from device_analysis where sealed is not null order by analysed_at desc limit 1',
  )
  const page = { after: undefined, since: 0, limit: 1 }
  const reviews = await Promise.all(
    (['open', 'approved', 'blocked'] as const).map((state) => listReviewed(database, { tenantId, state }, page)),
  )
  const dfrId = Buffer.from(report!.id).toString('hex')
  return { decisionIds: [first, middle, last], dfrId, reviewId: reviews.flat()[0]?.decisionId }
}
