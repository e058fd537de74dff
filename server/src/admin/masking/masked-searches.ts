// For how many values may a role search that it sees masked? A few a day: with many, somebody finds the hidden digits by trying.

import { type AdminEndpoint, type PersonalKind, personalFields } from '@ringfence/contract'
import type { ActorCall } from '../../call.ts'
import { Refusal } from '../../errors.ts'
import type { Platform } from '../../platform.ts'
import { addToCount } from '../../storage/message-counts.ts'
import { actionOf } from '../audit/audited-call.ts'
import { maskedText } from './mask-value.ts'

const dayMs = 86_400_000

/** What `value` of a list looks up is personal, whatever its form. */
const searchedFields: Readonly<Record<string, PersonalKind>> = { ...personalFields, value: 'text' }

/** The values in a search that its answers would show masked. A user id counts where it has the form of a number or an email address. */
export const personalValuesIn = (body: object): string[] =>
  Object.entries(body).flatMap(([field, value]) =>
    typeof value === 'string' && (searchedFields[field] !== undefined || maskedText(value) !== value) ? [value] : [],
  )

/**
 * Counts the values of a search that the caller has not searched for today (UTC), over all servers, and writes an audit line for each
 * search with a new one. Refuses with `searchesUsedUp`.
 */
export async function countMaskedSearch(
  definition: AdminEndpoint,
  body: object,
  { actor, requestId, address }: ActorCall,
  platform: Platform,
): Promise<void> {
  const values = personalValuesIn(body)
  if (values.length === 0) return
  const { database, tenantKeyring, clock, settings, audit } = platform
  const { tenantId } = actor
  const keys = await tenantKeyring.keysOf(tenantId)
  const now = clock.now()
  const periodStart = now - (now % dayMs)
  const add = (subject: string, by: 1 | -1 = 1) =>
    addToCount(database, { tenantId, subjectHash: keys.hash(subject), periodStart }, periodStart + dayMs, by)
  const fresh: string[] = []
  for (const value of values) {
    const subject = `masked search ${actor.id} ${value}`
    if ((await add(subject)) > 1) continue
    const limit = settings.maskedSearchesPerDay
    if ((await add(`masked searches ${actor.id}`)) > limit) {
      await Promise.all([add(subject, -1), add(`masked searches ${actor.id}`, -1)])
      const retryAfterSeconds = Math.ceil((periodStart + dayMs - now) / 1000)
      throw new Refusal('searchesUsedUp', { mistake: String(limit), retryAfterSeconds })
    }
    fresh.push(value)
  }
  if (fresh.length === 0) return
  const { name, role } = actor
  const details = { name, role, requestId, ...(address !== undefined && { ipAddress: address }), sent: body }
  const append = await audit.line({ tenantId, actor: actor.id, action: actionOf(definition), details })
  await database.transaction(append)
}
