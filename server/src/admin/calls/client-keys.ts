// POST /admin/v1/clients…: makes, rotates and revokes the keys of a tenant's backends.

import {
  type AddedPublicKey,
  type AddPublicKeyRequest,
  type ClientRequest,
  type CreateClientRequest,
  type IssuedClient,
  type Permission,
  type RemovedPublicKey,
  type RemovePublicKeyRequest,
  type RevokedSecrets,
  type Scope,
  scopes as scopeDescriptions,
} from '@ringfence/contract'
import { ClientChangeRefused } from '../../clients/credentials.ts'
import { addPublicKey, PublicKeyRefused, removePublicKey } from '../../clients/public-keys.ts'
import { type Client, findClient, listClients, listSecrets } from '../../clients/store/clients.ts'
import { addressBlocks } from '../../core/address/address-blocks.ts'
import type { Core } from '../../core/core.ts'
import { Refusal } from '../../core/errors.ts'
import { momentIn } from '../../core/json/existing-date.ts'
import type { Actor } from '../actor.ts'
import type { ActorCall } from '../call.ts'
import { personRequired } from '../person-required.ts'
import { permissionsOf } from '../roles.ts'
import type { AdminNeeds } from '../room.ts'

const mostKeys = 100

/** A key gives what its scopes allow to whoever has its secret, so they must be allowed it themselves. */
const neededForScope = {
  decisions: ['decisions.read', 'decisions.try', 'personalData.read'],
  reviews: ['reviews.resolve', 'personalData.read'],
  telecom: ['numbers.check'],
  tokens: ['users.read', 'personalData.read'],
  device: ['decisions.read', 'users.read', 'personalData.read'],
  labels: ['decisions.label'],
  events: ['decisions.read', 'personalData.read'],
  lists: ['lists.write', 'personalData.read'],
  messages: ['signins.test'],
  admin: ['users.write'],
} as const satisfies Record<Scope, readonly Permission[]>

const allScopes = Object.keys(scopeDescriptions) as Scope[]

/** Refuses with `personRequired`, `permissionMissing`, `fieldInvalid` or `limitReached`. */
export async function adminCreateClient(
  { name, scopes, role, allowedIps, expiresAt }: CreateClientRequest,
  { actor, response }: ActorCall,
  { clients: credentials, database, clock }: AdminNeeds,
): Promise<IssuedClient> {
  personRequired(actor)
  if (role !== undefined) await refuseMorePower(actor, role, database)
  refuseMoreScopes(actor, scopes ?? allScopes)
  if (role !== undefined && scopes && !scopes.includes('admin'))
    throw new Refusal('fieldInvalid', { mistake: 'scopes: a key with a role needs the scope admin' })
  const endsAt = expiresAt === undefined ? null : inFuture(expiresAt, clock.now())
  const restrictions = {
    scopes: scopes ? [...new Set(scopes)].join(' ') : null,
    allowedIps: allowedIps ? checkedBlocks(allowedIps).join(' ') : null,
    expiresAt: endsAt,
    role: role ?? null,
  }
  const live = (await listClients(database, actor.tenantId)).filter(({ revokedAt }) => revokedAt === null)
  if (live.length >= mostKeys) throw new Refusal('limitReached', { mistake: `${mostKeys} keys; revoke one first` })
  response.hasSecret = true
  return credentials.createClient(actor.tenantId, name, restrictions)
}

/** Refuses with `personRequired`, `permissionMissing`, `clientNotFound`, `clientRevoked` or `clientHasTwoSecrets`. */
export async function adminRotateClient(
  { clientId }: ClientRequest,
  { actor, response }: ActorCall,
  { clients: credentials, database }: AdminNeeds,
): Promise<IssuedClient> {
  personRequired(actor)
  response.hasSecret = true
  await refuseMoreThanOwn(await ownClient(clientId, actor, database), actor, database)
  try {
    return await credentials.rotate(clientId)
  } catch (error) {
    if (!(error instanceof ClientChangeRefused)) throw error
    throw new Refusal(failureOf[error.reason])
  }
}

const failureOf = {
  unknown: 'clientNotFound',
  revoked: 'clientRevoked',
  twoSecrets: 'clientHasTwoSecrets',
} as const satisfies Record<ClientChangeRefused['reason'], string>

/** Refuses with `clientNotFound`. */
export async function adminRevokeOlderSecrets(
  { clientId }: ClientRequest,
  { actor }: ActorCall,
  { clients: credentials, database }: AdminNeeds,
): Promise<RevokedSecrets> {
  const { revokedAt } = await ownClient(clientId, actor, database)
  const live = (await listSecrets(database, clientId)).filter((secret) => secret.revokedAt === null)
  if (revokedAt !== null || live.length < 2) return { revoked: false }
  await credentials.revoke(clientId, { olderOnly: true })
  return { revoked: true }
}

/** Refuses with `clientNotFound`. */
export async function adminRevokeClient(
  { clientId }: ClientRequest,
  { actor }: ActorCall,
  { clients: credentials, database }: AdminNeeds,
): Promise<RevokedSecrets> {
  const { revokedAt } = await ownClient(clientId, actor, database)
  if (revokedAt !== null) return { revoked: false }
  await credentials.revoke(clientId)
  return { revoked: true }
}

/** Refuses with `personRequired`, `permissionMissing`, `fieldInvalid`, `clientNotFound` or `clientRevoked`. */
export async function adminAddPublicKey(
  { clientId, publicKey }: AddPublicKeyRequest,
  { actor }: ActorCall,
  needs: AdminNeeds,
): Promise<AddedPublicKey> {
  personRequired(actor)
  await refuseMoreThanOwn(await ownClient(clientId, actor, needs.database), actor, needs.database)
  try {
    return await addPublicKey(needs, clientId, publicKey)
  } catch (error) {
    if (error instanceof PublicKeyRefused) throw new Refusal('fieldInvalid', { mistake: `publicKey: ${error.message}` })
    if (error instanceof ClientChangeRefused) throw new Refusal(failureOf[error.reason])
    throw error
  }
}

/** Refuses with `clientNotFound`. */
export async function adminRemovePublicKey(
  { clientId, keyId }: RemovePublicKeyRequest,
  { actor }: ActorCall,
  { database }: AdminNeeds,
): Promise<RemovedPublicKey> {
  await ownClient(clientId, actor, database)
  return { removed: await removePublicKey(database, clientId, keyId) }
}

/** A new secret or key would give what the client may do to who adds it. */
async function refuseMoreThanOwn({ role, scopes }: Client, actor: Actor, database: Core['database']) {
  if (role !== null) await refuseMorePower(actor, role, database)
  refuseMoreScopes(actor, scopes === null ? allScopes : allScopes.filter((scope) => scopes.split(' ').includes(scope)))
}

async function refuseMorePower(actor: Actor, role: string, database: Core['database']): Promise<void> {
  const { permissions, role: own, tenantId } = actor
  if (role === 'owner' && own !== 'owner')
    throw new Refusal('permissionMissing', { mistake: 'only an owner makes a key with the role owner' })
  const ofKey = await permissionsOf(database, tenantId, role)
  if (!ofKey) throw new Refusal('fieldInvalid', { mistake: `role: there is no role ${role}` })
  const missing = [...ofKey].filter((permission) => !permissions.has(permission))
  if (missing.length === 0) return
  const mistake = `a key with the role ${role} may do more than ${own}: ${missing.join(', ')}`
  throw new Refusal('permissionMissing', { mistake })
}

function refuseMoreScopes({ permissions, role }: Actor, scopes: readonly Scope[]): void {
  for (const scope of scopes) {
    const missing = neededForScope[scope].filter((permission) => !permissions.has(permission))
    if (missing.length === 0) continue
    const mistake = `a key with the scope ${scope} may do more than ${role}: ${missing.join(', ')}`
    throw new Refusal('permissionMissing', { mistake })
  }
}

async function ownClient(clientId: string, { tenantId }: Actor, database: Core['database']): Promise<Client> {
  const client = await findClient(database, clientId)
  if (client?.tenantId !== tenantId) throw new Refusal('clientNotFound')
  return client
}

function inFuture(text: string, now: number): number {
  const at = momentIn(text)
  if (at !== undefined && at > now) return at
  throw new Refusal('fieldInvalid', { mistake: 'expiresAt: it must be in the future' })
}

function checkedBlocks(texts: readonly string[]): readonly string[] {
  for (const text of texts) {
    try {
      if (/[\s,]/.test(text)) throw new RangeError(`${JSON.stringify(text)} must be one IP address or CIDR block`)
      addressBlocks(text)
    } catch (error) {
      throw new Refusal('fieldInvalid', { mistake: `allowedIps: ${(error as Error).message}` })
    }
  }
  return [...new Set(texts)]
}
