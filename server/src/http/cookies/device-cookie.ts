// Where does a browser store its device token so that scripts cannot read it? In a cookie of this service.

import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { SessionCall } from '../../call.ts'

/** The device token of a request. A handler that sets another one sends it back. */
export interface DeviceCookie {
  token: string | undefined
}

/** The longest lifetime that Chromium accepts (RFC 6265bis, 5.5). */
const maxAgeSeconds = 400 * 86_400
/** The websites of several tenants may share this service, so each tenant has its own cookie. */
export const deviceCookieName = (tenantId: string) => `ringfence_device_${hash('sha256', tenantId).slice(0, 8)}`

export function readDeviceCookie(header: string | undefined, tenantId: string): string | undefined {
  const start = `${deviceCookieName(tenantId)}=`
  const pair = header?.split(/; */).find((part) => part.startsWith(start))
  return pair?.slice(start.length)
}

/**
 * Sends the device token that a call of an SDK session has set. Over http only pages of the same site send the cookie, since browsers
 * accept `SameSite=None` only together with `Secure`.
 */
export function sendDeviceToken(caller: object | undefined, reply: FastifyReply, baseUrl?: string): void {
  const { app, deviceCookie } = (caller ?? {}) as Partial<Pick<SessionCall, 'app' | 'deviceCookie'>>
  if (!app || deviceCookie?.token === undefined) return
  const where = baseUrl?.startsWith('https:') ? 'SameSite=None; Secure' : 'SameSite=Lax'
  const cookie = `${deviceCookieName(app.tenantId)}=${deviceCookie.token}`
  reply.header('set-cookie', `${cookie}; Max-Age=${maxAgeSeconds}; Path=/sdk/v1; HttpOnly; ${where}`)
}
