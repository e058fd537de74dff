// Who calls, and is the caller within its rate limit? Clients have a secret, apps an id, SDK sessions a session token.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App, SdkSession } from '../apps/app.ts'
import { listsPackage, mayCallFrom } from '../apps/package.ts'
import { sessionOfBearer } from '../apps/session.ts'
import type { Caller } from '../clients/credentials.ts'
import { Refusal } from '../errors.ts'
import { parseAddress, subscriberNetwork } from '../ip/address.ts'
import type { Platform } from '../platform.ts'
import { type DeviceCookie, readDeviceCookie } from './device-cookie.ts'
import { rateLimit } from './rate-limit.ts'

/** What a handler gets to know about the caller; see call.ts. */
export type CallerContext =
  | Record<never, never>
  | { caller: Caller }
  | { app: App; origin: string | undefined }
  | { app: App; session: SdkSession; deviceCookie: DeviceCookie }

export interface Admission {
  client(clientId: string | undefined, clientSecret: string | undefined, reply: FastifyReply): Promise<CallerContext>
  app(request: FastifyRequest, reply: FastifyReply, address: string | undefined): Promise<CallerContext>
  session(request: FastifyRequest, reply: FastifyReply, address: string | undefined): Promise<CallerContext>
  /** For sign-in pages, which need no app id. */
  person(reply: FastifyReply, address: string | undefined): Promise<void>
}

export function admission(platform: Platform): Admission {
  const { clientRatePerSecond, appRatePerSecond, appRateBurst } = platform.settings
  const clientRate = rateLimit('client', clientRatePerSecond)
  const appRate = rateLimit('app', appRatePerSecond, appRateBurst)
  const addressRate = rateLimit('address', appRatePerSecond, appRateBurst)
  const take = (rate: typeof appRate, key: string, reply: FastifyReply) =>
    rate.take(key, (name, value) => reply.header(name, value))
  const takeOfApp = (app: App, address: string | undefined, reply: FastifyReply) =>
    take(appRate, `${app.id} ${subscriberOf(address)}`, reply)

  return {
    async client(clientId, clientSecret, reply) {
      const caller = await platform.credentials.verify(clientId, clientSecret)
      await take(clientRate, caller.clientId, reply)
      return { caller }
    },

    async app(request, reply, address) {
      const app = await platform.apps.named(appIdOf(request))
      await takeOfApp(app, address, reply)
      return { app, origin: request.headers.origin }
    },

    /** Refuses a session that another app, or a page of another origin, tries to use. */
    async session(request, reply, address) {
      const session = await sessionOfBearer(request.headers.authorization, platform)
      const { app, packageName } = session
      const appId = appIdOf(request)
      if (appId !== undefined && appId !== app.id) throw new Refusal('sessionInvalid')
      if (!mayCallFrom(request.headers.origin, session)) throw new Refusal('originUnlisted')
      if (!listsPackage(app, session.platform, packageName)) throw new Refusal('packageUnlisted')
      await takeOfApp(app, address, reply)
      return { app, session, deviceCookie: { token: readDeviceCookie(request.headers.cookie, app.tenantId) } }
    },

    async person(reply, address) {
      await take(addressRate, subscriberOf(address), reply)
    },
  }
}

const appIdOf = ({ headers }: FastifyRequest) => headers.appid as string | undefined

function subscriberOf(address: string | undefined): string {
  const parsed = address === undefined ? undefined : parseAddress(address)
  return parsed ? subscriberNetwork(parsed) : ''
}
