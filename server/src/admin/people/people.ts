// Who are the people of the console? They accept one-time links, sign in, and act for a tenant in which they have a role.

import { randomBytes, randomUUID } from 'node:crypto'
import type { AcceptInvitationRequest } from '@ringfence/contract'
import type { Clock } from '../../core/clock.ts'
import type { Keyring } from '../../core/crypto/keyring.ts'
import { Refusal } from '../../core/errors.ts'
import type { RateLimitResources } from '../../core/servers/rate-limit.ts'
import { type Queryable, UniqueViolation } from '../../core/storage/database.ts'
import { listTenants } from '../../core/storage/tenants.ts'
import type { Actor } from '../actor.ts'
import type { Audit } from '../audit/audit.ts'
import type { AuditedDatabase } from '../audit/audited-database.ts'
import { permissionsOf } from '../roles.ts'
import { refuseOtherSignIn } from '../sso/admission.ts'
import { shareDemo } from '../store/demo.ts'
import { deleteFactors, endSessionsOfPerson, putLastSignIn, putSealedPerson } from '../store/members.ts'
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
} from '../store/people.ts'
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
import { type Factor, factorsOf, type OnFailure, type Proof, recoveryCodeHash, SignIn } from './sign-in.ts'

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

export interface PeopleResources {
  database: AuditedDatabase
  keyring: Keyring
  clock: Clock
  audit: Audit
  requestCounts: RateLimitResources
}

const recoveryCodes = 10

export const newRecoveryCodes = (): string[] => Array.from({ length: recoveryCodes }, newRecoveryCode)

export class People {
  readonly sessions: ConsoleSessions
  readonly passwords: PasswordHashes = passwordHashes()
  readonly #resources: PeopleResources
  readonly #proofs: SignIn

  constructor(resources: PeopleResources) {
    this.#resources = resources
    this.sessions = consoleSessions(resources)
    this.#proofs = new SignIn({ ...resources, passwords: this.passwords })
  }

  /** Refuses with `consoleSignInFailed`, `secondFactorMissing` or `rateLimited`. */
  async signIn(proof: Proof, origin: Origin): Promise<SignedIn> {
    const person = await this.#proofs.prove({ ...proof, address: origin.address }, this.failureFrom(origin))
    return this.admit(person, factorsOf(proof), origin)
  }

  /** Signs in somebody who has proved who they are by `factors`. `also` runs in the transaction that starts the session. */
  async admit(
    person: PersonRow,
    factors: readonly Factor[],
    origin: Origin,
    also: (tx: Queryable) => Promise<void> = async () => undefined,
  ): Promise<SignedIn> {
    const { database, keyring } = this.#resources
    // Their provider says at each sign-in whether they may.
    if (openPerson(person, keyring).sso) throw new Refusal('ssoRequired')
    const tenants = (await rolesOfPerson(database, person.id)).map(({ tenantId }) => tenantId)
    return this.begin(person, factors, origin, also, tenants)
  }

  /** Starts a session of somebody who has proven who they are, in one transaction with `also`. Each of the tenants gets an audit line. */
  async begin(
    person: PersonRow,
    factors: readonly Factor[],
    origin: Origin,
    also: (tx: Queryable) => Promise<void>,
    tenants: readonly string[],
    details: object = {},
  ): Promise<SignedIn> {
    const { database, keyring, clock } = this.#resources
    const append = await this.#linesIn(tenants, person, 'signIn', origin, { factors, ...details })
    const token = await database.transaction(async (tx) => {
      await also(tx)
      await refuseChangedFactors(tx, person, keyring)
      await append(tx)
      await putLastSignIn(tx, person.id, clock.now())
      if (origin.sessionToken) await this.sessions.endOf(tx, origin.sessionToken)
      return this.sessions.start(tx, person.id)
    })
    return { token, browserToken: this.#proofs.browserTokenOf(person), actor: await this.actorOf(token) }
  }

  /** Ends the session of a browser. False when it had ended. */
  async signOut(origin: Origin): Promise<boolean> {
    const { database } = this.#resources
    const session = origin.sessionToken ? await this.sessions.find(origin.sessionToken) : undefined
    const person = session && (await findPerson(database, session.personId))
    if (!person) return false
    const append = await this.#note(person, 'signOut', origin)
    return database.transaction(async (tx) => {
      await append(tx)
      return this.sessions.endOf(tx, origin.sessionToken!)
    })
  }

  /**
   * Proves again who is signed in, before they change how they sign in. Refuses as `signIn` does.
   * @returns the person that it proved, for `refuseChangedFactors` in the transaction of the change
   */
  async confirm(
    personId: string,
    { password, code }: Pick<Proof, 'password' | 'code'>,
    origin: Origin,
  ): Promise<PersonRow> {
    const { database, keyring } = this.#resources
    const person = await findPerson(database, personId)
    if (!person) throw new Refusal('notSignedIn')
    const { email } = openPerson(person, keyring)
    const browserToken = this.#proofs.browserTokenOf(person)
    const proof = { email, password, code, browserToken, address: origin.address }
    return database.aside(() => this.#proofs.prove(proof, this.failureFrom(origin), [person]))
  }

  /**
   * Notes failed attempts in the audit log. From where is in the line when it is surely about this account, or there is no other tenant.
   */
  failureFrom(origin: Origin): OnFailure {
    const { database } = this.#resources
    return async (person, factor, isTheirs) => {
      const isShown = isTheirs || (await listTenants(database)).length === 1
      const from = isShown ? origin : { ...origin, address: undefined }
      await database.transaction(await this.#note(person, 'signInFailed', from, { wrong: factor }))
    }
  }

  /** A line in each tenant of the person. */
  async #note(person: PersonRow, action: string, origin: Origin, details: object = {}) {
    const roles = await rolesOfPerson(this.#resources.database, person.id)
    const tenants = roles.map(({ tenantId }) => tenantId)
    return this.#linesIn(tenants, person, action, origin, details)
  }

  /** Returns what appends a line in each of the tenants. */
  async #linesIn(
    tenants: readonly string[],
    person: PersonRow,
    action: string,
    origin: Origin,
    details: object,
  ): Promise<(tx: Queryable) => Promise<void>> {
    const { audit, keyring } = this.#resources
    const line = lineOf(person, action, openPerson(person, keyring).name, origin, details)
    const lines = await Promise.all(tenants.map((tenantId) => audit.line({ ...line, tenantId })))
    return async (tx) => {
      for (const append of lines) await append(tx)
    }
  }

  /** Refuses with `invitationUnknown`. */
  async invitation(link: string): Promise<InvitationRow> {
    const { database, keyring, clock } = this.#resources
    const found = await findInvitation(database, linkHash(link, keyring))
    if (!found || found.expiresAt <= clock.now()) throw new Refusal('invitationUnknown')
    await refuseFormerMaker(database, found)
    return found
  }

  /** Refuses with `invitationUnknown` and `consoleSignInFailed`. @returns recovery codes, for a new account */
  async accept(request: AcceptInvitationRequest, origin: Origin): Promise<SignedIn & { recoveryCodes: string[] }> {
    const { database, keyring, clock, audit } = this.#resources
    const invited = await this.invitation(request.link)
    const { tenantId, role, linkHash: hash } = invited
    if (invited.emailHash !== null && Buffer.compare(invited.emailHash, emailHash(request.email, keyring)) !== 0)
      throw new Refusal('invitationUnknown')
    const existing = await personOfTenant(database, tenantId, request.email, keyring)
    const resets = invited.personId !== null
    if (resets && existing?.id !== invited.personId) throw new Refusal('invitationUnknown')
    const totp = existing && !resets ? undefined : newTotpOf(request, clock.now(), keyring)
    if (resets && !totp) throw new Refusal('consoleSignInFailed')
    const proof = { ...request, address: origin.address }
    // A code of the new authenticator app makes an account of this tenant; another one is that of an account that exists.
    const person = totp
      ? await this.#withFactors(request, totp, existing, origin)
      : await this.#proofs.prove(proof, this.failureFrom(origin), existing && [existing])
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
      if (role === 'owner') await shareDemo(tx, tenantId)
      await accepted(tx)
    }
    try {
      return { ...(await this.begin(person, factorsOf(request), origin, also, [tenantId])), recoveryCodes: codes }
    } catch (error) {
      // Somebody has made an account of this tenant with the email address at the same time.
      throw error instanceof UniqueViolation ? new Refusal('consoleSignInFailed') : error
    }
  }

  async #withFactors(
    { name, email: written, password }: AcceptInvitationRequest,
    { secret, lastCodeStep }: NewTotp,
    existing: PersonRow | undefined,
    { address }: Origin,
  ): Promise<PersonRow> {
    const { database, keyring, clock } = this.#resources
    const id = existing?.id ?? randomUUID()
    const email = existing ? written : newEmail(written)
    const sameEmail = await peopleWithEmail(database, email, keyring)
    const [beside] = sameEmail.flatMap((person) => openPerson(person, keyring).password ?? [])
    const content = {
      name,
      email,
      password: await this.passwords.hash(password, { name, email }, { isKnown: false, address }, beside),
      totpSecret: Buffer.from(secret).toString('base64'),
    }
    const createdAt = clock.now()
    const sealed = sealPerson(id, content, keyring)
    return { id, emailHash: emailHash(email, keyring), sealed, lastCodeStep, createdAt }
  }

  /**
   * Who acts in the session of a token, for the named tenant or the first in which the person may act. A call that `isIdle` does not keep the
   * session alive. Refuses with `notSignedIn`, `tenantUnknown` and `ssoRequired`.
   */
  async actorOf(token: string, tenantId?: string, { isIdle = false } = {}): Promise<Actor> {
    const { database, keyring } = this.#resources
    const session = await this.sessions.find(token, { isIdle })
    const person = session && (await findPerson(database, session.personId))
    if (!session || !person) throw new Refusal('notSignedIn')
    const all = await rolesOfPerson(database, person.id)
    const known = openPerson(person, keyring)
    const roles = tenantId === undefined ? all : all.filter((each) => each.tenantId === tenantId)
    const { role, permissions } = await powerIn(roles, known, database)
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
}

/** In the first tenant that lets the person in; one that wants its identity provider does not keep them out of the others. */
async function powerIn(all: readonly PersonRole[], known: Person, database: Queryable) {
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
