// May a sign-in lead back to this URL? Only to one that the app lists, character by character. (RFC 9700, 2.1)

import { originKeys } from '../../apps/package.ts'
import { Refusal } from '../../core/errors.ts'
import { isSafeTarget } from '../../upstream/oauth/safe-target.ts'
import type { SignInContext } from './sign-in-context.ts'

/**
 * Returns the URL unchanged. Refuses with `redirectUrlRefused` any that the app does not list: it
 * would receive the code, and another page of the same origin may pass it on. An app that lists
 * none may use any page of its origins on this machine, for development.
 */
export function readRedirectUrl(
  text: string,
  { origins, settings }: Pick<SignInContext, 'origins' | 'settings'>,
): string {
  if (!isSafeTarget(text)) throw new Refusal('redirectUrlRefused')
  const { redirectUrls } = settings
  const keys = originKeys(new URL(text).origin)
  const isDevelopment = redirectUrls.length === 0 && keys.length > 1 && keys.some((key) => origins.includes(key))
  if (!isDevelopment && !redirectUrls.includes(withoutReturn(text))) throw new Refusal('redirectUrlRefused')
  return text
}

/** The app may start from the URL that an earlier sign-in returned to, which has its parameters. */
function withoutReturn(text: string): string {
  if (!text.includes('ringfence_')) return text
  const url = new URL(text)
  for (const name of returnParameters) url.searchParams.delete(name)
  return url.href
}

const returnParameters = ['transaction', 'code', 'error'].map((name) => `ringfence_${name}`)

/** The redirect URL with the code that the app exchanges for its user, or with the error. */
export function backToApp(
  redirectUrl: string,
  transactionId: string,
  result: Readonly<Partial<Record<'code' | 'ringfence_code' | 'ringfence_error', string>>>,
): string {
  const url = new URL(withoutReturn(redirectUrl))
  url.searchParams.set('ringfence_transaction', transactionId)
  for (const [name, value] of Object.entries(result)) url.searchParams.set(name, value)
  return url.href
}
