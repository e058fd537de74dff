// Who calls the admin API, and may they make this call? A person in their session, or a client that has a role.

import type { IncomingHttpHeaders } from 'node:http'
import type { Admission as Needed, Scope } from '@ringfence/contract'
import type { Actor } from '../../admin/actor.ts'
import type { Permissions } from '../../admin/roles.ts'
import type { Caller } from '../../clients/credentials.ts'
import { nameForCallers, pasteable } from '../../core/command-name.ts'
import { Refusal } from '../../core/errors.ts'
import { readBrowserCookie, readConsoleCookie, readPasskeyCookie, readSsoCookie } from '../cookies/console-cookie.ts'
import type { Progress } from '../progress.ts'
import type { AdminContext } from './caller-context.ts'
import type { ReceivedCredentials } from './received-credentials.ts'
import { refuseOtherSites, refuseWithoutToken } from './same-origin.ts'

export interface RoleDoors {
  /** What a role of the tenant allows; undefined when there is none. */
  permissionsOf(tenantId: string, role: string): Promise<Permissions | undefined>
  /** Notes that somebody known was refused. */
  refused(actor: Actor, refusal: Refusal): Promise<void>
}

interface Doors extends RoleDoors {
  /** Whose session it is. */
  person(token: string, tenantId: string | undefined): Promise<Actor>
  /** Verifies credentials for the scope `admin`, and counts the call. */
  client(credentials: ReceivedCredentials): Promise<Caller>
  /** Limits strangers. */
  stranger(): Promise<void>
}

/** Refuses with `notSignedIn`, `requestForged`, `tenantUnknown`, `credentialsInvalid`, `clientRestricted` or `permissionMissing`. */
export async function admitActor(
  needed: Needed,
  { headers, method }: Pick<Progress, 'headers' | 'method'>,
  doors: Doors,
): Promise<AdminContext> {
  if (needed === 'anyone') {
    await doors.stranger()
    refuseOtherSites(headers)
    const { cookie } = headers
    const tokens = { browserToken: readBrowserCookie(cookie), sessionToken: readConsoleCookie(cookie) }
    return { response: {}, ...tokens, passkeyToken: readPasskeyCookie(cookie), ssoToken: readSsoCookie(cookie) }
  }
  return admitted(needed, await whoCalls(), doors)

  async function whoCalls(): Promise<Actor> {
    const { clientid, clientsecret, 'x-ringfence-tenant': tenantId } = headers as Record<string, string | undefined>
    if (clientid !== undefined)
      return actorOf(await doors.client({ clientId: clientid, clientSecret: clientsecret }), doors)
    const token = readConsoleCookie(headers.cookie)
    if (token === undefined || token === '') {
      await doors.stranger()
      throw new Refusal('notSignedIn')
    }
    const person = await doors.person(token, tenantId)
    try {
      refuseOtherSites(headers)
      if (method !== 'GET') refuseWithoutToken(headers, person.session!.csrfToken)
    } catch (error) {
      if (error instanceof Refusal) await doors.refused(person, error)
      throw error
    }
    return person
  }
}

/** For a client that calls an endpoint of clients in its role. Refuses with `clientRestricted` or `permissionMissing`. */
export const admitInRole = async (needed: Needed, caller: Caller, doors: RoleDoors): Promise<AdminContext> =>
  admitted(needed, await actorOf(caller, doors), doors)

/** Whether a client has a role and not the scope: one with the scope calls as a backend. */
export const callsInRole = ({ role, restrictions }: Caller, scope: Scope): boolean =>
  role !== undefined && restrictions?.scopes?.has(scope) === false && restrictions.scopes.has('admin')

/** Whether a person calls an endpoint of clients: in a session, and without credentials of a client. */
export const isInSession = ({ cookie, ...headers }: IncomingHttpHeaders): boolean =>
  headers.clientid === undefined && headers.clientsecret === undefined && !!readConsoleCookie(cookie)

async function admitted(needed: Needed, actor: Actor, { refused }: RoleDoors): Promise<AdminContext> {
  if (needed === 'signedIn' || needed === 'anyone' || actor.permissions.has(needed)) return { actor, response: {} }
  const refusal = new Refusal('permissionMissing', { mistake: `${actor.role} lacks ${needed}` })
  await refused(actor, refusal)
  throw refusal
}

async function actorOf({ clientId, tenantId, role }: Caller, doors: RoleDoors): Promise<Actor> {
  const permissions = role === undefined ? undefined : await doors.permissionsOf(tenantId, role)
  if (role === undefined || !permissions)
    throw new Refusal('clientRestricted', {
      mistake: pasteable(
        'it has no role; give it one with: ringfence clients restrict CLIENT_ID --scope admin --role analyst',
        nameForCallers,
      ),
    })
  return { id: `client:${clientId}`, name: clientId, tenantId, role, permissions }
}
