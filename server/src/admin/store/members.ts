// Who has a role in a tenant, and who does an open invitation wait for?

import type { Queryable } from '../../core/storage/database.ts'
import type { PersonRow } from './people.ts'

/** How many people, and open invitations, of a tenant are listed. */
export const mostMembers = 1000
export const mostInvitations = 200

export interface MemberRow extends PersonRow {
  readonly role: string
  readonly version: number
  readonly joinedAt: number
  readonly lastSignInAt: number | null
  readonly recoveryCodes: number
  readonly passkeys: number
}

const members = `select p.id, p.email_hash as "emailHash", p.sealed, p.last_code_step as "lastCodeStep", p.created_at as "createdAt",
         r.role, r.version, r.created_at as "joinedAt", p.last_sign_in_at as "lastSignInAt",
         cast((select count(*) from recovery_code c where c.person_id = p.id) as bigint) as "recoveryCodes",
         cast((select count(*) from passkey k where k.person_id = p.id) as bigint) as passkeys
    from person_role r join person p on p.id = r.person_id`

/** In the order in which they joined. */
export async function listMembers(database: Queryable, tenantId: string): Promise<MemberRow[]> {
  return database.query<MemberRow>(`${members} where r.tenant_id = $1 order by r.created_at, p.id limit $2`, [
    tenantId,
    mostMembers,
  ])
}

export async function findMember(
  database: Queryable,
  tenantId: string,
  personId: string,
): Promise<MemberRow | undefined> {
  const [row] = await database.query<MemberRow>(`${members} where r.tenant_id = $1 and r.person_id = $2`, [
    tenantId,
    personId,
  ])
  return row
}

export async function countWithRole(database: Queryable, tenantId: string, role: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    'select cast(count(*) as bigint) as count from person_role where tenant_id = $1 and role = $2',
    [tenantId, role],
  )
  return row!.count
}

export async function changeMemberRole(
  tx: Queryable,
  { tenantId, id }: { tenantId: string; id: string },
  role: string,
): Promise<void> {
  await tx.query('update person_role set role = $3, version = version + 1 where person_id = $1 and tenant_id = $2', [
    id,
    tenantId,
    role,
  ])
}

export async function deleteMember(tx: Queryable, tenantId: string, personId: string): Promise<void> {
  await tx.query('delete from person_role where person_id = $1 and tenant_id = $2', [personId, tenantId])
}

/** The account with everything that belongs to it. */
export async function deletePerson(tx: Queryable, personId: string): Promise<void> {
  await tx.query('delete from person where id = $1', [personId])
  await deleteFactors(tx, personId)
  await endSessionsOfPerson(tx, personId)
}

/** What is not in the sealed text. */
export async function deleteFactors(tx: Queryable, personId: string): Promise<void> {
  await deleteRecoveryCodes(tx, personId)
  await tx.query('delete from passkey where person_id = $1', [personId])
}

export async function deleteRecoveryCodes(tx: Queryable, personId: string): Promise<void> {
  await tx.query('delete from recovery_code where person_id = $1', [personId])
}

/** All sessions of a person, but for the named one. @returns how many */
export async function endSessionsOfPerson(
  tx: Queryable,
  personId: string,
  but: Uint8Array = new Uint8Array(0),
): Promise<number> {
  const ended = await tx.query(
    'delete from console_session where person_id = $1 and token_hash <> $2 returning 1 as ended',
    [personId, but],
  )
  return ended.length
}

export async function countRecoveryCodes(database: Queryable, personId: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    'select cast(count(*) as bigint) as count from recovery_code where person_id = $1',
    [personId],
  )
  return row!.count
}

export async function putSealedPerson(
  tx: Queryable,
  { id, sealed, lastCodeStep }: Pick<PersonRow, 'id' | 'sealed' | 'lastCodeStep'>,
): Promise<void> {
  await tx.query('update person set sealed = $2, last_code_step = $3 where id = $1', [id, sealed, lastCodeStep])
}

export async function putLastSignIn(tx: Queryable, personId: string, at: number): Promise<void> {
  await tx.query('update person set last_sign_in_at = $2 where id = $1', [personId, at])
}

export interface OpenInvitationRow {
  readonly linkHash: Uint8Array
  readonly role: string
  readonly expiresAt: number
  readonly createdAt: number | null
  readonly sealed: Uint8Array | null
  readonly personId: string | null
}

/** Those that end last first. */
export async function listOpenInvitations(
  database: Queryable,
  tenantId: string,
  now: number,
): Promise<OpenInvitationRow[]> {
  return database.query<OpenInvitationRow>(
    `select link_hash as "linkHash", role, expires_at as "expiresAt", created_at as "createdAt", sealed, person_id as "personId"
       from invitation where tenant_id = $1 and expires_at > $2 order by expires_at desc, link_hash limit $3`,
    [tenantId, now, mostInvitations],
  )
}

/** Links that reset this person. */
export async function deleteResetsOf(tx: Queryable, tenantId: string, personId: string): Promise<void> {
  await tx.query('delete from invitation where tenant_id = $1 and person_id = $2', [tenantId, personId])
}

/** Links that this actor made. */
export async function deleteInvitationsBy(tx: Queryable, tenantId: string, actor: string): Promise<void> {
  await tx.query('delete from invitation where tenant_id = $1 and invited_by = $2', [tenantId, actor])
}
