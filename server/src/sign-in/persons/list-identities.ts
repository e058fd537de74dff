// POST /auth/v1/users/identities: what has this user proved, by all sign-ins that are linked?

import type { UserIdentities, UserIdentitiesRequest } from '@ringfence/contract'
import { effectiveUserIdOf } from '../../accounts/person.ts'
import { identitiesOf } from './identities.ts'
import type { BackendCall, PersonsNeeds } from './room.ts'

export async function listIdentities(
  { userId }: UserIdentitiesRequest,
  { caller: { tenantId } }: BackendCall,
  needs: Pick<PersonsNeeds, 'database' | 'tenantKeyring'>,
): Promise<UserIdentities> {
  const [effective, identities] = await Promise.all([
    effectiveUserIdOf(tenantId, userId, needs),
    identitiesOf(tenantId, userId, needs),
  ])
  return {
    userId: effective,
    identities: identities.map(({ verifiedAt, addedAt, ...identity }) => ({
      ...identity,
      verifiedAt: iso(verifiedAt),
      ...(addedAt !== undefined && { addedAt: iso(addedAt) }),
    })),
  }
}

const iso = (at: number) => new Date(at).toISOString()
