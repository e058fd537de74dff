// Where does the browser store the session of the console? In a cookie that no script reads and no other site sends.

import { consoleCookie } from '@ringfence/contract'
import type { AdminResponse } from '../../admin/call.ts'
import type { Reply } from '../response/reply.ts'

/** Tells that a person signed in in this browser before; it admits nobody. */
const browserCookie = '__Host-ringfence-browser'
/** A single sign-on in progress. It comes back to a page of this service, whose call then sends it: so no other site ever does. */
const ssoCookie = '__Host-ringfence-sso'
const ssoSeconds = 600
const browserSeconds = 400 * 86_400
/** Who the challenge of a passkey is for. As long as the challenge. */
const passkeyCookie = '__Host-ringfence-passkey'
const passkeySeconds = 300
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict'

export const readConsoleCookie = (header: string | undefined) => readCookie(header, consoleCookie)
export const readPasskeyCookie = (header: string | undefined) => readCookie(header, passkeyCookie)
export const readSsoCookie = (header: string | undefined) => readCookie(header, ssoCookie)
export const readBrowserCookie = (header: string | undefined) => readCookie(header, browserCookie)

function readCookie(header: string | undefined, name: string): string | undefined {
  const found = header?.split(/; */).find((part) => part.startsWith(`${name}=`))
  return found?.slice(name.length + 1)
}

/** Without an expiry: the browser drops the session when it ends, and the server before. */
export function sendConsoleCookies(caller: object | undefined, reply: Reply): void {
  const { response } = (caller ?? {}) as { response?: AdminResponse }
  const { sessionToken, browserToken, passkeyToken, ssoToken } = response ?? {}
  const cookies = [
    ...(sessionToken === undefined
      ? []
      : [`${consoleCookie}=${sessionToken ?? ''}; ${attributes}${sessionToken === null ? '; Max-Age=0' : ''}`]),
    ...(browserToken === undefined
      ? []
      : [`${browserCookie}=${browserToken}; ${attributes}; Max-Age=${browserSeconds}`]),
    ...(passkeyToken === undefined
      ? []
      : [
          `${passkeyCookie}=${passkeyToken ?? ''}; ${attributes}; Max-Age=${passkeyToken === null ? 0 : passkeySeconds}`,
        ]),
    ...(ssoToken === undefined
      ? []
      : [`${ssoCookie}=${ssoToken ?? ''}; ${attributes}; Max-Age=${ssoToken === null ? 0 : ssoSeconds}`]),
  ]
  for (const cookie of cookies) reply.cookie(cookie)
}
