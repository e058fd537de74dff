// Where does a browser keep its device token out of the reach of scripts? In a cookie of this service.

import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'

/** What a call knows of the cookie; a token that its handler writes is sent back. */
export interface DeviceCookie {
  token: string | undefined
}

/** The longest that Chromium keeps a cookie (RFC 6265bis, 5.5). */
const maxAgeSeconds = 400 * 86_400
/** Sites of several tenants share this service, each with tokens of its own. */
const nameOf = (tenantId: string) => `ringfence_device_${hash('sha256', tenantId).slice(0, 8)}`

export function readDeviceCookie(header: string | undefined, tenantId: string): string | undefined {
  const start = `${nameOf(tenantId)}=`
  const pair = header?.split(/; */).find((part) => part.startsWith(start))
  return pair?.slice(start.length)
}

/**
 * Over https the cookie goes along from pages of other sites too, over http from the same site only: browsers take `SameSite=None`
 * together with `Secure` alone.
 */
export function writeDeviceCookie(reply: FastifyReply, tenantId: string, token: string, isHttps: boolean): void {
  const where = isHttps ? 'SameSite=None; Secure' : 'SameSite=Lax'
  reply.header('set-cookie', `${nameOf(tenantId)}=${token}; Max-Age=${maxAgeSeconds}; Path=/sdk/v1; HttpOnly; ${where}`)
}
