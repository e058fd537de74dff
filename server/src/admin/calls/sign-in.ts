// /admin/v1/sign-in, invitations, sessions: how a person gets in and out.

import type {
  AcceptedInvitation,
  AcceptInvitationRequest,
  ConsoleSessions,
  EndedSession,
  EndSessionRequest,
  Invitation,
  Me,
  NoFields,
  OpenInvitationRequest,
  SignedOut,
  SignInRequest,
} from '@ringfence/contract'
import { findTenant } from '../../core/storage/tenants.ts'
import type { ActorCall, AdminCall } from '../call.ts'
import { newTotpSecret } from '../people/invitation.ts'
import type { SignedIn } from '../people/people.ts'
import { openPerson } from '../people/person.ts'
import { sessionIdOf } from '../people/sessions.ts'
import { base32Of, totpUri } from '../people/totp.ts'
import type { AdminNeeds } from '../room.ts'
import { findPerson } from '../store/people.ts'
import { isoTime } from './iso-time.ts'
import { meOf } from './me.ts'

export async function adminSignIn(body: SignInRequest, call: AdminCall, needs: AdminNeeds): Promise<Me> {
  return admitted(await needs.admin.people.signIn({ ...body, browserToken: call.browserToken }, call), call, needs)
}

export async function adminOpenInvitation(
  { link }: OpenInvitationRequest,
  _: AdminCall,
  { admin: { people }, database, keyring }: AdminNeeds,
): Promise<Invitation> {
  const { tenantId, role, expiresAt, personId } = await people.invitation(link)
  const person = personId === null ? undefined : await findPerson(database, personId)
  const known = person && openPerson(person, keyring)
  const { name } = (await findTenant(database, tenantId))!
  const { secret, sealed } = newTotpSecret(link, keyring)
  return {
    ...{ tenant: { tenantId, name }, role, expiresAt: isoTime(expiresAt) },
    ...(known && { person: { name: known.name, email: known.email } }),
    totp: { secret: base32Of(secret), uri: totpUri(secret, name), setup: sealed },
  }
}

export async function adminAcceptInvitation(
  body: AcceptInvitationRequest,
  call: AdminCall,
  needs: AdminNeeds,
): Promise<AcceptedInvitation> {
  const { recoveryCodes, ...signedIn } = await needs.admin.people.accept(body, call)
  return { recoveryCodes, me: await admitted(signedIn, call, needs) }
}

/** A new session replaces any that the browser had: nobody can prepare one for another person. */
export function admitted(
  { token, browserToken, actor }: SignedIn,
  { response }: AdminCall,
  needs: AdminNeeds,
): Promise<Me> {
  response.sessionToken = token
  response.browserToken = browserToken
  return meOf(actor, needs)
}

/** Always removes the cookie, also that of a session that has ended or is unknown. */
export async function adminSignOut(
  _: NoFields,
  call: AdminCall,
  { admin: { people } }: AdminNeeds,
): Promise<SignedOut> {
  call.response.sessionToken = null
  return { signedOut: await people.signOut(call) }
}

export async function adminListSessions(
  _: NoFields,
  { actor: { session: own } }: ActorCall,
  {
    admin: {
      people: { sessions },
    },
  }: AdminNeeds,
): Promise<ConsoleSessions> {
  const found = own ? await sessions.list(own.personId) : []
  return {
    sessions: found.map((row) => ({
      sessionId: sessionIdOf(row),
      current: sessionIdOf(row) === own!.sessionId,
      startedAt: isoTime(row.startedAt),
      lastUsedAt: isoTime(row.lastUsedAt),
      endsAt: isoTime(row.endsAt),
    })),
  }
}

export async function adminEndSession(
  { sessionId }: EndSessionRequest,
  { actor: { session } }: ActorCall,
  needs: AdminNeeds,
): Promise<EndedSession> {
  return { ended: session !== undefined && (await endOwn(sessionId, session.personId, needs)) }
}

/** Sessions of others are not found. */
async function endOwn(
  sessionId: string,
  personId: string,
  {
    admin: {
      people: { sessions },
    },
  }: AdminNeeds,
): Promise<boolean> {
  const row = (await sessions.list(personId)).find((each) => sessionIdOf(each) === sessionId)
  return row !== undefined && sessions.end(row)
}
