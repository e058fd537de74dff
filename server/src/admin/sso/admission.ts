// May somebody act in a tenant with the way in which they signed in? The tenant may want its identity provider for everybody but owners.

import { Refusal } from '../../core/errors.ts'
import type { Queryable } from '../../core/storage/database.ts'
import type { Person } from '../people/person.ts'
import { findSso } from '../store/single-sign-on.ts'

/** Looked at in each call, so that what an owner changes holds at once. Refuses with `ssoRequired` and `notSignedIn`. */
export async function refuseOtherSignIn(
  database: Queryable,
  { sso }: Pick<Person, 'sso'>,
  { tenantId, role }: { readonly tenantId: string; readonly role: string },
): Promise<void> {
  // An owner gets in when the identity provider fails. Nobody becomes one through it.
  if (!sso && role === 'owner') return
  const connection = await findSso(database, tenantId)
  const isOn = connection?.enabled === 1
  if (sso && !(isOn && connection.issuer === sso.issuer && tenantId === sso.tenantId)) throw new Refusal('notSignedIn')
  if (!sso && isOn && connection.passwords === 'ownersOnly') throw new Refusal('ssoRequired')
}
