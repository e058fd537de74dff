// Who calls, and is the caller within its rate limit? Clients have a secret, apps an id, SDK sessions a session token.

import type { Admission as Needed, Scope } from '@ringfence/contract'
import type { Actor } from '../../admin/actor.ts'
import { permissionsOf } from '../../admin/roles.ts'
import { listsPackage, mayCallFrom } from '../../apps/package.ts'
import { sessionOfBearer } from '../../apps/session.ts'
import type { Caller } from '../../clients/credentials.ts'
import { refuseUnlessAllowed } from '../../clients/restrictions.ts'
import { subscriberNetwork } from '../../core/address/address.ts'
import type { GuessLimit } from '../../core/call.ts'
import { Refusal } from '../../core/errors.ts'
import { RateLimit } from '../../core/servers/rate-limit.ts'
import type { ClientAddress } from '../../ip/client-address.ts'
import { readSdkCookies } from '../cookies/sdk-cookies.ts'
import type { Progress } from '../progress.ts'
import type { HttpNeeds } from '../room.ts'
import type { EndpointRow } from '../surface.ts'
import { admitActor, admitInRole, callsInRole, type RoleDoors } from './admit-actor.ts'
import { admitToken } from './admit-token.ts'
import type { CallerContext } from './caller-context.ts'
import { type NetworkRate, networkRate } from './network-rate.ts'
import type { ReceivedCredentials } from './received-credentials.ts'
import { refusedActors } from './refused-actors.ts'

/** Refuses, or says who calls. Wrong credentials and every caller have a rate, for each network too. */
export class Admission {
  readonly #needs: HttpNeeds
  readonly #clientRate: RateLimit
  readonly #appRate: NetworkRate
  readonly #publicRate: NetworkRate
  readonly #wrongCredentials: NetworkRate
  readonly #addressRate: NetworkRate
  readonly #noteRefusal: ReturnType<typeof refusedActors>

  constructor(needs: HttpNeeds) {
    const { clientRatePerSecond, appRatePerSecond, appRateBurst, publicRatePerSecond, wrongCredentialsPerMinute } =
      needs.settings
    const ofAnyone = { perSecond: publicRatePerSecond, burst: publicBurstSeconds * publicRatePerSecond }
    const ofGuesser = { perSecond: wrongCredentialsPerMinute / 60, burst: wrongCredentialsPerMinute }
    const ofPerson = { perSecond: appRatePerSecond, burst: appRateBurst }
    const counting = { requestCounts: needs.servers.requestCounts, ip: needs.ip }
    this.#needs = needs
    this.#clientRate = new RateLimit('client', { perSecond: clientRatePerSecond }, counting.requestCounts)
    this.#appRate = networkRate('app', 'traffic', ofPerson, counting)
    this.#publicRate = networkRate('public', 'traffic', ofAnyone, counting)
    this.#wrongCredentials = networkRate('wrong-credentials', 'guesses', ofGuesser, counting)
    this.#addressRate = networkRate('address', 'traffic', ofPerson, counting)
    this.#noteRefusal = refusedActors(needs)
  }

  /** For an endpoint of clients. One that lacks the scope may have a role with the permission. */
  async client(credentials: ReceivedCredentials, row: EndpointRow, progress: Progress): Promise<CallerContext> {
    const { scope, admission: permission } = row
    const inRole = (caller: Caller) => permission !== undefined && callsInRole(caller, scope!)
    const scopeFor = (caller: Caller) => (inRole(caller) ? 'admin' : scope!)
    const caller = await this.#admitClient(credentials, scopeFor, progress)
    return inRole(caller) ? admitInRole(permission!, caller, this.#doors(progress)) : { caller }
  }

  /** For an endpoint of the admin API that needs this. */
  actor(needed: Needed, progress: Progress): Promise<CallerContext> {
    return admitActor(needed, progress, {
      ...this.#doors(progress),
      client: (credentials) => this.#admitClient(credentials, () => 'admin', progress),
      person: (token, tenantId) => this.#admitSession(token, tenantId, progress),
      stranger: () => this.person(progress),
    })
  }

  /** For a call of our CAMARA API that needs one of these scopes. */
  token(oneOf: readonly string[], progress: Progress): Promise<CallerContext> {
    return admitToken(oneOf, progress, this.#needs, {
      wrong: () => take(this.#wrongCredentials, progress),
      call: (clientId) => this.#takeOfClient(clientId, progress),
    })
  }

  async app(progress: Progress): Promise<CallerContext> {
    const app = await this.#needs.apps.named(appIdOf(progress), guesses(this.#publicRate, progress))
    await take(this.#appRate, progress, app.id)
    return { app, origin: progress.headers.origin }
  }

  /** Refuses a session that another app, or a page of another origin, tries to use. */
  async session(progress: Progress): Promise<CallerContext> {
    const { origin, authorization, cookie } = progress.headers
    const session = await sessionOfBearer(authorization, this.#needs)
    const { app, packageName } = session
    const appId = appIdOf(progress)
    if (appId !== undefined && appId !== app.id) throw new Refusal('sessionInvalid')
    if (!mayCallFrom(origin, session)) throw new Refusal('originUnlisted')
    if (!listsPackage(app, session.platform, packageName)) throw new Refusal('packageUnlisted')
    await take(this.#appRate, progress, app.id)
    return { app, session, ...readSdkCookies(cookie, app.tenantId) }
  }

  /** For preflights, pages and endpoints without credentials. */
  async anyone(progress: Progress): Promise<CallerContext> {
    await take(this.#publicRate, progress)
    return {}
  }

  /** For sign-in pages, which need no app id. */
  person(progress: Progress): Promise<void> {
    return take(this.#addressRate, progress)
  }

  #doors(progress: Progress): RoleDoors {
    return {
      permissionsOf: (tenantId, role) => permissionsOf(this.#needs.database, tenantId, role),
      refused: (actor, refusal) => this.#noteRefusal(actor, refusal, progress),
    }
  }

  async #admitClient(
    { clientId, clientSecret, assertion }: ReceivedCredentials,
    scopeFor: (caller: Caller) => Scope,
    progress: Progress,
  ): Promise<Caller> {
    const { clients, camaraFront } = this.#needs
    const limit = guesses(this.#wrongCredentials, progress)
    const caller =
      assertion === undefined
        ? await clients.verify(clientId, clientSecret, limit)
        : await camaraFront.assertions.verify(assertion, clientId, limit)
    // Before the rate limit, which a thief of the secret could otherwise use up from anywhere.
    if (caller.restrictions) refuseUnlessAllowed(caller.restrictions, scopeFor(caller), progress.address?.connection)
    await this.#takeOfClient(caller.clientId, progress)
    return caller
  }

  /** Whose session it is. */
  async #admitSession(token: string, tenantId: string | undefined, progress: Progress): Promise<Actor> {
    // An open stream is checked again automatically.
    const isIdle = progress.streamedAfterMs !== undefined || progress.headers['x-ringfence-unattended'] === 'true'
    const actor = await this.#needs.admin.people.actorOf(token, tenantId, { isIdle }).catch(async (error) => {
      await this.person(progress)
      throw error
    })
    await this.#takeOfClient(actor.id, progress)
    return actor
  }

  #takeOfClient(id: string, progress: Progress): Promise<void> {
    return this.#clientRate.take(id, headersOf(progress))
  }
}

const headersOf =
  ({ reply }: Progress) =>
  (name: string, value: string) =>
    void reply.header(name.toLowerCase(), value)

const take = (rate: NetworkRate, progress: Progress, of?: string) =>
  rate.take(progress.address?.address, headersOf(progress), of)

const guesses = (rate: NetworkRate, progress: Progress): GuessLimit => ({
  network: () => networkOf(progress.address),
  refuseIfSpent: () => rate.refuseIfSpent(progress.address?.address, headersOf(progress)),
  countWrong: () => take(rate, progress),
})

const networkOf = (client: ClientAddress | undefined) => (client ? subscriberNetwork(client.address) : '')

/** Many people share an address, and a page loads several files at once. */
const publicBurstSeconds = 5

const appIdOf = ({ headers }: Progress) => headers.appid as string | undefined
