// What happens when time runs out for a decision? Its challenge has expired, or its review is overdue: an event says so, once.

import type { Core } from '../core/core.ts'
import { ConditionFailed } from '../core/storage/database.ts'
import { tenantHash } from '../core/storage/short-keys.ts'
import { listTenants } from '../core/storage/tenants.ts'
import type { Compression } from '../device/store/compression/compression.ts'
import { orderOfDecision } from './events.ts'
import { findRecord } from './read.ts'
import { deadlineOf } from './reviews/deadline.ts'
import { deleteDeadline, dueDeadlines, putOffDeadline } from './store/deadlines.ts'
import { challengeExpiredUpdate, type DecisionKey } from './store/decisions.ts'
import { reviewOverdueUpdate } from './store/reviews.ts'

type Services = Pick<Core, 'database' | 'tenantKeyring' | 'events' | 'clock' | 'settings'> & {
  readonly compression: Compression
}

/** A sign-in that arrived in time may still be stored. */
export const graceMs = 60_000
const slice = 200

/** Ends what is due, every minute. The decision itself says whether it has happened: two servers, or a second fold, write one event. */
export async function endDue(services: Services): Promise<void> {
  const { database, clock } = services
  for (;;) {
    const due = await dueDeadlines(database, clock.now() - graceMs, slice)
    if (due.length === 0) return
    const tenants = new Map((await listTenants(database)).map(({ id }) => [hexOf(tenantHash(id)), id]))
    for (const deadline of due) {
      const tenantId = tenants.get(hexOf(deadline.tenant))
      const end = deadline.kind === 'challenge' ? endChallenge : endReview
      const later =
        tenantId === undefined ? undefined : await end({ tenantId, decisionId: deadline.decisionId }, services)
      await (later === undefined ? deleteDeadline(database, deadline) : putOffDeadline(database, deadline, later))
    }
  }
}

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

async function endChallenge(key: DecisionKey, services: Services): Promise<undefined> {
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

/** @returns when it is due instead, epoch milliseconds: it waits for a challenge, or has more time than before */
async function endReview(key: DecisionKey, services: Services): Promise<number | undefined> {
  const { database, events, clock } = services
  const found = await findRecord(key, services)
  if (found?.row.review !== 'open' || found.row.reviewOverdueAt !== null) return undefined
  const { row, record } = found
  if (record.asked?.state === 'open') return Math.max(record.asked.expiresAt, clock.now())
  const dueAt = (await deadlineOf(database, key.tenantId)).dueAt(row)
  if (dueAt > clock.now() - graceMs) return dueAt
  const { decisionId } = key
  const { userId, phoneNumber, email } = record.input
  const happened = await events.statements(key.tenantId, [
    {
      type: 'decision.review.overdue',
      data: { decisionId, dueAt: new Date(dueAt).toISOString(), rule: record.basis.reviewRule, userId, phoneNumber },
      orderedBy: orderOfDecision(decisionId),
      subjects: { userId, phoneNumber, email: email?.address },
      outcome: 'overdue',
    },
  ])
  try {
    await database.batch([reviewOverdueUpdate(key, clock.now()), ...happened])
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
  }
  return undefined
}
