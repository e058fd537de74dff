// Which verified identities does a person have? Those of all users that are linked to the same id.

import { type PersonResources, personsOf } from '../../accounts/person.ts'
import { openIdentity } from '../authentication/users.ts'
import { identitiesOfUser } from '../store/users.ts'

export interface PersonIdentity {
  /** MOBILE, EMAIL, or SUBJECT: an account at an identity provider. */
  readonly type: 'MOBILE' | 'EMAIL' | 'SUBJECT'
  readonly value: string
  /** The minted id of the user who has it. */
  readonly personId: string
  /** Epoch milliseconds, as the next one. */
  readonly verifiedAt: number
  /** When the person added it to an earlier sign-in (`linkTo`). Absent: it came with a sign-in. */
  readonly addedAt?: number
}

/** `userId`: of the integrator, or minted. */
export async function identitiesOf(
  tenantId: string,
  userId: string,
  resources: PersonResources,
): Promise<PersonIdentity[]> {
  const keys = await resources.tenantKeyring.keysOf(tenantId)
  const found: PersonIdentity[] = []
  for (const personId of await personsOf(tenantId, userId, resources)) {
    for (const { verifiedAt, addedAt, ...row } of await identitiesOfUser(resources.database, tenantId, personId)) {
      const { identityType: type, identityValue: value } = openIdentity(row, keys)
      // Only sign-ins store identities, and none of another type is verified.
      found.push({
        type: type as PersonIdentity['type'],
        value,
        personId,
        verifiedAt,
        ...(addedAt !== null && { addedAt }),
      })
    }
  }
  return found
}
