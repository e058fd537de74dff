// How long are events stored? EVENT_DAYS; the log of deliveries a week.

import type { Core } from '../core/core.ts'
import { lowestIdAt } from '../core/storage/ids/event-id.ts'
import { listTenants } from '../core/storage/tenants.ts'
import { dropAttemptsBefore, nextReceiverWithAttempts } from './store/attempts.ts'
import { dropEventDaysBefore, makeEventDays } from './store/days.ts'
import {
  dropDeliveriesDueBefore,
  dropDeliveriesOf,
  dropStreamDeliveriesBefore,
  nextReceiverWaiting,
} from './store/deliveries.ts'
import { dropEventsBefore } from './store/events.ts'
import { findReceiver } from './store/receivers.ts'
import { isStream } from './streams/stream-id.ts'
import { isWebhook } from './webhooks/webhook.ts'

const dayMs = 86_400_000
const logDays = 7
/** Rows per statement, so that other writes do not wait long. */
const slice = 500

/** On PostgreSQL: the tables of the next days, and none of days that have expired. */
export async function keepEventDays({ database, clock, settings }: Pick<Core, 'database' | 'clock' | 'settings'>) {
  // From tomorrow: what of today has no table by now stays without one.
  await makeEventDays(database, clock.now() + dayMs, settings.eventDays)
  await dropEventDaysBefore(database, clock.now() - settings.eventDays * dayMs)
}

/** Deletes expired events, deliveries that waited as long, and old attempts, in slices. */
export async function dropExpiredEvents({
  database,
  clock,
  settings,
}: Pick<Core, 'database' | 'clock' | 'settings'>): Promise<void> {
  const now = clock.now()
  const since = now - settings.eventDays * dayMs
  for (const { id } of await listTenants(database)) {
    while ((await dropEventsBefore(database, id, lowestIdAt(since), slice)) >= slice);
  }
  for (
    let next = await nextReceiverWaiting(database, '');
    next;
    next = await nextReceiverWaiting(database, next.receiverId)
  ) {
    const { receiverId: id, tenantId } = next
    // Another server may have written some just after the webhook was removed.
    const isRemoved = isWebhook(id) && !(await findReceiver(database, tenantId, id))
    if (isRemoved) while ((await dropDeliveriesOf(database, id, slice)) >= slice);
    else if (isStream(id)) while ((await dropStreamDeliveriesBefore(database, id, since, slice)) >= slice);
    else while ((await dropDeliveriesDueBefore(database, id, since, slice)) >= slice);
  }
  for (let id = await nextReceiverWithAttempts(database, ''); id !== undefined; ) {
    while ((await dropAttemptsBefore(database, id, now - logDays * dayMs, slice)) >= slice);
    id = await nextReceiverWithAttempts(database, id)
  }
}
