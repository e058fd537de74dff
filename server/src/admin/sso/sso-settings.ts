// /admin/v1/sso: which identity provider does the tenant use? An owner decides, in a session.

import {
  type NoFields,
  type RemovedSso,
  type SaveSsoRequest,
  type SingleSignOn,
  type SsoTest,
  ssoPath,
  type TestSsoRequest,
} from '@ringfence/contract'
import type { Core } from '../../core/core.ts'
import { Refusal } from '../../core/errors.ts'
import { readTarget, TargetRefused } from '../../events/webhooks/target.ts'
import type { Actor } from '../actor.ts'
import type { ActorCall } from '../call.ts'
import { personRequired } from '../person-required.ts'
import { rolesOfTenant } from '../roles.ts'
import type { AdminNeeds } from '../room.ts'
import { deleteSso, findSso, putSso, type SsoRow } from '../store/single-sign-on.ts'
import { answerVersion, refuseOtherVersion } from '../versions.ts'
import { connectionOf, redirectUriOf, type SsoConnection, type SsoContent, ssoContext, ssoIdOf } from './connection.ts'

const usualScopes = ['openid', 'profile', 'email']

export async function adminReadSso(_: NoFields, call: ActorCall, needs: AdminNeeds): Promise<SingleSignOn> {
  const connection = await connectionOf(call.actor.tenantId, needs)
  answerVersion(call, connection?.version ?? 0)
  return shown(connection, call.actor, needs)
}

export async function adminSaveSso(body: SaveSsoRequest, call: ActorCall, needs: AdminNeeds): Promise<SingleSignOn> {
  const { actor } = call
  const { tenantId } = actor
  const { database, tenantKeyring, settings } = needs
  refuseUnlessOwner(actor)
  refuseTarget(body.issuer, settings)
  await refuseUnknownRoles(body.roles, tenantId, database)
  const keys = await tenantKeyring.keysOf(tenantId)
  const before = await connectionOf(tenantId, needs)
  const id = before?.id ?? ssoIdOf(tenantId, needs.keyring)
  const content = contentOf(body, before)
  const row: SsoRow = {
    ...{ tenantId, id, issuer: body.issuer },
    enabled: (body.isEnabled ?? true) ? 1 : 0,
    listed: (body.isListed ?? true) ? 1 : 0,
    passwords: body.passwords ?? 'allowed',
    version: (before?.version ?? 0) + 1,
    sealed: keys.seal(JSON.stringify(content), ssoContext(tenantId)),
  }
  await database.transaction(async (tx) => {
    const present = (await findSso(tx, tenantId))?.version ?? 0
    refuseOtherVersion(call, present)
    // `If-Match: *` overwrites any version, but a secret that was read before may belong to another issuer now.
    if (present !== (before?.version ?? 0)) throw new Refusal('versionChanged', { version: String(present) })
    await putSso(tx, row)
  })
  answerVersion(call, row.version)
  return shown({ ...row, ...content }, call.actor, needs)
}

export async function adminRemoveSso(_: NoFields, call: ActorCall, { database }: AdminNeeds): Promise<RemovedSso> {
  refuseUnlessOwner(call.actor)
  const { tenantId } = call.actor
  return database.transaction(async (tx) => {
    const row = await findSso(tx, tenantId)
    refuseOtherVersion(call, row?.version ?? 0)
    await deleteSso(tx, tenantId)
    return { removed: row !== undefined }
  })
}

export async function adminTestSso({ issuer }: TestSsoRequest, call: ActorCall, needs: AdminNeeds): Promise<SsoTest> {
  refuseUnlessOwner(call.actor)
  const findings = await needs.admin.sso.test(issuer)
  return { isReady: findings.every(({ isOk }) => isOk), findings }
}

/** Whoever decides how people get in and with which roles could make themselves an owner. Refuses with `personRequired` and `roleTooHigh`. */
function refuseUnlessOwner(actor: Actor): void {
  personRequired(actor)
  if (actor.role !== 'owner') throw new Refusal('roleTooHigh', { mistake: 'owner' })
}

function refuseTarget(issuer: string, { ssoTargets }: Core['settings']): void {
  try {
    readTarget(issuer, ssoTargets, 'SSO_TARGETS')
  } catch (error) {
    if (error instanceof TargetRefused) throw new Refusal('fieldInvalid', { mistake: `issuer: ${error.message}` })
    throw error
  }
}

async function refuseUnknownRoles(
  roles: SaveSsoRequest['roles'],
  tenantId: string,
  database: Core['database'],
): Promise<void> {
  const known = await rolesOfTenant(database, tenantId)
  const unknown = roles.find(({ role }) => role === 'owner' || !known.has(role))
  if (!unknown) return
  const mistake =
    unknown.role === 'owner'
      ? 'roles: no group gives the role owner; owners sign in without an identity provider'
      : `roles: there is no role ${unknown.role}`
  throw new Refusal('fieldInvalid', { mistake })
}

/** A stored secret goes to nobody but the issuer and client that it was entered for. */
function contentOf(body: SaveSsoRequest, before: SsoConnection | undefined): SsoContent {
  const isSameClient = before?.issuer === body.issuer && before.clientId === body.clientId
  const clientSecret = body.clientSecret ?? (isSameClient ? before.clientSecret : undefined)
  return {
    name: body.name,
    clientId: body.clientId,
    ...(clientSecret !== undefined && { clientSecret }),
    scopes: body.scopes ?? usualScopes,
    groupsClaim: body.groupsClaim ?? 'groups',
    roles: body.roles,
    makesPeople: body.makesPeople ?? true,
  }
}

function shown(
  connection: SsoConnection | undefined,
  { tenantId }: Pick<Actor, 'tenantId'>,
  needs: AdminNeeds,
): SingleSignOn {
  const callbackUrl = redirectUriOf(connection?.id ?? ssoIdOf(tenantId, needs.keyring), needs)
  if (!connection) return { version: 0, callbackUrl }
  const { id, name, issuer, clientId, scopes, groupsClaim, roles, makesPeople, passwords } = connection
  return {
    version: connection.version,
    callbackUrl,
    connection: {
      ssoId: id,
      signInUrl: `${needs.addresses.base()}${ssoPath}?start=${id}`,
      ...{ name, issuer, clientId, hasSecret: connection.clientSecret !== undefined },
      ...{ scopes: [...scopes], groupsClaim, roles: [...roles], makesPeople, passwords },
      isListed: connection.listed === 1,
      isEnabled: connection.enabled === 1,
    },
  }
}
