// POST /auth/v1/users/unlink: a sign-in, or one identity, is not that of this user.

import type { UnlinkedUser, UnlinkUserRequest, UserIdentityName } from '@ringfence/contract'
import { customerHashOf, effectiveUserIdIn, personsIn } from '../../accounts/person.ts'
import { personUnlink } from '../../accounts/store/persons.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { Refusal } from '../../core/errors.ts'
import type { Queryable } from '../../core/storage/database.ts'
import { readEmailAddress } from '../../email/email-address.ts'
import { writeEvents } from '../../events/events.ts'
import { readPhoneNumber } from '../../phone/read-number.ts'
import { dropContacts } from '../customers/change-contacts.ts'
import { hashOfIdentity } from '../identity-hash.ts'
import { deleteIdentity, identitiesOfUser, usersOfIdentities } from '../store/users.ts'
import { unlinked } from './person-events.ts'
import type { BackendCall, PersonsNeeds } from './room.ts'

/** Refuses with `fieldInvalid` and `userIdentityUnknown`. */
export async function unlinkUser(
  { userId: named, identity, personId }: UnlinkUserRequest,
  { caller: { tenantId }, requestId }: BackendCall,
  { database, tenantKeyring, events }: Pick<PersonsNeeds, 'database' | 'tenantKeyring' | 'events'>,
): Promise<UnlinkedUser> {
  if ((identity === undefined) === (personId === undefined))
    throw new Refusal('fieldInvalid', { mistake: 'either identity or personId must be sent, and not both' })
  const keys = await tenantKeyring.keysOf(tenantId)
  const record = await events.recorder(tenantId)
  return database.transaction(async (tx) => {
    const userId = await effectiveUserIdIn(tx, { tenantId, userId: named }, keys)
    const of = { tenantId, userId }
    const from = identity ? await removedFrom(tx, of, identity, keys) : await unlinkedIn(tx, of, personId!, keys)
    if (from === undefined) throw new Refusal('userIdentityUnknown')
    const data = { userId, personId: from, ...(identity && { identity }) }
    await writeEvents(tx, record([unlinked(data, requestId)]))
    return { status: 'SUCCESS', userId, personId: from }
  })
}

interface OfUser {
  readonly tenantId: string
  readonly userId: string
}

/** Undefined when the user who signed in is not linked to this id. */
async function unlinkedIn(tx: Queryable, { tenantId, userId }: OfUser, personId: string, keys: TenantKeys) {
  const identities = await identitiesOfUser(tx, tenantId, personId)
  const { sql, params } = personUnlink({ tenantId, personId, customerHash: customerHashOf(userId, keys) })
  if ((await tx.query(sql, params)).length === 0) return undefined
  await dropContacts(tx, { tenantId, customerId: userId, identityHashes: hashesOf(identities) }, keys)
  return personId
}

/** An identity that is all that a user signed in with goes with the user; of several, it becomes nobody's. */
async function removedFrom(
  tx: Queryable,
  of: OfUser,
  { type, value }: UserIdentityName,
  keys: TenantKeys,
): Promise<string | undefined> {
  const { tenantId } = of
  const hash = hashOfIdentity(keys, { identityType: type, identityValue: canonical(type, value) })
  const [owner] = await usersOfIdentities(tx, tenantId, [hash])
  if (!owner || !(await personsIn(tx, of, keys)).includes(owner)) return undefined
  const isSame = (other: Uint8Array | null) => other !== null && Buffer.compare(other, hash) === 0
  const all = await identitiesOfUser(tx, tenantId, owner)
  // What an account at an identity provider vouched for leads back to the same user.
  const gone = all.filter(({ identityHash, vouchedBy }) => isSame(identityHash) || isSame(vouchedBy))
  if (gone.length === all.length) return unlinkedIn(tx, of, owner, keys)
  for (const { identityHash } of gone) await deleteIdentity(tx, tenantId, identityHash)
  await dropContacts(tx, { tenantId, customerId: of.userId, identityHashes: hashesOf(gone) }, keys)
  return owner
}

const hashesOf = (identities: readonly { readonly identityHash: Uint8Array }[]) =>
  identities.map(({ identityHash }) => identityHash)

/** As it is stored, however it was written. */
function canonical(type: UserIdentityName['type'], value: string): string {
  if (type === 'EMAIL') return readEmailAddress(value).address ?? value
  if (type === 'SUBJECT') return value
  const number = readPhoneNumber(value, 'identity.value')
  return typeof number === 'string' ? value : number.digits
}
