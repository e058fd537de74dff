// Which user has these identities? The same verified identity is permanently the same user of the tenant.

import { randomUUID } from 'node:crypto'
import type { TenantKeys } from '../crypto/keyring.ts'
import type { Platform } from '../platform.ts'
import type { Queryable } from '../storage/database.ts'
import {
  identitiesOfUser,
  insertUser,
  putIdentity,
  recordSignIn,
  sealedProfileOf,
  usersOfIdentities,
} from '../storage/users.ts'
import type { Proof, ProvenIdentity } from './channel.ts'

type Resources = Pick<Platform, 'clock' | 'database' | 'tenantKeyring'>
type IdentityName = Pick<ProvenIdentity, 'identityType' | 'identityValue'>

/**
 * The id of the proof's user, random and opaque. The first identity that a user already has
 * decides. The other identities are added to that user, unless another user has them: two users are
 * never merged. If no user has any of them, a new user is created. Identities that are not verified
 * are ignored and not stored. The proof must have at least one verified identity.
 */
export async function userOf(tenantId: string, proof: Proof, resources: Resources): Promise<string> {
  const { clock, database, tenantKeyring } = resources
  const keys = await tenantKeyring.keysOf(tenantId)
  const now = clock.now()
  const verified = proof.identities
    .filter(({ verified: isVerified }) => isVerified)
    .map((identity) => ({ identityHash: hashOfIdentity(keys, identity), sealed: sealIdentity(keys, identity) }))
  const newId = randomUUID()
  return database.transaction(async (tx) => {
    const owners = await usersOfIdentities(
      tx,
      tenantId,
      verified.map(({ identityHash }) => identityHash),
    )
    const known = owners.find((owner) => owner !== null)
    const userId = known ?? newId
    if (!known) await insertUser(tx, tenantId, userId, now)
    await recordSignIn(tx, tenantId, userId, now, proof.profile ? sealProfile(keys, userId, proof.profile) : null)
    for (const [i, identity] of verified.entries()) {
      if (owners[i] === null || owners[i] === userId) await putIdentity(tx, { tenantId, userId, ...identity }, now)
    }
    return userId
  })
}

/** Whether a user of the tenant has verified this identity before. */
export async function isKnown(tenantId: string, identity: IdentityName, resources: Resources): Promise<boolean> {
  return (await userWith(tenantId, identity, resources)) !== undefined
}

/** The user who has this identity. */
export async function userWith(
  tenantId: string,
  identity: IdentityName,
  { database, tenantKeyring }: Pick<Platform, 'database' | 'tenantKeyring'>,
): Promise<string | undefined> {
  const keys = await tenantKeyring.keysOf(tenantId)
  const [owner] = await usersOfIdentities(database, tenantId, [hashOfIdentity(keys, identity)])
  return owner ?? undefined
}

/** The identities that a user has verified, the latest first. */
export async function provedBy(
  tenantId: string,
  userId: string,
  { database, tenantKeyring }: { database: Queryable; tenantKeyring: Platform['tenantKeyring'] },
): Promise<IdentityName[]> {
  const keys = await tenantKeyring.keysOf(tenantId)
  const found = await identitiesOfUser(database, tenantId, userId)
  return found.map(({ identityHash, sealed }) => JSON.parse(keys.open(sealed, contextOfIdentity(identityHash))))
}

/** The claims that an identity provider sent at the user's last sign-in with one. */
export async function profileOf(
  tenantId: string,
  userId: string,
  { database, tenantKeyring }: Pick<Platform, 'database' | 'tenantKeyring'>,
): Promise<Readonly<Record<string, string>> | undefined> {
  const sealed = await sealedProfileOf(database, tenantId, userId)
  if (!sealed) return undefined
  const keys = await tenantKeyring.keysOf(tenantId)
  return JSON.parse(keys.open(sealed, contextOfProfile(userId)))
}

export const hashOfIdentity = (keys: TenantKeys, { identityType, identityValue }: IdentityName) =>
  keys.hash(`identity ${identityType} ${identityValue}`)

function sealIdentity(keys: TenantKeys, identity: IdentityName): Uint8Array {
  const { identityType, identityValue } = identity
  return keys.seal(JSON.stringify({ identityType, identityValue }), contextOfIdentity(hashOfIdentity(keys, identity)))
}

const sealProfile = (keys: TenantKeys, userId: string, profile: NonNullable<Proof['profile']>) =>
  keys.seal(JSON.stringify(profile), contextOfProfile(userId))

export const contextOfIdentity = (hash: Uint8Array) => `identity ${Buffer.from(hash).toString('base64')}`
export const contextOfProfile = (userId: string) => `app_user profile ${userId}`
