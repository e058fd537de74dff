// Who calls the admin API, and may they make this call? A person in their session, or a client that has a role.

import type { Admission as Needed } from '@ringfence/contract'
import type { Actor } from '../../admin/actor.ts'
import type { Permissions } from '../../admin/roles.ts'
import type { Caller } from '../../clients/credentials.ts'
import { Refusal } from '../../errors.ts'
import { readBrowserCookie, readConsoleCookie, readPasskeyCookie, readSsoCookie } from '../cookies/console-cookie.ts'
import type { Progress } from '../progress.ts'
import type { AdminContext } from './caller-context.ts'
import type { ReceivedCredentials } from './received-credentials.ts'
import { refuseOtherSites, refuseWithoutToken } from './same-origin.ts'

interface Doors {
  /** Whose session it is. */
  person(token: string, tenantId: string | undefined): Promise<Actor>
  /** Verifies credentials for the scope `admin`, and counts the call. */
  client(credentials: ReceivedCredentials): Promise<Caller>
  /** What a role of the tenant allows; undefined when there is none. */
  permissionsOf(tenantId: string, role: string): Promise<Permissions | undefined>
  /** Notes that somebody known was refused. */
  refused(actor: Actor, refusal: Refusal): Promise<void>
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
  const actor = await whoCalls()
  if (needed !== 'signedIn' && !actor.permissions.has(needed))
    await refuse(actor, new Refusal('permissionMissing', { mistake: `${actor.role} lacks ${needed}` }))
  return { actor, response: {} }

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
      if (error instanceof Refusal) await refuse(person, error)
      throw error
    }
    return person
  }

  async function refuse(known: Actor, refusal: Refusal): Promise<never> {
    await doors.refused(known, refusal)
    throw refusal
  }
}

async function actorOf({ clientId, tenantId, role }: Caller, doors: Pick<Doors, 'permissionsOf'>): Promise<Actor> {
  const permissions = role === undefined ? undefined : await doors.permissionsOf(tenantId, role)
  if (role === undefined || !permissions)
    throw new Refusal('clientRestricted', {
      mistake: 'it has no role; give it one with: ringfence clients restrict CLIENT_ID --scope admin --role analyst',
    })
  return { id: `client:${clientId}`, name: clientId, tenantId, role, permissions }
}
