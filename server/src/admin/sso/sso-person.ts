// Who has signed in with an identity provider, and with which role? Its issuer and subject identify a person, and groups give the role.

import { randomUUID } from 'node:crypto'
import type { Keyring } from '../../core/crypto/keyring.ts'
import { Refusal } from '../../core/errors.ts'
import type { Queryable } from '../../core/storage/database.ts'
import { readEmailAddress } from '../../email/email-address.ts'
import type { AdminCall } from '../call.ts'
import type { SignedIn } from '../people/people.ts'
import { type Person, sealPerson } from '../people/person.ts'
import { permissionsOf } from '../roles.ts'
import type { AdminNeeds } from '../room.ts'
import {
  deleteInvitationsBy,
  deleteMember,
  deletePerson,
  findMember,
  listMembers,
  mostMembers,
  putSealedPerson,
} from '../store/members.ts'
import { findPersonOfTenant, insertPerson, type PersonRow, putPersonRole } from '../store/people.ts'
import type { SsoConnection } from './connection.ts'
import { type Claims, claimNamed } from './provider.ts'

/** More is no list of the groups of one person. */
const mostGroups = 2000

/**
 * In the place of the hash of an email address, under which no sign-in by password looks: an address that a provider claims belongs to
 * nobody. Each tenant has its own people, so no tenant's provider can sign in as a person of another one.
 */
const subjectHash = (
  tenantId: string,
  { issuer, sub }: { issuer: string; sub: string },
  keyring: Pick<Keyring, 'hashSecret'>,
) => keyring.hashSecret(`sso person ${JSON.stringify([tenantId, issuer, sub])}`)

/** Refuses with `ssoRefused`, and takes the role of somebody who may not sign in any more. `also`: in the same transaction. */
export async function admitPerson(
  connection: SsoConnection,
  claims: Claims & { readonly sub: string },
  call: AdminCall,
  needs: AdminNeeds,
  also: (tx: Queryable) => Promise<void>,
): Promise<SignedIn> {
  const {
    database,
    keyring,
    clock,
    admin: { people },
  } = needs
  const { tenantId, issuer } = connection
  const hash = subjectHash(tenantId, { issuer, sub: claims.sub }, keyring)
  const existing = await findPersonOfTenant(database, tenantId, hash)
  const person = personOf(claims, connection)
  const role = await roleOf(claims, connection, needs)
  if (role.name === undefined) {
    await refuse(existing, person, role.why, connection, call, needs)
    throw new Refusal('ssoRefused', { mistake: role.why })
  }
  if (!existing && !connection.makesPeople) {
    const why = 'nobody new gets in by a first sign-in; ask an owner of the tenant'
    await refuse(undefined, person, why, connection, call, needs)
    throw new Refusal('ssoRefused', { mistake: why })
  }
  const id = existing?.id ?? randomUUID()
  const at = clock.now()
  const row: PersonRow = {
    ...(existing ?? { id, emailHash: hash, lastCodeStep: 0, createdAt: at }),
    sealed: sealPerson(id, person, keyring),
  }
  const { name } = role
  return people.begin(
    row,
    ['identityProvider'],
    call,
    async (tx) => {
      await also(tx)
      if (existing) await putSealedPerson(tx, row)
      else {
        if ((await listMembers(tx, tenantId)).length >= mostMembers) throw new Refusal('peopleTooMany')
        await insertPerson(tx, row)
      }
      const before = await findMember(tx, tenantId, id)
      if (before?.role === name) return
      if (before) await deleteInvitationsBy(tx, tenantId, `person:${id}`)
      await putPersonRole(tx, { person: row, tenantId, role: name, createdAt: at })
    },
    [tenantId],
    { with: connection.name, role: name, ...(!existing && { isNew: true }) },
  )
}

type FoundRole = { readonly name: string } | { readonly name?: undefined; readonly why: string }

/** The role of the first group in the list of the connection that the person has. */
async function roleOf(
  claims: Claims,
  { tenantId, groupsClaim, roles }: SsoConnection,
  { database }: AdminNeeds,
): Promise<FoundRole> {
  const value = claimNamed(claims, groupsClaim)
  if (value === undefined)
    return {
      why: `your identity provider sent no claim ${groupsClaim}; an owner of the tenant can change which one is read`,
    }
  const groups = typeof value === 'string' ? [value] : value
  if (!Array.isArray(groups) || groups.length > mostGroups || groups.some((group) => typeof group !== 'string'))
    return { why: `the claim ${groupsClaim} is no list of at most ${mostGroups} texts` }
  const own = new Set<string>(groups)
  const match = roles.find(({ group }) => own.has(group))
  if (!match) return { why: 'none of your groups has a role here; ask an owner of the tenant' }
  const isKnown = match.role !== 'owner' && (await permissionsOf(database, tenantId, match.role)) !== undefined
  return isKnown ? { name: match.role } : { why: `the role ${match.role} of your group does not exist any more` }
}

const text = (value: unknown, most: number) =>
  typeof value === 'string'
    ? value
        .replaceAll(/\p{Cc}/gu, ' ')
        .trim()
        .slice(0, most)
    : ''

function personOf(claims: Claims & { readonly sub: string }, { tenantId, issuer }: SsoConnection): Person {
  const { address: email = '' } = readEmailAddress(text(claims.email, 320))
  const name = text(claims.name, 100) || text(claims.preferred_username, 100) || email.slice(0, 100)
  return { name: name || text(claims.sub, 100), email, sso: { tenantId, issuer, subject: claims.sub } }
}

/** With an audit line. Somebody who had access loses it, in every browser. */
async function refuse(
  existing: PersonRow | undefined,
  { name }: Person,
  why: string,
  { tenantId, name: connection }: SsoConnection,
  { requestId, address }: AdminCall,
  { database, admin: { audit, sso } }: AdminNeeds,
): Promise<void> {
  const isNoted = await sso.mayNote(tenantId)
  if (!existing && !isNoted) return
  const actor = existing ? `person:${existing.id}` : 'stranger'
  const from = address === undefined ? {} : { ipAddress: address }
  const details = { name, requestId, ...from, with: connection, why, ...(existing && { removed: true }) }
  const append = await audit.line({ tenantId, actor, action: 'signInFailed', details })
  await database.transaction(async (tx) => {
    if (existing) {
      await deleteMember(tx, tenantId, existing.id)
      await deleteInvitationsBy(tx, tenantId, `person:${existing.id}`)
      await deletePerson(tx, existing.id)
    }
    await append(tx)
  })
}
