// POST /v1/reviews/list: the decisions that a person has to look at, and those that were resolved.

import type { ListReviewsRequest, Reviews } from '@ringfence/contract'
import { openCursor, sealCursor } from '../../core/crypto/cursor.ts'
import { uuidBytes } from '../../core/storage/uuid.ts'
import { openDecision } from '../record/record.ts'
import { decidedSince } from '../record/retention.ts'
import type { DecisionsNeeds } from '../room.ts'
import { listReviewed } from '../store/reviews.ts'
import { reviewMember } from './review.ts'

type Resources = Pick<DecisionsNeeds, 'database' | 'tenantKeyring' | 'compression' | 'clock' | 'settings'>

/** Refuses with `fieldInvalid` a cursor of another state or tenant. */
export async function listReviews(
  { state = 'open', limit = 20, cursor }: ListReviewsRequest,
  { caller: { tenantId } }: { readonly caller: { readonly tenantId: string } },
  { database, tenantKeyring, compression, clock, settings }: Resources,
): Promise<Reviews> {
  const keys = await tenantKeyring.keysOf(tenantId)
  const filters = { reviews: state }
  const after = cursor === undefined ? undefined : openCursor(cursor, filters, keys)
  const since = decidedSince(clock.now(), settings)
  const rows = await listReviewed(database, { tenantId, state }, { after, since, limit: limit + 1 })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    reviews: page.map((row) => reviewMember(openDecision(row, keys, compression))),
    ...(rows.length > limit && last && { nextCursor: sealCursor(uuidBytes(last.decisionId), filters, keys) }),
  }
}
