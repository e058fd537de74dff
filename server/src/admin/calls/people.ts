// /admin/v1/people and invitations: who may use the console for the tenant of the actor?

import type {
  ChangedPerson,
  ChangeRoleRequest,
  Invitations,
  InviteRequest,
  ListedInvitation,
  NewInvitation,
  NoFields,
  People,
  PersonRequest,
  RemovedPerson,
  WithdrawInvitationRequest,
  WithdrawnInvitation,
} from '@ringfence/contract'
import type { Core } from '../../core/core.ts'
import { Refusal } from '../../core/errors.ts'
import type { ActorCall } from '../call.ts'
import { type InvitationContent, invitationContext, invite, linkHash, linkUrl } from '../people/invitation.ts'
import { changeRole, refuseHigherRole, removeMember, withdrawFactors } from '../people/manage.ts'
import { newEmail, openPerson } from '../people/person.ts'
import { personRequired } from '../person-required.ts'
import { permissionsOf, rolesOfTenant } from '../roles.ts'
import type { AdminNeeds } from '../room.ts'
import {
  findMember,
  listMembers,
  listOpenInvitations,
  type MemberRow,
  mostInvitations,
  mostMembers,
  type OpenInvitationRow,
} from '../store/members.ts'
import { useInvitation } from '../store/people.ts'
import { answerVersion } from '../versions.ts'
import { isoTime } from './iso-time.ts'

const hourMs = 3_600_000
const usualHours = 24

export async function adminListPeople(
  _: NoFields,
  { actor }: ActorCall,
  { database, keyring }: AdminNeeds,
): Promise<People> {
  const [rows, roles] = await Promise.all([
    listMembers(database, actor.tenantId),
    rolesOfTenant(database, actor.tenantId),
  ])
  return { people: rows.map((row) => shownPerson(row)) }

  function shownPerson(row: MemberRow): People['people'][number] {
    const { name, email, password, totpSecret, sso } = openPerson(row, keyring)
    const isActive = password !== undefined || sso !== undefined
    return {
      personId: row.id,
      ...{ name, email, role: row.role, version: row.version },
      state: !roles.has(row.role) ? 'noAccess' : isActive ? 'active' : 'resetPending',
      isYou: actor.id === `person:${row.id}`,
      secondFactors: {
        authenticatorApp: totpSecret !== undefined,
        recoveryCodes: row.recoveryCodes,
        passkeys: row.passkeys,
      },
      ...(sso && { singleSignOn: sso.issuer }),
      joinedAt: isoTime(row.joinedAt),
      ...(row.lastSignInAt !== null && { lastSignInAt: isoTime(row.lastSignInAt) }),
    }
  }
}

export async function adminChangeRole(
  { personId, role }: ChangeRoleRequest,
  call: ActorCall,
  { database, keyring }: AdminNeeds,
): Promise<ChangedPerson> {
  personRequired(call.actor)
  await refusePersonBySso(personId, call, database, keyring)
  const next = await database.transaction((tx) => changeRole(tx, call, { personId, role }))
  answerVersion(call, next)
  return { personId, role, version: next }
}

export async function adminRemovePerson(
  { personId }: PersonRequest,
  call: ActorCall,
  { database }: AdminNeeds,
): Promise<RemovedPerson> {
  await database.transaction((tx) => removeMember(tx, call, personId))
  return { personId, removed: true }
}

export async function adminResetPerson(
  { personId }: PersonRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<NewInvitation> {
  const { actor, response } = call
  personRequired(actor)
  response.hasSecret = true
  const { database, keyring, clock, tenantKeyring } = needs
  await refusePersonBySso(personId, call, database, keyring)
  const keys = await tenantKeyring.keysOf(actor.tenantId)
  const at = clock.now()
  const expiresAt = at + usualHours * hourMs
  return database.transaction(async (tx) => {
    const { person, role } = await withdrawFactors(tx, call, personId, keyring)
    const made = { by: actor, at, keys }
    const { email } = person
    const link = await invite(tx, { tenantId: actor.tenantId, role, email, expiresAt, personId, made }, keyring)
    return answerOf(link, { role, email, personId, createdAt: at, expiresAt }, actor.name, needs)
  })
}

export async function adminInvite(
  { role, email: sent, hours = usualHours }: InviteRequest,
  { actor, response }: ActorCall,
  needs: AdminNeeds,
): Promise<NewInvitation> {
  personRequired(actor)
  response.hasSecret = true
  const { database, keyring, clock, tenantKeyring } = needs
  const { tenantId } = actor
  const email = sent === undefined ? undefined : newEmail(sent)
  await refuseHigherRole(database, actor, role)
  const at = clock.now()
  const [keys, people, open] = await Promise.all([
    tenantKeyring.keysOf(tenantId),
    listMembers(database, tenantId),
    listOpenInvitations(database, tenantId, at),
  ])
  if (people.length >= mostMembers || open.length >= mostInvitations) throw new Refusal('peopleTooMany')
  const expiresAt = at + hours * hourMs
  const link = await invite(database, { tenantId, role, email, expiresAt, made: { by: actor, at, keys } }, keyring)
  return answerOf(link, { role, email, createdAt: at, expiresAt }, actor.name, needs)
}

/** Their provider says what they may at each sign-in, and they have nothing to reset. Refuses with `personBySso`. */
async function refusePersonBySso(
  personId: string,
  { actor }: ActorCall,
  database: Core['database'],
  keyring: AdminNeeds['keyring'],
): Promise<void> {
  const found = await findMember(database, actor.tenantId, personId)
  if (found && openPerson(found, keyring).sso) throw new Refusal('personBySso')
}

interface Made {
  role: string
  email?: string | undefined
  personId?: string
  createdAt: number
  expiresAt: number
}

function answerOf(
  link: string,
  { role, email, personId, createdAt, expiresAt }: Made,
  invitedBy: string,
  { keyring, addresses }: AdminNeeds,
): NewInvitation {
  return {
    url: linkUrl(addresses.base(), link),
    invitation: {
      invitationId: invitationIdOf(linkHash(link, keyring)),
      role,
      ...(email !== undefined && { email }),
      ...(personId !== undefined && { personId }),
      invitedBy,
      createdAt: isoTime(createdAt),
      expiresAt: isoTime(expiresAt),
    },
  }
}

/** Public: it cannot be turned back into the link. */
const invitationIdOf = (hash: Uint8Array) => Buffer.from(hash.subarray(0, 16)).toString('base64url')

export async function adminListInvitations(
  _: NoFields,
  { actor: { tenantId } }: ActorCall,
  { database, tenantKeyring, clock }: AdminNeeds,
): Promise<Invitations> {
  const [keys, rows] = await Promise.all([
    tenantKeyring.keysOf(tenantId),
    listOpenInvitations(database, tenantId, clock.now()),
  ])
  return { invitations: rows.map(shownInvitation) }

  function shownInvitation(row: OpenInvitationRow): ListedInvitation {
    const { sealed, linkHash: hash, createdAt, personId } = row
    const content = sealed && (JSON.parse(keys.open(sealed, invitationContext(hash))) as InvitationContent)
    return {
      invitationId: invitationIdOf(hash),
      role: row.role,
      ...(content?.email !== undefined && { email: content.email }),
      ...(personId !== null && { personId }),
      ...(content && { invitedBy: content.invitedBy }),
      ...(createdAt !== null && { createdAt: isoTime(createdAt) }),
      expiresAt: isoTime(row.expiresAt),
    }
  }
}

export async function adminWithdrawInvitation(
  { invitationId }: WithdrawInvitationRequest,
  { actor }: ActorCall,
  { database, clock }: AdminNeeds,
): Promise<WithdrawnInvitation> {
  const open = await listOpenInvitations(database, actor.tenantId, clock.now())
  const row = open.find(({ linkHash: hash }) => invitationIdOf(hash) === invitationId)
  if (!row) return { withdrawn: false }
  const isKnown = (await permissionsOf(database, actor.tenantId, row.role)) !== undefined
  if (isKnown) await refuseHigherRole(database, actor, row.role)
  return { withdrawn: await useInvitation(database, row.linkHash) }
}
