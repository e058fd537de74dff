// Who may finish with the code of a return URL? Whoever has the verifier of its start. (RFC 7636, S256)

import { base64url, bytesOf } from './installation-key.ts'

export interface CodeVerifier {
  readonly codeVerifier: string
  readonly codeChallenge: string
}

/** Undefined on http pages, where browsers have no hash: only a backend finishes sign-ins that lead back to them. */
export async function newCodeVerifier(): Promise<CodeVerifier | undefined> {
  if (!crypto.subtle) return undefined
  const codeVerifier = base64url(crypto.getRandomValues(new Uint8Array(32)).buffer)
  return { codeVerifier, codeChallenge: base64url(await crypto.subtle.digest('SHA-256', bytesOf(codeVerifier))) }
}
