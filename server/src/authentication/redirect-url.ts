// May a sign-in lead back to this address? To the app's origins, and to the addresses that its settings list.

import { originKeys } from '../apps/package.ts'
import { Refusal } from '../errors.ts'
import type { SignInContext } from './sign-in-context.ts'

/** No way back, but a script or a page of somebody else's making. */
const runsInThePage = ['javascript:', 'data:', 'blob:']

/** The address as it was given. Refuses with `redirectUrlRefused` any that is not the app's: it would get the code. */
export function readRedirectUrl(
  text: string,
  { origins, settings }: Pick<SignInContext, 'origins' | 'settings'>,
): string {
  const url = URL.parse(text)
  if (!url || runsInThePage.includes(url.protocol) || url.username !== '' || url.password !== '' || url.hash !== '')
    throw new Refusal('redirectUrlRefused')
  const isPage = url.protocol === 'https:' || url.protocol === 'http:'
  const ofOrigin = isPage && originKeys(url.origin).some((key) => origins.includes(key))
  if (!ofOrigin && !settings.redirectUrls.includes(text)) throw new Refusal('redirectUrlRefused')
  return text
}

/** The address with the code by which the app fetches its user, or with the reason why there is none. */
export function backToApp(
  redirectUrl: string,
  transactionId: string,
  told: { readonly code: string } | { readonly error: string },
): string {
  const url = new URL(redirectUrl)
  // A page may have named its own address, with what an earlier sign-in led back with.
  for (const name of ['transaction', 'code', 'error']) url.searchParams.delete(`ringfence_${name}`)
  url.searchParams.set('ringfence_transaction', transactionId)
  for (const [name, value] of Object.entries(told)) url.searchParams.set(`ringfence_${name}`, value)
  return url.href
}
