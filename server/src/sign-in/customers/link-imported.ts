// Which customer is this who signs in? An imported number or email address that the person has proved says it.

import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { Queryable } from '../../core/storage/database.ts'
import type { IdentityName } from '../identity-hash.ts'
import { linkStatements, personIn } from '../persons/person.ts'
import { customerIn } from './customers.ts'

export interface SignedInPerson {
  readonly tenantId: string
  readonly personId: string
  /** Those that are verified, and that no other user has. */
  readonly identities: readonly IdentityName[]
}

/** Links a user without a link to the customer with these identities, if exactly one has them. In the transaction that stores them. */
export async function linkImported(
  tx: Queryable,
  { tenantId, personId, identities }: SignedInPerson,
  keys: TenantKeys,
): Promise<void> {
  const customerId = await customerIn(tx, { tenantId, identities }, keys)
  if (customerId === undefined) return
  const person = await personIn(tx, { tenantId, personId }, keys)
  if (!person || person.customerId !== undefined) return
  const resources = { database: tx, tenantKeyring: { keysOf: async () => keys } }
  for (const { sql, params } of await linkStatements({ tenantId, personId, customerId }, resources))
    await tx.query(sql, params)
}
