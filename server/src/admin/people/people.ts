// Who are the people of the console? They accept one-time links, sign in, and act for a tenant in which they have a role.

import { randomBytes, randomUUID } from 'node:crypto'
import type { AcceptInvitationRequest } from '@ringfence/contract'
import type { Clock } from '../../clock.ts'
import type { Keyring } from '../../crypto/keyring.ts'
import { Refusal } from '../../errors.ts'
import type { RateLimitResources } from '../../servers/rate-limit.ts'
import { deleteFactors, endSessionsOfPerson, putLastSignIn, putSealedPerson } from '../../storage/admin/members.ts'
import {
  findInvitation,
  findPerson,
  type InvitationRow,
  insertPerson,
  insertRecoveryCode,
  type PersonRole,
  type PersonRow,
  putPersonRole,
  rolesOfPerson,
  useInvitation,
} from '../../storage/admin/people.ts'
import { type Queryable, UniqueViolation } from '../../storage/database.ts'
import { listTenants } from '../../storage/tenants.ts'
import type { Actor } from '../actor.ts'
import type { Audit } from '../audit/audit.ts'
import type { AuditedDatabase } from '../audit/audited-database.ts'
import { permissionsOf } from '../roles.ts'
import { refuseOtherSignIn } from '../sso/admission.ts'
import { linkHash, type NewTotp, newTotpOf } from './invitation.ts'
import { refuseLastOwner } from './last-owner.ts'
import { refuseFormerMaker } from './link-maker.ts'
import { type PasswordHashes, passwordHashes } from './password-hashes.ts'
import {
  emailHash,
  newEmail,
  openPerson,
  type Person,
  peopleWithEmail,
  personOfTenant,
  refuseChangedFactors,
  sealPerson,
} from './person.ts'
import { type ConsoleSessions, consoleSessions, csrfTokenOf, sessionIdOf } from './sessions.ts'
import { type Factor, factorsOf, type OnFailure, type Proof, recoveryCodeHash, signIn } from './sign-in.ts'

/** A new session: the token for its cookie, and who it belongs to. */
export interface SignedIn {
  readonly token: string
  readonly browserToken: string
  readonly actor: Actor
}

/** Where a sign-in comes from, for the audit log. */
export interface Origin {
  readonly requestId: string
  readonly address: string | undefined
  /** The session that the browser has: the new one replaces it. */
  readonly sessionToken?: string | undefined
}

export interface People {
  readonly sessions: ConsoleSessions
  readonly passwords: PasswordHashes
  /** Refuses with `consoleSignInFailed`, `secondFactorMissing` or `rateLimited`. */
  signIn(proof: Proof, origin: Origin): Promise<SignedIn>
  /** Signs in somebody who has proved who they are by `factors`. `also` runs in the transaction that starts the session. */
  admit(
    person: PersonRow,
    factors: readonly Factor[],
    origin: Origin,
    also?: (tx: Queryable) => Promise<void>,
  ): Promise<SignedIn>
  /** Notes failed attempts in the audit log. */
  failureFrom(origin: Origin): OnFailure
  /** Ends the session of a browser. False when it had ended. */
  signOut(origin: Origin): Promise<boolean>
  /**
   * Proves again who is signed in, before they change how they sign in. Refuses as `signIn` does.
   * @returns the person that it proved, for `refuseChangedFactors` in the transaction of the change
   */
  confirm(personId: string, proof: Pick<Proof, 'password' | 'code'>, origin: Origin): Promise<PersonRow>
  /** Refuses with `invitationUnknown`. */
  invitation(link: string): Promise<InvitationRow>
  /** Refuses with `invitationUnknown` and `consoleSignInFailed`. @returns recovery codes, for a new account */
  accept(request: AcceptInvitationRequest, origin: Origin): Promise<SignedIn & { recoveryCodes: string[] }>
  /** Starts a session of somebody who has proven who they are, in one transaction with `also`. Each of the tenants gets an audit line. */
  begin(
    person: PersonRow,
    factors: readonly Factor[],
    origin: Origin,
    also: (tx: Queryable) => Promise<void>,
    tenants: string[],
    details?: object,
  ): Promise<SignedIn>
  /**
   * Who acts in the session of a token, for the named tenant or the first in which the person may act. A call that `isIdle` does not keep the
   * session alive. Refuses with `notSignedIn`, `tenantUnknown` and `ssoRequired`.
   */
  actorOf(token: string, tenantId?: string, options?: { isIdle: boolean }): Promise<Actor>
}

export interface PeopleResources {
  database: AuditedDatabase
  keyring: Keyring
  clock: Clock
  audit: Audit
  requestCounts: RateLimitResources
}

const recoveryCodes = 10

export const newRecoveryCodes = (): string[] => Array.from({ length: recoveryCodes }, newRecoveryCode)

export function people(resources: PeopleResources): People {
  const { database, keyring, clock, audit } = resources
  const sessions = consoleSessions(resources)
  const passwords = passwordHashes()
  const { prove, browserTokenOf } = signIn({ ...resources, passwords })

  async function actorOf(token: string, tenantId?: string, { isIdle = false } = {}): Promise<Actor> {
    const session = await sessions.find(token, { isIdle })
    const person = session && (await findPerson(database, session.personId))
    if (!session || !person) throw new Refusal('notSignedIn')
    const all = await rolesOfPerson(database, person.id)
    const known = openPerson(person, keyring)
    const { role, permissions } = await powerIn(
      tenantId === undefined ? all : all.filter((each) => each.tenantId === tenantId),
      known,
    )
    const { startedAt, confirmedAt, endsAt } = session
    const ids = { sessionId: sessionIdOf(session), personId: person.id, csrfToken: csrfTokenOf(token) }
    return {
      id: `person:${person.id}`,
      name: known.name,
      tenantId: role.tenantId,
      role: role.role,
      permissions,
      session: { ...ids, startedAt, confirmedAt, endsAt, ...(known.sso && { singleSignOn: known.sso.issuer }) },
    }
  }

  /** In the first tenant that lets the person in; one that wants its identity provider does not keep them out of the others. */
  async function powerIn(all: readonly PersonRole[], known: Person) {
    let refusal = new Refusal('tenantUnknown')
    for (const role of all) {
      const permissions = await permissionsOf(database, role.tenantId, role.role)
      if (!permissions) continue
      try {
        await refuseOtherSignIn(database, known, role)
        return { role, permissions }
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        refusal = error
      }
    }
    throw refusal
  }

  /** Each of the tenants learns of the sign-in. */
  async function begin(
    person: PersonRow,
    factors: readonly Factor[],
    origin: Origin,
    also: (tx: Queryable) => Promise<void>,
    tenants: string[],
    details = {},
  ): Promise<SignedIn> {
    const { name } = openPerson(person, keyring)
    const lines = await Promise.all(
      tenants.map((tenantId) =>
        audit.line({ ...lineOf(person, 'signIn', name, origin, { factors, ...details }), tenantId }),
      ),
    )
    const token = await database.transaction(async (tx) => {
      await also(tx)
      await refuseChangedFactors(tx, person, keyring)
      for (const append of lines) await append(tx)
      await putLastSignIn(tx, person.id, clock.now())
      if (origin.sessionToken) await sessions.endOf(tx, origin.sessionToken)
      return sessions.start(tx, person.id)
    })
    return { token, browserToken: browserTokenOf(person), actor: await actorOf(token) }
  }

  async function invitation(link: string): Promise<InvitationRow> {
    const found = await findInvitation(database, linkHash(link, keyring))
    if (!found || found.expiresAt <= clock.now()) throw new Refusal('invitationUnknown')
    await refuseFormerMaker(database, found)
    return found
  }

  async function withFactors(
    { name, email: written, password }: AcceptInvitationRequest,
    { secret, lastCodeStep }: NewTotp,
    existing: PersonRow | undefined,
    { address }: Origin,
  ): Promise<PersonRow> {
    const id = existing?.id ?? randomUUID()
    const email = existing ? written : newEmail(written)
    const sameEmail = await peopleWithEmail(database, email, keyring)
    const [beside] = sameEmail.flatMap((person) => openPerson(person, keyring).password ?? [])
    const content = {
      name,
      email,
      password: await passwords.hash(password, { name, email }, { isKnown: false, address }, beside),
      totpSecret: Buffer.from(secret).toString('base64'),
    }
    const createdAt = clock.now()
    return {
      id,
      emailHash: emailHash(email, keyring),
      sealed: sealPerson(id, content, keyring),
      lastCodeStep,
      createdAt,
    }
  }

  /** A line in each tenant of the person. */
  async function note(person: PersonRow, action: string, origin: Origin, details: object = {}) {
    const { name } = openPerson(person, keyring)
    const roles = await rolesOfPerson(database, person.id)
    const lines = await Promise.all(
      roles.map(({ tenantId }) => audit.line({ ...lineOf(person, action, name, origin, details), tenantId })),
    )
    return async (tx: Queryable) => {
      for (const append of lines) await append(tx)
    }
  }

  /** From where is in the line when it is surely about this account, or there is no other tenant. */
  const failureFrom =
    (origin: Origin): OnFailure =>
    async (person, factor, isTheirs) => {
      const isShown = isTheirs || (await listTenants(database)).length === 1
      const from = isShown ? origin : { ...origin, address: undefined }
      await database.transaction(await note(person, 'signInFailed', from, { wrong: factor }))
    }

  async function admit(
    person: PersonRow,
    factors: readonly Factor[],
    origin: Origin,
    also: (tx: Queryable) => Promise<void> = async () => undefined,
  ): Promise<SignedIn> {
    // Their provider says at each sign-in whether they may.
    if (openPerson(person, keyring).sso) throw new Refusal('ssoRequired')
    const roles = await rolesOfPerson(database, person.id)
    return begin(
      person,
      factors,
      origin,
      also,
      roles.map(({ tenantId }) => tenantId),
    )
  }

  return {
    sessions,
    passwords,
    async signOut(origin) {
      const session = origin.sessionToken ? await sessions.find(origin.sessionToken) : undefined
      const person = session && (await findPerson(database, session.personId))
      if (!person) return false
      const append = await note(person, 'signOut', origin)
      return database.transaction(async (tx) => {
        await append(tx)
        return sessions.endOf(tx, origin.sessionToken!)
      })
    },
    async confirm(personId, { password, code }, origin) {
      const person = await findPerson(database, personId)
      if (!person) throw new Refusal('notSignedIn')
      const { email } = openPerson(person, keyring)
      const browserToken = browserTokenOf(person)
      return database.aside(() =>
        prove({ email, password, code, browserToken, address: origin.address }, failureFrom(origin), [person]),
      )
    },
    actorOf,
    admit,
    failureFrom,
    begin,
    invitation,
    signIn: async (proof, origin) =>
      admit(await prove({ ...proof, address: origin.address }, failureFrom(origin)), factorsOf(proof), origin),
    async accept(request, origin) {
      const invited = await invitation(request.link)
      const { tenantId, role, linkHash: hash } = invited
      if (invited.emailHash !== null && Buffer.compare(invited.emailHash, emailHash(request.email, keyring)) !== 0)
        throw new Refusal('invitationUnknown')
      const existing = await personOfTenant(database, tenantId, request.email, keyring)
      const resets = invited.personId !== null
      if (resets && existing?.id !== invited.personId) throw new Refusal('invitationUnknown')
      const totp = existing && !resets ? undefined : newTotpOf(request, clock.now(), keyring)
      if (resets && !totp) throw new Refusal('consoleSignInFailed')
      // A code of the new authenticator app makes an account of this tenant; another one is that of an account that exists.
      const person = totp
        ? await withFactors(request, totp, existing, origin)
        : await prove({ ...request, address: origin.address }, failureFrom(origin), existing && [existing])
      const codes = totp ? newRecoveryCodes() : []
      const { name } = openPerson(person, keyring)
      const accepted = await audit.line({
        ...lineOf(person, 'acceptInvitation', name, origin, resets ? { resets } : { given: role }),
        tenantId,
      })
      const also = async (tx: Queryable) => {
        await refuseFormerMaker(tx, invited)
        if (!(await useInvitation(tx, hash))) throw new Refusal('invitationUnknown')
        if (resets) await replaceFactors(tx, person)
        else if (totp) await insertPerson(tx, person)
        for (const code of codes) await insertRecoveryCode(tx, person.id, recoveryCodeHash(code, keyring))
        if (existing && !resets) await refuseLastOwner(tx, tenantId, person.id, role)
        if (!resets) await putPersonRole(tx, { person, tenantId, role, createdAt: clock.now() })
        await accepted(tx)
      }
      try {
        return { ...(await begin(person, factorsOf(request), origin, also, [tenantId])), recoveryCodes: codes }
      } catch (error) {
        // Somebody has made an account of this tenant with the email address at the same time.
        throw error instanceof UniqueViolation ? new Refusal('consoleSignInFailed') : error
      }
    },
  }
}

/** Of a reset: whoever had the previous ones is signed out. */
async function replaceFactors(tx: Queryable, person: PersonRow): Promise<void> {
  await putSealedPerson(tx, person)
  await deleteFactors(tx, person.id)
  await endSessionsOfPerson(tx, person.id)
}

function lineOf(
  { id }: Pick<PersonRow, 'id'>,
  action: string,
  name: string,
  { requestId, address }: Origin,
  details: object = {},
) {
  const from = address === undefined ? {} : { ipAddress: address }
  return { actor: `person:${id}`, action, details: { name, requestId, ...from, ...details } }
}

/** 120 random bits, so that a keyed hash is enough (OWASP ASVS 5, 6.5.2): four groups of six, of base32. */
const newRecoveryCode = (): string =>
  [...randomBytes(24)]
    .map((byte) => 'abcdefghijkmnpqrstuvwxyz23456789'[byte & 31])
    .join('')
    .replaceAll(/.{6}(?!$)/g, '$&-')
