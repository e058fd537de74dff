// Under which id does the integrator know who signed in? `userId` of a backend is its own id, or the minted one of a user without a link.

import type { Core } from '../core/core.ts'
import type { TenantKeys } from '../core/crypto/keyring.ts'
import type { BatchStatement, Queryable } from '../core/storage/database.ts'
import { isUuid } from '../core/storage/uuid.ts'
import { findPerson, type Link, type PersonRow, personLink, personRelink, personsOfCustomer } from './store/persons.ts'

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

/** The same where the keys are known, such as inside a transaction. Only a UUID is read: every minted id is one. */
export async function personIn(
  database: Queryable,
  { tenantId, personId }: { tenantId: string; personId: string },
  keys: TenantKeys,
): Promise<Person | undefined> {
  const row = isUuid(personId) ? await findPerson(database, tenantId, personId) : undefined
  return row && openPerson(row, keys)
}

/** The id under which everything about this user is stored: a minted id that is linked is the integrator's. */
export async function effectiveUserIdOf(tenantId: string, userId: string, resources: PersonResources): Promise<string> {
  return effectiveUserIdIn(resources.database, { tenantId, userId }, await resources.tenantKeyring.keysOf(tenantId))
}

/** Whether two ids are of one user, for example the minted id that a page has and the integrator's. */
export async function isSameUser(
  tenantId: string,
  one: string | undefined,
  other: string,
  resources: PersonResources,
): Promise<boolean> {
  if (one === undefined || one === other) return one === other
  const [a, b] = await Promise.all([one, other].map((id) => effectiveUserIdOf(tenantId, id, resources)))
  return a === b
}

export async function effectiveUserIdIn(
  database: Queryable,
  { tenantId, userId }: { tenantId: string; userId: string },
  keys: TenantKeys,
): Promise<string> {
  return effectiveUserId((await personIn(database, { tenantId, personId: userId }, keys)) ?? { personId: userId })
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
  const found = new Set<string>()
  const own = await personIn(database, { tenantId, personId: userId }, keys)
  if (own) found.add(own.personId)
  const customerId = own ? effectiveUserId(own) : userId
  // It may be the minted id of another user of this person.
  if (customerId !== userId && (await personIn(database, { tenantId, personId: customerId }, keys)))
    found.add(customerId)
  for (const id of new Set([userId, customerId])) {
    const of = { tenantId, customerHash: customerHashOf(id, keys), limit: mostPersons }
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
  link: NewLink,
  { database, tenantKeyring }: PersonResources,
): Promise<BatchStatement[]> {
  return linksIn(database, link, await tenantKeyring.keysOf(link.tenantId))
}

export async function linksIn(
  database: Queryable,
  { tenantId, personId, customerId: named, isFirst = false }: NewLink,
  keys: TenantKeys,
): Promise<BatchStatement[]> {
  const customerId = await effectiveUserIdIn(database, { tenantId, userId: named }, keys)
  if (customerId === personId) return []
  return [
    personLink({ ...linkOf({ tenantId, personId, customerId }, keys), isFirst }),
    ...(await relinksIn(database, { tenantId, from: personId, to: customerId }, keys)),
  ]
}

/** Users who are linked to an id get another one. */
export async function relinksIn(
  database: Queryable,
  { tenantId, from, to: customerId }: { tenantId: string; from: string; to: string },
  keys: TenantKeys,
): Promise<BatchStatement[]> {
  const previousHash = customerHashOf(from, keys)
  const persons = await personsOfCustomer(database, { tenantId, customerHash: previousHash, limit: mostPersons })
  return persons.map((personId) => personRelink(linkOf({ tenantId, personId, customerId }, keys), previousHash))
}

const linkOf = ({ tenantId, personId, customerId }: NewLink, keys: TenantKeys): Link => ({
  tenantId,
  personId,
  customerHash: customerHashOf(customerId, keys),
  sealedCustomer: keys.seal(JSON.stringify(customerId), contextOfCustomer(personId)),
})

/** A user whose row was read. */
export function openPerson({ personId, sealedCustomer }: PersonRow, keys: TenantKeys): Person {
  return sealedCustomer
    ? { personId, customerId: JSON.parse(keys.open(sealedCustomer, contextOfCustomer(personId))) }
    : { personId }
}

/** All 32 bytes: who shares it is one person. As JSON, no two ids have the same text. */
export const customerHashOf = (customerId: string, keys: Pick<TenantKeys, 'hash'>): Uint8Array =>
  keys.hash(`customer ${JSON.stringify(customerId)}`)

export const contextOfCustomer = (personId: string) => `app_user customer ${personId}`
