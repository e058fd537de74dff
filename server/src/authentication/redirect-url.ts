// May a sign-in lead back to this URL? Only below an origin of the app, or to a URL that its settings list.

import { originKeys } from '../apps/package.ts'
import { Refusal } from '../errors.ts'
import type { SignInContext } from './sign-in-context.ts'

/** These would run content that the caller chose. */
const unsafeProtocols = ['javascript:', 'data:', 'blob:']

/**
 * Returns the URL unchanged. Refuses with `redirectUrlRefused` any that is not the app's, because
 * it would receive the code.
 */
export function readRedirectUrl(
  text: string,
  { origins, settings }: Pick<SignInContext, 'origins' | 'settings'>,
): string {
  const url = URL.parse(text)
  if (!url || unsafeProtocols.includes(url.protocol) || url.username !== '' || url.password !== '' || url.hash !== '')
    throw new Refusal('redirectUrlRefused')
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  const isBelowOrigin = isWeb && originKeys(url.origin).some((key) => origins.includes(key))
  if (!isBelowOrigin && !settings.redirectUrls.includes(text)) throw new Refusal('redirectUrlRefused')
  return text
}

/** The redirect URL with the code that the app exchanges for its user, or with the error. */
export function backToApp(
  redirectUrl: string,
  transactionId: string,
  result: { readonly code: string } | { readonly error: string },
): string {
  const url = new URL(redirectUrl)
  // The app may start from a URL that still has the parameters of an earlier sign-in.
  for (const name of ['transaction', 'code', 'error']) url.searchParams.delete(`ringfence_${name}`)
  url.searchParams.set('ringfence_transaction', transactionId)
  for (const [name, value] of Object.entries(result)) url.searchParams.set(`ringfence_${name}`, value)
  return url.href
}
