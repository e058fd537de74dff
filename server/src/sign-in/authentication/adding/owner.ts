// Whose are the identities that a sign-in with `linkTo` proved? Its user's, unless another user has one of them.

import { effectiveUserIdIn, personIn } from '../../../accounts/person.ts'
import type { TenantKeys } from '../../../core/crypto/keyring.ts'
import { Refusal } from '../../../core/errors.ts'
import type { Queryable } from '../../../core/storage/database.ts'
import { customerIn } from '../../customers/customers.ts'
import type { IdentityName } from '../../identity-hash.ts'

export interface Proved {
  readonly tenantId: string
  readonly personId: string
  readonly identities: readonly IdentityName[]
  /** Who has each of them; null: nobody. */
  readonly owners: readonly (string | null)[]
}

/**
 * The user who signs in: that of the token, or another one who is linked to the same id and has the identity already. Refuses with
 * `identityTaken`, and with `linkToRefused` when the user was erased.
 */
export async function ownerOfProved(
  tx: Queryable,
  { tenantId, personId, identities, owners }: Proved,
  keys: TenantKeys,
): Promise<string> {
  const person = await personIn(tx, { tenantId, personId }, keys)
  if (!person)
    throw new Refusal('linkToRefused', { mistake: 'is of a user who was erased; let the user sign in again' })
  const others = owners.filter((owner) => owner !== null && owner !== personId)
  for (const other of others) {
    const has = await personIn(tx, { tenantId, personId: other! }, keys)
    if (person.customerId === undefined || has?.customerId !== person.customerId) throw new Refusal('identityTaken')
  }
  const free = identities.filter((_, i) => owners[i] === null)
  const imported = await customerIn(tx, { tenantId, identities: free }, keys)
  if (imported === undefined) return others[0] ?? personId
  // Whoever is not linked would bring along what only they have, such as an address of their own after a SIM swap.
  const customerId = await effectiveUserIdIn(tx, { tenantId, userId: imported }, keys)
  if (customerId !== person.customerId) throw new Refusal('identityTaken')
  return others[0] ?? personId
}
