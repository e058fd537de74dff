// GET /admin/v1/me: who calls, for which tenant, and what they may do.

import type { Me, NoFields } from '@ringfence/contract'
import { findTenant } from '../../core/storage/tenants.ts'
import type { Actor } from '../actor.ts'
import type { ActorCall } from '../call.ts'
import { openPerson } from '../people/person.ts'
import { idleMinutes } from '../people/sessions.ts'
import type { AdminNeeds } from '../room.ts'
import { findPerson, rolesOfPerson } from '../store/people.ts'
import { isoTime } from './iso-time.ts'

export const adminMe = (_: NoFields, { actor }: ActorCall, needs: AdminNeeds): Promise<Me> => meOf(actor, needs)

export async function meOf(actor: Actor, { database, keyring }: Pick<AdminNeeds, 'database' | 'keyring'>): Promise<Me> {
  const { id, tenantId, role, permissions, session } = actor
  const tenant = { tenantId, name: (await findTenant(database, tenantId))!.name }
  const known = { tenant, role, permissions: [...permissions] }
  if (!session) return { clientId: id.slice('client:'.length), ...known, tenants: [{ ...tenant, role }] }

  const { sessionId, personId, csrfToken, startedAt, endsAt, singleSignOn } = session
  const { name, email } = openPerson((await findPerson(database, personId))!, keyring)
  const roles = await rolesOfPerson(database, personId)
  return {
    person: { personId, name, email, ...(singleSignOn !== undefined && { singleSignOn }) },
    ...known,
    tenants: roles.map((each) => ({ tenantId: each.tenantId, name: each.tenantName, role: each.role })),
    session: { sessionId, csrfToken, startedAt: isoTime(startedAt), endsAt: isoTime(endsAt), idleMinutes },
  }
}
