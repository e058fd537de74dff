// Which user has these identities? The same verified identity is the same user of the tenant, until its provider gives it to somebody else.

import { randomUUID } from 'node:crypto'
import type { EventData } from '@ringfence/contract'
import { effectiveUserId, openPerson } from '../../accounts/person.ts'
import type { Core } from '../../core/core.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { NewEvent } from '../../core/event-recorder.ts'
import type { Queryable } from '../../core/storage/database.ts'
import { writeEvents } from '../../events/events.ts'
import { linkImported } from '../customers/link-imported.ts'
import { hashOfIdentity, type IdentityName } from '../identity-hash.ts'
import { identityAdded, linked } from '../persons/person-events.ts'
import {
  deleteIdentity,
  identitiesOfUser,
  insertUser,
  putIdentity,
  recordSignIn,
  sealedProfileOf,
  usersOfIdentities,
} from '../store/users.ts'
import { eventUser } from '../tokens/issue.ts'
import { ownerOfProved } from './adding/owner.ts'
import type { Proof } from './channel.ts'

type Resources = Pick<Core, 'clock' | 'database' | 'tenantKeyring' | 'events'>

/** A sign-in that adds what it proves to a user (`linkTo`). */
export interface Adding extends Pick<EventData<'user.identity.added'>, 'signInId' | 'appId'> {
  readonly personId: string
}

/** Who signed in. */
export interface ProvedUser {
  /** The minted id. */
  readonly personId: string
  /** The integrator's id, if the user is linked to one; else the minted one. */
  readonly userId: string
}

/** The minted id that `userIn` finds or makes, in its own transaction. */
export async function userOf(tenantId: string, proof: Proof, needs: Resources): Promise<string> {
  return (await needs.database.transaction(await userIn(tenantId, proof, needs))).personId
}

/**
 * The proof's user, whose minted id is random and opaque. Of a sign-in with an identity provider the account there decides, else the first number or
 * email address that a user already has. The others are added to that user, unless another user has them: two users are never merged. If no
 * user has any of them, a new user is created. Identities that are not verified are ignored and not stored. With `adding`, they are that
 * user's; refuses as `ownerOfProved` does. To be called in the transaction that ends the sign-in.
 */
export async function userIn(
  tenantId: string,
  proof: Proof,
  { clock, tenantKeyring, events }: Resources,
  { adding, requestId }: { readonly adding?: Adding | undefined; readonly requestId?: string } = {},
): Promise<(tx: Queryable) => Promise<ProvedUser>> {
  const record = await events.recorder(tenantId)
  const keys = await tenantKeyring.keysOf(tenantId)
  const now = clock.now()
  const named = (identity: IdentityName) => ({ ...identity, hash: hashOfIdentity(keys, identity) })
  const verified = proof.identities.filter((identity) => identity.verified).map(named)
  const account = proof.subject && named(proof.subject)
  const contacts = verified.filter(({ hash }) => !account || !isSame(hash, account.hash))
  const proved = account ? [account, ...contacts] : contacts
  const newId = randomUUID()
  return async (tx) => {
    if (account) await freeReassigned(tx, { tenantId, account, contacts }, keys)
    const owners = await usersOfIdentities(
      tx,
      tenantId,
      proved.map(({ hash }) => hash),
    )
    const known = adding
      ? await ownerOfProved(tx, { tenantId, personId: adding.personId, identities: proved, owners }, keys)
      : owners.find((owner) => owner !== null)
    const personId = known ?? newId
    if (!known) await insertUser(tx, tenantId, personId, now)
    if (account) await freePrevious(tx, { tenantId, userId: personId, account, proof }, keys)
    const sealedProfile = proof.profile ? sealProfile(keys, personId, proof.profile) : null
    const sealedCustomer = await recordSignIn(tx, tenantId, personId, now, sealedProfile)
    const own = proved.filter((_, i) => owners[i] === null || owners[i] === personId)
    for (const identity of own) {
      const vouchedBy = account && identity !== account ? account.hash : null
      const sealed = sealIdentity(keys, identity)
      const addedAt = adding ? now : null
      await putIdentity(
        tx,
        { tenantId, userId: personId, identityHash: identity.hash, sealed, vouchedBy, addedAt },
        now,
      )
    }
    const person = openPerson({ personId, sealedCustomer }, keys)
    const link = await linkImported(tx, { tenantId, person, identities: own }, keys)
    const userId = link?.userId ?? effectiveUserId(person)
    const added = adding ? proved.filter((_, i) => owners[i] === null) : []
    const happened = [
      ...(link ? [linked(link, requestId)] : []),
      ...(adding && added.length > 0 ? [addedEvent({ personId, userId }, adding, added)] : []),
    ]
    await writeEvents(tx, record(happened))
    return { personId, userId }
  }
}

function addedEvent(
  { personId, userId }: ProvedUser,
  { signInId, appId }: Adding,
  identities: readonly IdentityName[],
): NewEvent {
  const named = identities.map(({ identityType: type, identityValue: value }) => ({ type, value }))
  return identityAdded({
    ...eventUser(userId, personId),
    // No identity of another type is verified.
    identities: named as EventData<'user.identity.added'>['identities'],
    signInId,
    appId,
  })
}

interface Hashed extends IdentityName {
  readonly hash: Uint8Array
}

/**
 * The provider says that another of its accounts now has a number or email address: it was given to another person, who must not become the
 * user of before.
 */
async function freeReassigned(
  tx: Queryable,
  { tenantId, account, contacts }: { tenantId: string; account: Hashed; contacts: readonly Hashed[] },
  keys: TenantKeys,
): Promise<void> {
  const hashes = [account, ...contacts].map(({ hash }) => hash)
  const [own, ...owners] = await usersOfIdentities(tx, tenantId, hashes)
  for (const [i, owner] of owners.entries()) {
    if (!owner || owner === own) continue
    const identities = await openIdentities(tx, { tenantId, userId: owner }, keys)
    if (identities.some((identity) => isOfProvider(identity, account)))
      await deleteIdentity(tx, tenantId, hashes[i + 1]!)
  }
}

/** What the account at the provider had before, and the person did not prove another way, is no longer theirs. */
async function freePrevious(
  tx: Queryable,
  { tenantId, userId, account, proof }: { tenantId: string; userId: string; account: Hashed; proof: Proof },
  keys: TenantKeys,
): Promise<void> {
  for (const { hash, vouchedBy, ...previous } of await openIdentities(tx, { tenantId, userId }, keys)) {
    if (!vouchedBy || !isSame(vouchedBy, account.hash)) continue
    const now = proof.identities.filter(({ identityType }) => identityType === previous.identityType)
    if (now.length > 0 && now.every(({ identityValue }) => identityValue !== previous.identityValue))
      await deleteIdentity(tx, tenantId, hash)
  }
}

const isSame = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0

/** Whether an identity is an account at the provider of this account. */
const isOfProvider = ({ identityType, identityValue }: IdentityName, account: IdentityName) =>
  identityType === account.identityType && providerOf(identityValue) === providerOf(account.identityValue)

/** A subject is the issuer, a space and the id. */
const providerOf = (subject: string) => subject.slice(0, subject.indexOf(' '))

/** Whether a user has a number or an email address, and not only accounts at identity providers. */
export const hasContact = async (
  database: Queryable,
  of: { tenantId: string; userId: string },
  keys: TenantKeys,
): Promise<boolean> => (await openIdentities(database, of, keys)).some(({ identityType }) => identityType !== 'SUBJECT')

/** Whether a user of the tenant has verified this identity before. */
export async function isKnown(tenantId: string, identity: IdentityName, resources: Resources): Promise<boolean> {
  return (await userWith(tenantId, identity, resources)) !== undefined
}

/** The user who has this identity. */
export async function userWith(
  tenantId: string,
  identity: IdentityName,
  { database, tenantKeyring }: Pick<Core, 'database' | 'tenantKeyring'>,
): Promise<string | undefined> {
  const keys = await tenantKeyring.keysOf(tenantId)
  const [owner] = await usersOfIdentities(database, tenantId, [hashOfIdentity(keys, identity)])
  return owner ?? undefined
}

/** The identities that a user has verified, the latest first. */
export async function provedBy(
  tenantId: string,
  userId: string,
  { database, tenantKeyring }: { database: Queryable; tenantKeyring: Core['tenantKeyring'] },
): Promise<(IdentityName & { readonly addedAt?: number })[]> {
  const identities = await openIdentities(database, { tenantId, userId }, await tenantKeyring.keysOf(tenantId))
  return identities.map(({ identityType, identityValue, addedAt }) => ({
    identityType,
    identityValue,
    ...(addedAt !== null && { addedAt }),
  }))
}

async function openIdentities(
  database: Queryable,
  { tenantId, userId }: { tenantId: string; userId: string },
  keys: TenantKeys,
): Promise<(Hashed & { readonly vouchedBy: Uint8Array | null; readonly addedAt: number | null })[]> {
  return (await identitiesOfUser(database, tenantId, userId)).map(({ identityHash, sealed, vouchedBy, addedAt }) => {
    return { ...openIdentity({ identityHash, sealed }, keys), hash: identityHash, vouchedBy, addedAt }
  })
}

export const openIdentity = (
  { identityHash, sealed }: { readonly identityHash: Uint8Array; readonly sealed: Uint8Array },
  keys: TenantKeys,
): IdentityName => JSON.parse(keys.open(sealed, contextOfIdentity(identityHash)))

/** The claims that an identity provider sent at the user's last sign-in with one. */
export async function profileOf(
  tenantId: string,
  userId: string,
  { database, tenantKeyring }: Pick<Core, 'database' | 'tenantKeyring'>,
): Promise<Readonly<Record<string, string>> | undefined> {
  const sealed = await sealedProfileOf(database, tenantId, userId)
  if (!sealed) return undefined
  const keys = await tenantKeyring.keysOf(tenantId)
  return JSON.parse(keys.open(sealed, contextOfProfile(userId)))
}

function sealIdentity(keys: TenantKeys, identity: IdentityName): Uint8Array {
  const { identityType, identityValue } = identity
  return keys.seal(JSON.stringify({ identityType, identityValue }), contextOfIdentity(hashOfIdentity(keys, identity)))
}

const sealProfile = (keys: TenantKeys, userId: string, profile: NonNullable<Proof['profile']>) =>
  keys.seal(JSON.stringify(profile), contextOfProfile(userId))

export const contextOfIdentity = (hash: Uint8Array) => `identity ${Buffer.from(hash).toString('base64')}`
export const contextOfProfile = (userId: string) => `app_user profile ${userId}`
