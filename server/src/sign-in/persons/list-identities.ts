// POST /auth/v1/users/identities: what has this user proved, by all sign-ins that are linked?

import type { UserIdentities, UserIdentitiesRequest } from '@ringfence/contract'
import type { Call } from '../../clients/call.ts'
import { identitiesOf } from './identities.ts'
import { effectiveUserIdOf } from './person.ts'
import type { PersonsNeeds } from './room.ts'

export async function listIdentities(
  { userId }: UserIdentitiesRequest,
  { caller: { tenantId } }: Call,
  needs: PersonsNeeds,
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
