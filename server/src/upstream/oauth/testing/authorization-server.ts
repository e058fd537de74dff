// How does a test get an authorization server of which it can say what it does? One on loopback that remembers the codes that it was sent.

import { hash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { Ending } from '../../../testing/at-end.ts'
import { bodyOf } from '../../../testing/body-of.ts'

export interface AuthorizationServer {
  readonly url: string
  /** Compared exactly (RFC 9700, 2.1); undefined: any, as careless servers allow. */
  redirectUris: readonly string[] | undefined
  /** `iss` of its answers (RFC 9207). */
  iss: string | undefined
  /** What its metadata says otherwise. */
  metadata: Record<string, unknown>
  /** Where it sends whoever opens its authorization endpoint. Default: it issues a code. */
  authorize: ((query: URLSearchParams) => URL) | undefined
  /** Codes that it issued, and codes that were sent to its token endpoint. */
  readonly issued: string[]
  readonly received: string[]
}

export const clientId = 'ringfence'
const person = { sub: 'asha', email: 'asha@shop.example', email_verified: true, name: 'Asha', groups: ['fraud'] }

interface Issued {
  readonly redirectUri: string | null
  readonly nonce: string | null
  readonly challenge: string | null
}

/** Also answers Number Verification: each phone has each number. */
export async function startAuthorizationServer(t: Ending): Promise<AuthorizationServer> {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const codes = new Map<string, Issued>()

  function authorize(query: URLSearchParams): URL | undefined {
    if (state.authorize) return state.authorize(query)
    const redirectUri = query.get('redirect_uri') ?? ''
    if (state.redirectUris && !state.redirectUris.includes(redirectUri)) return undefined
    const code = randomBytes(12).toString('base64url')
    state.issued.push(code)
    codes.set(code, { redirectUri, nonce: query.get('nonce'), challenge: query.get('code_challenge') })
    const back = new URL(redirectUri)
    const answer = { code, state: query.get('state') ?? '', ...(state.iss !== undefined && { iss: state.iss }) }
    for (const [name, value] of Object.entries(answer)) back.searchParams.set(name, value)
    return back
  }

  async function token(form: URLSearchParams): Promise<object | undefined> {
    const code = form.get('code') ?? ''
    state.received.push(code)
    const issued = codes.get(code)
    codes.delete(code)
    const verifier = form.get('code_verifier')
    const challenge = verifier === null ? null : hash('sha256', verifier, 'base64url')
    if (!issued || issued.redirectUri !== form.get('redirect_uri') || issued.challenge !== challenge) return undefined
    const now = Math.floor(Date.now() / 1000)
    const claims = { ...person, iss: state.url, aud: clientId, nonce: issued.nonce, iat: now, exp: now + 300 }
    const idToken = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k' }).sign(privateKey)
    return { access_token: 'of-a-person', token_type: 'Bearer', expires_in: 60, id_token: idToken }
  }

  const endpoint = (name: string) => `${state.url}/${name}`
  const metadata = () => ({
    issuer: state.url,
    ...{ authorization_endpoint: endpoint('authorize'), token_endpoint: endpoint('token'), jwks_uri: endpoint('jwks') },
    ...state.metadata,
  })
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    const { pathname, searchParams } = new URL(request.url ?? '/', state.url)
    if (pathname === '/authorize') {
      const location = authorize(searchParams)?.href
      return response.writeHead(location ? 302 : 400, location ? { location } : {}).end()
    }
    const answers: Record<string, () => object | undefined | Promise<object | undefined>> = {
      '/.well-known/openid-configuration': metadata,
      '/jwks': async () => ({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256', use: 'sig' }] }),
      '/token': () => token(new URLSearchParams(body)),
      '/number-verification/v2/verify': () => ({ devicePhoneNumberVerified: true }),
    }
    const answer = await answers[pathname]?.()
    response.writeHead(answer ? 200 : 400, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer ?? { error: 'invalid_grant' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const state: AuthorizationServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ redirectUris: undefined, iss: undefined, metadata: {}, authorize: undefined, issued: [], received: [] },
  }
  return state
}
