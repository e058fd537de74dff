// Who calls, and is the caller within its rate limit? Clients have a secret, apps an id, SDK sessions a session token.

import type { Admission as Needed, Scope } from '@ringfence/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { permissionsOf } from '../admin/roles.ts'
import type { App, SdkSession } from '../apps/app.ts'
import { listsPackage, mayCallFrom } from '../apps/package.ts'
import { sessionOfBearer } from '../apps/session.ts'
import type { Caller, GuessLimit } from '../clients/credentials.ts'
import { refuseUnlessAllowed } from '../clients/restrictions.ts'
import { Refusal } from '../errors.ts'
import { subscriberNetwork } from '../ip/address.ts'
import type { ClientAddress } from '../ip/client-address.ts'
import { rateLimit } from '../servers/rate-limit.ts'
import { readSdkCookies, type SdkCookies } from './cookies/sdk-cookies.ts'
import { type AdminContext, admitActor } from './credentials/admit-actor.ts'
import { admitToken, type TokenContext } from './credentials/admit-token.ts'
import type { ReceivedCredentials } from './credentials/received-credentials.ts'
import { refusedActors } from './credentials/refused-actors.ts'
import { type NetworkRate, networkRate } from './network-rate.ts'
import type { HttpNeeds } from './room.ts'

/** What a handler gets to know about the caller; see call.ts. */
export type CallerContext =
  | Record<never, never>
  | { caller: Caller }
  | AdminContext
  | TokenContext
  | { app: App; origin: string | undefined }
  | ({ app: App; session: SdkSession } & SdkCookies)

export interface Admission {
  /** For an endpoint of this scope. */
  client(credentials: ReceivedCredentials, scope: Scope, reply: FastifyReply): Promise<CallerContext>
  /** For an endpoint of the admin API that needs this. */
  actor(
    needed: Needed,
    request: FastifyRequest,
    reply: FastifyReply,
    address: () => ClientAddress | undefined,
  ): Promise<CallerContext>
  /** For a call of our CAMARA API that needs one of these scopes. */
  token(
    oneOf: readonly string[],
    request: FastifyRequest,
    reply: FastifyReply,
    address: () => ClientAddress | undefined,
  ): Promise<CallerContext>
  app(request: FastifyRequest, reply: FastifyReply, address: ClientAddress | undefined): Promise<CallerContext>
  session(request: FastifyRequest, reply: FastifyReply, address: ClientAddress | undefined): Promise<CallerContext>
  /** For preflights, pages and endpoints without credentials. */
  anyone(reply: FastifyReply, address: ClientAddress | undefined): Promise<CallerContext>
  /** For sign-in pages, which need no app id. */
  person(reply: FastifyReply, address: ClientAddress | undefined): Promise<void>
}

export function admission(needs: HttpNeeds): Admission {
  const { clientRatePerSecond, appRatePerSecond, appRateBurst, publicRatePerSecond, wrongCredentialsPerMinute } =
    needs.settings
  const ofAnyone = { perSecond: publicRatePerSecond, burst: publicBurstSeconds * publicRatePerSecond }
  const ofGuesser = { perSecond: wrongCredentialsPerMinute / 60, burst: wrongCredentialsPerMinute }
  const ofPerson = { perSecond: appRatePerSecond, burst: appRateBurst }
  const counting = { requestCounts: needs.servers.requestCounts, ip: needs.ip }
  const clientRate = rateLimit('client', { perSecond: clientRatePerSecond }, counting.requestCounts)
  const appRate = networkRate('app', 'traffic', ofPerson, counting)
  const publicRate = networkRate('public', 'traffic', ofAnyone, counting)
  const wrongCredentials = networkRate('wrong-credentials', 'guesses', ofGuesser, counting)
  const addressRate = networkRate('address', 'traffic', ofPerson, counting)
  const headersOf = (reply: FastifyReply) => (name: string, value: string) => void reply.header(name, value)
  const takeOfClient = (id: string, reply: FastifyReply) => clientRate.take(id, headersOf(reply))
  const take = (rate: NetworkRate, client: ClientAddress | undefined, reply: FastifyReply, of?: string) =>
    rate.take(client?.address, headersOf(reply), of)

  const guesses = (rate: NetworkRate, address: () => ClientAddress | undefined, reply: FastifyReply): GuessLimit => ({
    network: () => networkOf(address()),
    refuseIfSpent: () => rate.refuseIfSpent(address()?.address, headersOf(reply)),
    countWrong: () => take(rate, address(), reply),
  })

  async function admitClient(
    { clientId, clientSecret, assertion, address }: ReceivedCredentials,
    scope: Scope,
    reply: FastifyReply,
  ) {
    const limit = guesses(wrongCredentials, address, reply)
    const caller =
      assertion === undefined
        ? await needs.clients.verify(clientId, clientSecret, limit)
        : await needs.camaraFront.assertions.verify(assertion, clientId, limit)
    // Before the rate limit, which a thief of the secret could otherwise use up from anywhere.
    if (caller.restrictions) refuseUnlessAllowed(caller.restrictions, scope, address()?.connection)
    await takeOfClient(caller.clientId, reply)
    return caller
  }

  const noteRefusal = refusedActors(needs)

  return {
    async client(credentials, scope, reply) {
      return { caller: await admitClient(credentials, scope, reply) }
    },

    actor(needed, request, reply, address) {
      return admitActor(needed, request, address, {
        client: (credentials) => admitClient(credentials, 'admin', reply),
        async person(token, tenantId) {
          // An open stream is checked again automatically.
          const isIdle =
            request.progress.streamedAfterMs !== undefined || request.headers['x-ringfence-unattended'] === 'true'
          const actor = await needs.admin.people.actorOf(token, tenantId, { isIdle }).catch(async (error) => {
            await take(addressRate, address(), reply)
            throw error
          })
          await takeOfClient(actor.id, reply)
          return actor
        },
        permissionsOf: (tenantId, role) => permissionsOf(needs.database, tenantId, role),
        refused: (actor, refusal) => noteRefusal(actor, refusal, request, address()?.address.text),
        stranger: () => take(addressRate, address(), reply),
      })
    },

    token(oneOf, request, reply, address) {
      return admitToken(oneOf, request, address, needs, {
        wrong: () => take(wrongCredentials, address(), reply),
        call: (clientId) => takeOfClient(clientId, reply),
      })
    },

    async app(request, reply, address) {
      const app = await needs.apps.named(
        appIdOf(request),
        guesses(publicRate, () => address, reply),
      )
      await take(appRate, address, reply, app.id)
      return { app, origin: request.headers.origin }
    },

    /** Refuses a session that another app, or a page of another origin, tries to use. */
    async session(request, reply, address) {
      const session = await sessionOfBearer(request.headers.authorization, needs)
      const { app, packageName } = session
      const appId = appIdOf(request)
      if (appId !== undefined && appId !== app.id) throw new Refusal('sessionInvalid')
      if (!mayCallFrom(request.headers.origin, session)) throw new Refusal('originUnlisted')
      if (!listsPackage(app, session.platform, packageName)) throw new Refusal('packageUnlisted')
      await take(appRate, address, reply, app.id)
      return { app, session, ...readSdkCookies(request.headers.cookie, app.tenantId) }
    },

    async anyone(reply, address) {
      await take(publicRate, address, reply)
      return {}
    },

    async person(reply, address) {
      await take(addressRate, address, reply)
    },
  }
}

const networkOf = (client: ClientAddress | undefined) => (client ? subscriberNetwork(client.address) : '')

/** Many people share an address, and a page loads several files at once. */
const publicBurstSeconds = 5

const appIdOf = ({ headers }: FastifyRequest) => headers.appid as string | undefined
