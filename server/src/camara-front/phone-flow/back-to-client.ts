// How does the phone return to the client? With a code or an error, and who sends it (RFC 9207).

import type { Page } from '../../core/pages/page.ts'
import type { CamaraFrontNeeds } from '../room.ts'

type Result = { readonly code: string } | { readonly error: string; readonly error_description: string }

/** `redirectUri` was listed when the phone was sent to its operator. */
export function backToClient(
  { redirectUri, state }: { readonly redirectUri: string; readonly state?: string },
  result: Result,
  { camaraFront: { accessTokens } }: Pick<CamaraFrontNeeds, 'camaraFront'>,
): Page {
  const url = new URL(redirectUri)
  const answer = { ...result, ...(state !== undefined && { state }), iss: accessTokens.issuer() }
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value)
  return redirect(url.href)
}

/** Never stored: the URL has a code, or leads a phone to its operator. */
export const redirect = (location: string, headers: Page['headers'] = {}): Page => ({
  status: 303,
  type: 'text/plain; charset=utf-8',
  body: 'You are being redirected.\n',
  headers: { ...headers, location, 'cache-control': 'no-store' },
})
