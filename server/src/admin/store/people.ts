// Who may sign in to the console, with which role in which tenant?

import type { Queryable } from '../../core/storage/database.ts'

export interface PersonRow {
  readonly id: string
  readonly emailHash: Uint8Array
  readonly sealed: Uint8Array
  readonly lastCodeStep: number
  readonly createdAt: number
}

export interface PersonRole {
  readonly tenantId: string
  readonly tenantName: string
  readonly role: string
}

const columns = 'id, email_hash as "emailHash", sealed, last_code_step as "lastCodeStep", created_at as "createdAt"'

export async function findPerson(database: Queryable, id: string): Promise<PersonRow | undefined> {
  const [row] = await database.query<PersonRow>(`select ${columns} from person where id = $1`, [id])
  return row
}

/** Of every tenant, each at most once, in the order of creation. */
export async function findPeopleByEmail(database: Queryable, emailHash: Uint8Array): Promise<PersonRow[]> {
  return database.query<PersonRow>(`select ${columns} from person where email_hash = $1 order by created_at, id`, [
    emailHash,
  ])
}

/** Whoever has this email address and a role in the tenant. */
export async function findPersonOfTenant(
  database: Queryable,
  tenantId: string,
  emailHash: Uint8Array,
): Promise<PersonRow | undefined> {
  const [row] = await database.query<PersonRow>(
    `select ${columns} from person
      where email_hash = $1 and id in (select person_id from person_role where tenant_id = $2) order by created_at, id`,
    [emailHash, tenantId],
  )
  return row
}

/** In a transaction: others that lock the person wait for its end. False when there is no such person. */
export async function lockPerson(tx: Queryable, id: string): Promise<boolean> {
  const locked = await tx.query('update person set id = id where id = $1 returning 1 as locked', [id])
  return locked.length > 0
}

/** Of every tenant, in the order of creation. */
export async function listPeople(database: Queryable): Promise<PersonRow[]> {
  return database.query<PersonRow>(`select ${columns} from person order by created_at, id`)
}

export async function insertPerson(tx: Queryable, row: PersonRow): Promise<void> {
  await tx.query(
    'insert into person (id, email_hash, sealed, last_code_step, created_at) values ($1, $2, $3, $4, $5)',
    [row.id, row.emailHash, row.sealed, row.lastCodeStep, row.createdAt],
  )
}

/** Does nothing when the person has changed since it was read. */
export async function replaceSealedPerson(
  database: Queryable,
  { id, sealed: before }: Pick<PersonRow, 'id' | 'sealed'>,
  sealed: Uint8Array,
): Promise<void> {
  await database.query('update person set sealed = $1 where id = $2 and sealed = $3', [sealed, id, before])
}

/** False when a code of this time or a later one was used already. */
export async function useCodeStep(database: Queryable, id: string, step: number): Promise<boolean> {
  const used = await database.query(
    'update person set last_code_step = $2 where id = $1 and last_code_step < $2 returning 1 as used',
    [id, step],
  )
  return used.length > 0
}

export async function insertRecoveryCode(tx: Queryable, personId: string, codeHash: Uint8Array): Promise<void> {
  await tx.query('insert into recovery_code (person_id, code_hash) values ($1, $2)', [personId, codeHash])
}

/** False when there is no such code, or it was used already. */
export async function useRecoveryCode(database: Queryable, personId: string, codeHash: Uint8Array): Promise<boolean> {
  const used = await database.query(
    'delete from recovery_code where person_id = $1 and code_hash = $2 returning 1 as used',
    [personId, codeHash],
  )
  return used.length > 0
}

/** In the order in which the person got them. */
export async function rolesOfPerson(database: Queryable, personId: string): Promise<PersonRole[]> {
  return database.query<PersonRole>(
    `select r.tenant_id as "tenantId", t.name as "tenantName", r.role
       from person_role r join tenant t on t.id = r.tenant_id
      where r.person_id = $1 order by r.created_at, r.tenant_id`,
    [personId],
  )
}

/**
 * Replaces the role that the person has in the tenant.
 * @throws UniqueViolation when somebody else of the tenant has the email address
 */
export async function putPersonRole(
  tx: Queryable,
  {
    person: { id, emailHash },
    tenantId,
    role,
    createdAt,
  }: { person: Pick<PersonRow, 'id' | 'emailHash'>; tenantId: string; role: string; createdAt: number },
): Promise<void> {
  await tx.query(
    `insert into person_role (person_id, tenant_id, role, created_at, email_hash) values ($1, $2, $3, $4, $5)
     on conflict (person_id, tenant_id) do update set role = excluded.role, version = person_role.version + 1`,
    [id, tenantId, role, createdAt, emailHash],
  )
}

export interface InvitationRow {
  readonly linkHash: Uint8Array
  readonly tenantId: string
  readonly role: string
  readonly emailHash: Uint8Array | null
  readonly expiresAt: number
  readonly createdAt: number | null
  /** Who invited, and the email address; null: made by an older server. */
  readonly sealed: Uint8Array | null
  /** Whose password and second factor the link resets; null: it is for somebody new. */
  readonly personId: string | null
  /** The actor; null: a command made it. */
  readonly invitedBy: string | null
}

export async function insertInvitation(database: Queryable, row: InvitationRow): Promise<void> {
  await database.query(
    `insert into invitation (link_hash, tenant_id, role, email_hash, expires_at, created_at, sealed, person_id, invited_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      row.linkHash,
      row.tenantId,
      row.role,
      row.emailHash,
      row.expiresAt,
      row.createdAt,
      row.sealed,
      row.personId,
      row.invitedBy,
    ],
  )
}

export async function findInvitation(database: Queryable, linkHash: Uint8Array): Promise<InvitationRow | undefined> {
  const [row] = await database.query<InvitationRow>(
    `select link_hash as "linkHash", tenant_id as "tenantId", role, email_hash as "emailHash", expires_at as "expiresAt",
            created_at as "createdAt", sealed, person_id as "personId", invited_by as "invitedBy"
       from invitation where link_hash = $1`,
    [linkHash],
  )
  return row
}

/** False when somebody else has used it. */
export async function useInvitation(tx: Queryable, linkHash: Uint8Array): Promise<boolean> {
  const used = await tx.query('delete from invitation where link_hash = $1 returning 1 as used', [linkHash])
  return used.length > 0
}

export async function dropInvitationsBefore(database: Queryable, at: number): Promise<void> {
  await database.query('delete from invitation where expires_at < $1', [at])
}

/** The roles of the people of a tenant, in the order in which they got them. */
export async function rolesInTenant(
  database: Queryable,
  tenantId: string,
): Promise<{ personId: string; role: string }[]> {
  return database.query<{ personId: string; role: string }>(
    'select person_id as "personId", role from person_role where tenant_id = $1 order by created_at, person_id',
    [tenantId],
  )
}
