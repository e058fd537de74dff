// Under which id does the integrator know who signed in? `userId` of a backend is its own id, or the minted one of a user without a link.

import type { Core } from '../../core/core.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { BatchStatement, Queryable } from '../../core/storage/database.ts'
import { findPerson, type Link, type PersonRow, personLink, personRelink, personsOfCustomer } from '../store/persons.ts'

/** A user who signed in here. Several with the same `customerId` are one person with several identities. */
export interface Person {
  /** Minted at the first sign-in. Pages and ID tokens have it; it never changes. */
  readonly personId: string
  /** The integrator's id, once it is linked. */
  readonly customerId?: string
}

/** In a transaction, `database` is the transaction. */
export interface PersonResources {
  readonly database: Queryable
  readonly tenantKeyring: Pick<Core['tenantKeyring'], 'keysOf'>
}

/** More users of one id are not read: the last to sign in count. */
export const mostPersons = 50

/** The id that backends, decisions, events, habits and trusted devices know. */
export const effectiveUserId = ({ personId, customerId }: Person): string => customerId ?? personId

/** One read by primary key. Undefined when nobody with this minted id has signed in, or the user was erased. */
export async function personOf(
  tenantId: string,
  personId: string,
  { database, tenantKeyring }: PersonResources,
): Promise<Person | undefined> {
  const keys = await tenantKeyring.keysOf(tenantId)
  return personIn(database, { tenantId, personId }, keys)
}

/** The same where the keys are known, such as inside a transaction. */
export async function personIn(
  database: Queryable,
  { tenantId, personId }: { tenantId: string; personId: string },
  keys: TenantKeys,
): Promise<Person | undefined> {
  const row = isStorable(personId) ? await findPerson(database, tenantId, personId) : undefined
  return row && opened(row, keys)
}

/** The id under which everything about this user is stored: a minted id that is linked is the integrator's. */
export async function effectiveUserIdOf(tenantId: string, userId: string, resources: PersonResources): Promise<string> {
  return effectiveUserId((await personOf(tenantId, userId, resources)) ?? { personId: userId })
}

/** The minted ids of all users that are this person; empty for somebody who never signed in here. `userId`: of the integrator, or minted. */
export async function personsOf(
  tenantId: string,
  userId: string,
  { database, tenantKeyring }: PersonResources,
): Promise<string[]> {
  const keys = await tenantKeyring.keysOf(tenantId)
  return personsIn(database, { tenantId, userId }, keys)
}

export async function personsIn(
  database: Queryable,
  { tenantId, userId }: { tenantId: string; userId: string },
  keys: TenantKeys,
): Promise<string[]> {
  const own = await personIn(database, { tenantId, personId: userId }, keys)
  const found = new Set(own ? [own.personId] : [])
  for (const customerId of new Set([userId, ...(own ? [effectiveUserId(own)] : [])])) {
    const of = { tenantId, customerHash: customerHashOf(customerId, keys), limit: mostPersons }
    for (const personId of await personsOfCustomer(database, of)) found.add(personId)
  }
  return [...found]
}

export interface NewLink {
  readonly tenantId: string
  readonly personId: string
  readonly customerId: string
  /** Only when no other user has the id by then: fails with UniqueViolation. */
  readonly isFirst?: boolean
}

/**
 * Link a user to the integrator's id; they may be part of the commit of a decision. It fails with ConditionFailed when the user is linked to
 * another id by then, or was erased. Users who were linked to the minted id go along. Nothing for a link to oneself.
 */
export async function linkStatements(
  { tenantId, personId, customerId, isFirst = false }: NewLink,
  { database, tenantKeyring }: PersonResources,
): Promise<BatchStatement[]> {
  if (customerId === personId) return []
  const keys = await tenantKeyring.keysOf(tenantId)
  const customerHash = customerHashOf(customerId, keys)
  const link = (id: string): Link => ({
    tenantId,
    personId: id,
    customerHash,
    sealedCustomer: keys.seal(customerId, contextOfCustomer(id)),
  })
  const mintedHash = customerHashOf(personId, keys)
  const others = await personsOfCustomer(database, { tenantId, customerHash: mintedHash, limit: mostPersons })
  return [personLink({ ...link(personId), isFirst }), ...others.map((id) => personRelink(link(id), mintedHash))]
}

function opened({ personId, sealedCustomer }: PersonRow, keys: TenantKeys): Person {
  return sealedCustomer
    ? { personId, customerId: keys.open(sealedCustomer, contextOfCustomer(personId)) }
    : { personId }
}

/** All 32 bytes: who shares it is one person. As JSON, no two ids have the same text. */
export const customerHashOf = (customerId: string, keys: Pick<TenantKeys, 'hash'>): Uint8Array =>
  keys.hash(`customer ${JSON.stringify(customerId)}`)

export const contextOfCustomer = (personId: string) => `app_user customer ${personId}`

/** PostgreSQL stores no U+0000 and no half of a surrogate pair; no minted id has one. */
const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0')
