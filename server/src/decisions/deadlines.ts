// What happens when time runs out for a decision? Its challenge has expired: an event says so, once. Looked for every minute.

import type { Core } from '../core/core.ts'
import { ConditionFailed } from '../core/storage/database.ts'
import { tenantHash } from '../core/storage/short-keys.ts'
import { listTenants } from '../core/storage/tenants.ts'
import type { Compression } from '../device/store/compression/compression.ts'
import { orderOfDecision } from './events.ts'
import { findRecord } from './read.ts'
import { deleteDeadline, dueDeadlines } from './store/deadlines.ts'
import { challengeExpiredUpdate, type DecisionKey } from './store/decisions.ts'

type Services = Pick<Core, 'database' | 'tenantKeyring' | 'events' | 'clock' | 'settings'> & {
  readonly compression: Compression
}

/** A sign-in that arrived in time may still be stored. */
export const graceMs = 60_000
const slice = 200

/** Ends what is due. The decision itself says whether it has happened: two servers, or a second fold, write one event. */
export async function endDue(services: Services): Promise<void> {
  const { database, clock } = services
  for (;;) {
    const due = await dueDeadlines(database, clock.now() - graceMs, slice)
    if (due.length === 0) return
    const tenants = new Map((await listTenants(database)).map(({ id }) => [hexOf(tenantHash(id)), id]))
    for (const deadline of due) {
      const tenantId = tenants.get(hexOf(deadline.tenant))
      if (tenantId !== undefined) await endChallenge({ tenantId, decisionId: deadline.decisionId }, services)
      await deleteDeadline(database, deadline)
    }
  }
}

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

async function endChallenge(key: DecisionKey, services: Services): Promise<void> {
  const { database, events, clock } = services
  const found = await findRecord(key, services)
  if (!found || found.row.challengePassedAt !== null || found.row.challengeExpiredAt !== null) return
  if (found.record.asked && found.record.review?.state !== 'open') return
  const { decisionId } = key
  const { userId } = found.record.input
  const happened = await events.statements(key.tenantId, [
    {
      type: 'decision.challenge.expired',
      data: { decisionId, userId },
      orderedBy: orderOfDecision(decisionId),
      subjects: { userId },
      outcome: 'expired',
    },
  ])
  try {
    await database.batch([challengeExpiredUpdate(key, clock.now()), ...happened])
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
  }
}
