// Which customer is this who signs in? An imported number or email address that the person has proved says it.

import type { EventData } from '@ringfence/contract'
import { moveAccountIn } from '../../accounts/move.ts'
import { effectiveUserIdIn, linksIn, mostPersons, type Person, personsIn } from '../../accounts/person.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { Queryable } from '../../core/storage/database.ts'
import type { IdentityName } from '../identity-hash.ts'
import { customerIn } from './customers.ts'

export interface SignedInPerson {
  readonly tenantId: string
  /** As they are in this transaction. */
  readonly person: Person
  /** Those that are verified, and that no other user has. */
  readonly identities: readonly IdentityName[]
}

/**
 * Links a user without a link to the customer with these identities, if exactly one has them. In the transaction that stores them.
 * @returns the event
 */
export async function linkImported(
  tx: Queryable,
  { tenantId, person: { personId, customerId: linkedTo }, identities }: SignedInPerson,
  keys: TenantKeys,
): Promise<EventData<'user.linked'> | undefined> {
  if (linkedTo !== undefined) return undefined
  const imported = await customerIn(tx, { tenantId, identities }, keys)
  if (imported === undefined) return undefined
  const customerId = await effectiveUserIdIn(tx, { tenantId, userId: imported }, keys)
  const others = await personsIn(tx, { tenantId, userId: customerId }, keys)
  // Who is linked to the minted id of this user belongs to this user, not to a customer.
  if (customerId === personId || others.length >= mostPersons) return undefined
  for (const { sql, params } of await linksIn(tx, { tenantId, personId, customerId }, keys)) await tx.query(sql, params)
  await moveAccountIn(tx, { tenantId, from: personId, to: customerId }, keys)
  return { userId: customerId, personId, by: 'IMPORT' }
}
