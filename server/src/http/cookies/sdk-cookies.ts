// What does a browser store for this service, so that no script can read it? Its device token, and with which identities it signed in.

import { hash } from 'node:crypto'
import type { SessionCall } from '../../apps/call.ts'
import type { Reply } from '../response/reply.ts'

/** A handler that sets another value sends it back. */
export type SdkCookies = Pick<SessionCall, 'deviceCookie' | 'signedInBefore'>

/** The longest lifetime that Chromium accepts (RFC 6265bis, 5.5). */
const maxAgeSeconds = 400 * 86_400

/** No other host, such as one of a neighbouring site, can set such a cookie (RFC 6265bis, 4.1.3.2). It needs `Path=/` and https. */
const hostPrefix = '__Host-'

/** The websites of several tenants may share this service, so each tenant has its own cookies. */
const nameFor = (kind: 'device' | 'signed_in') => (tenantId: string) =>
  `ringfence_${kind}_${hash('sha256', tenantId).slice(0, 8)}`
export const deviceCookieName = nameFor('device')
const signedInCookieName = nameFor('signed_in')

export function readSdkCookies(header: string | undefined, tenantId: string): SdkCookies {
  const pairs = header?.split(/; */) ?? []
  const valueAt = (name: string) => pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
  // One without the prefix was set over http, or before there was one.
  const textOf = (name: string) => valueAt(hostPrefix + name) ?? valueAt(name)
  return {
    deviceCookie: { token: textOf(deviceCookieName(tenantId)) },
    signedInBefore: { sent: textOf(signedInCookieName(tenantId)) },
  }
}

/**
 * Sends what a call of an SDK session has set. Over http only pages of the same site send a cookie, since browsers accept
 * `SameSite=None` only together with `Secure`.
 */
export function sendSdkCookies(caller: object | undefined, reply: Reply, baseUrl?: string): void {
  const { app, deviceCookie, signedInBefore } = (caller ?? {}) as Partial<SessionCall>
  if (!app) return
  const isHttps = baseUrl?.startsWith('https:')
  const [prefix, path, site] = isHttps ? [hostPrefix, '/', 'None; Secure'] : ['', '/sdk/v1', 'Lax']
  const send = (name: string, value: string) =>
    reply.cookie(`${prefix}${name}=${value}; Max-Age=${maxAgeSeconds}; Path=${path}; HttpOnly; SameSite=${site}`)
  if (deviceCookie?.token !== undefined) send(deviceCookieName(app.tenantId), deviceCookie.token)
  if (signedInBefore?.marks !== undefined) send(signedInCookieName(app.tenantId), signedInBefore.marks)
}
