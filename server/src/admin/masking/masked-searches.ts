// For how many values may a role search, or try in a change, that it sees masked? A few a day: with many, somebody finds the hidden digits by trying.

import { type AdminEndpoint, type PersonalKind, personalFields } from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'
import { addToCounts, type CountKey, readCounts } from '../../core/storage/message-counts.ts'
import { actionOf, shortened } from '../audit/audited-call.ts'
import type { ActorCall } from '../call.ts'
import type { AdminNeeds } from '../room.ts'
import { maskedText } from './mask-value.ts'

const dayMs = 86_400_000

/** What a list looks up, gets or loses is personal, whatever its form. */
const searchedFields: Readonly<Record<string, PersonalKind>> = {
  ...personalFields,
  value: 'text',
  values: 'text',
  lines: 'text',
}

/** What people write, and rules: nothing is looked up by it. */
const writtenFields = new Set(['note', 'comment', 'reason', 'description', 'name', 'text', 'rules', 'velocity'])

/** The values by which a call finds something that its role sees masked. A user id counts where it has the form of a number or an address. */
const personalValuesIn = (body: object): string[] => [...new Set(valuesIn(body))]

/** What is inside a field that is personal, such as `params`, is personal too: rules may look it up in a list. */
function valuesIn(value: unknown, field = '', isInside = false): string[] {
  if (!isInside && writtenFields.has(field)) return []
  const isSearched = isInside || searchedFields[field] !== undefined
  if (Array.isArray(value)) return value.flatMap((item) => valuesIn(item, field, isInside))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, part]) => valuesIn(part, name, isSearched))
  if (typeof value === 'number' && isInside) return [String(value)]
  if (typeof value !== 'string') return []
  // Each line of a file is a value.
  if (field === 'lines') return value.split(/[\r\n]+/).filter((line) => line !== '')
  return isSearched || maskedText(value) !== value ? [value] : []
}

/**
 * Counts the values that the caller has not searched for today (UTC), over all servers, also those of a change: its answer says whether
 * they were there. Writes an audit line for each search with a new one; a change has its own. Refuses with `searchesUsedUp`.
 */
export async function countMaskedSearch(
  definition: AdminEndpoint,
  body: object,
  { actor, requestId, address }: ActorCall,
  needs: AdminNeeds,
): Promise<void> {
  const values = personalValuesIn(body)
  if (values.length === 0) return
  const {
    database,
    tenantKeyring,
    clock,
    settings,
    admin: { audit },
  } = needs
  const { tenantId } = actor
  const keys = await tenantKeyring.keysOf(tenantId)
  const now = clock.now()
  const periodStart = now - (now % dayMs)
  const periodEnd = periodStart + dayMs
  const keyOf = (subject: string) => ({ tenantId, subjectHash: keys.hash(subject), periodStart, periodEnd })
  const fresh: CountKey[] = []
  for (const value of values) {
    const key = keyOf(`masked search ${actor.id} ${value}`)
    if ((await readCounts(database, [key]))[0] === 0) fresh.push(key)
  }
  if (fresh.length === 0) return
  const allKey = keyOf(`masked searches ${actor.id}`)
  const limit = settings.maskedSearchesPerDay
  // All or none: a value that was counted for a moment would be free for a search at the same time.
  await database.transaction(async (tx) => {
    for (const key of fresh) {
      if ((await addToCounts(tx, [key], 1))[0]! > 1) continue
      if ((await addToCounts(tx, [allKey], 1))[0]! <= limit) continue
      const retryAfterSeconds = Math.ceil((periodEnd - now) / 1000)
      throw new Refusal('searchesUsedUp', { mistake: String(limit), retryAfterSeconds })
    }
  })
  if (definition.effect === 'write') return
  const { name, role } = actor
  const details = { name, role, requestId, ...(address !== undefined && { ipAddress: address }), sent: shortened(body) }
  const append = await audit.line({ tenantId, actor: actor.id, action: actionOf(definition), details })
  await database.transaction(append)
}
