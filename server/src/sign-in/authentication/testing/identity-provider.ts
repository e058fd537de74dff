// How does a test get a real OpenID provider? oidc-provider on loopback, where a person signs in at once or refuses.

import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Adapter, type AdapterPayload, type KoaContextWithOIDC } from 'oidc-provider'
import type { Ending } from '../../../testing/at-end.ts'

export interface IdentityProvider {
  issuer: string
  /** The person who signs in, with OpenID Connect claims. */
  person: { sub: string; [claim: string]: unknown }
  /** Claims of the id token, when they are not only `sub`. A hostile provider lets them contradict its userinfo endpoint. */
  claimsInIdToken?: Readonly<Record<string, unknown>>
  /** The person does not consent. */
  refuses: boolean
  /** Publishes a wrong key under the right key id. */
  publishesOtherKeys: boolean
  clientId: string
  clientSecret: string
  /** Allowed redirect URIs. */
  redirectUris: string[]
}

const keyId = 'of-the-provider'
const clientId = 'ringfence'
const clientSecret = 'sandbox-client-secret'

/**
 * Returns email and phone claims only from its userinfo endpoint, as the standard says. Closed when
 * the test ends.
 */
export async function startIdentityProvider(t: Ending, redirectUris: string[]): Promise<IdentityProvider> {
  let handle: (request: IncomingMessage, response: ServerResponse) => unknown = () => undefined
  const server = createServer((request, response) => handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const state: IdentityProvider = {
    issuer,
    person: { sub: 'asha' },
    refuses: false,
    publishesOtherKeys: false,
    clientId,
    clientSecret,
    redirectUris,
  }
  const provider = providerOf(state)
  const callback = provider.callback()
  handle = (request, response) => {
    if (state.publishesOtherKeys && request.url === '/jwks') {
      const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
      response.setHeader('content-type', 'application/json')
      return response.end(
        JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: keyId, use: 'sig' }] }),
      )
    }
    if (request.url?.startsWith('/interaction/')) return interact(provider, state, request, response)
    return callback(request, response)
  }
  return state
}

function providerOf(state: IdentityProvider): Provider {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const stored = new Map<string, AdapterPayload>()
  return new Provider(state.issuer, {
    adapter: (model: string) => storedIn(stored, model),
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: state.redirectUris,
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: keyId, use: 'sig' }] as never },
    cookies: { keys: ['of-a-test'] },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      phone: ['phone_number', 'phone_number_verified'],
      profile: ['name', 'given_name', 'family_name'],
      groups: ['groups'],
    },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    // Without `claimsInIdToken`, the id token has the subject only, as of a provider that conforms.
    conformIdTokenClaims: false,
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: (use) => ({ ...(use === 'id_token' ? state.claimsInIdToken : state.person), sub }),
    }),
    ttl: { AccessToken: 600, AuthorizationCode: 60, IdToken: 600, Interaction: 600, Session: 600, Grant: 600 },
    renderError: (context: KoaContextWithOIDC, out) => {
      context.type = 'json'
      context.body = out
    },
  })
}

/** The person signs in and consents at once, or refuses. */
async function interact(
  provider: Provider,
  state: IdentityProvider,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const { params } = await provider.interactionDetails(request, response)
  if (state.refuses) {
    return provider.interactionFinished(request, response, { error: 'access_denied' })
  }
  const accountId = state.person.sub
  const grant = new provider.Grant({ accountId, clientId: String(params.client_id) })
  grant.addOIDCScope(String(params.scope))
  const grantId = await grant.save()
  return provider.interactionFinished(request, response, { login: { accountId }, consent: { grantId } })
}

/** Storage of oidc-provider, in memory. */
function storedIn(stored: Map<string, AdapterPayload>, model: string): Adapter {
  const key = (id: string) => `${model} ${id}`
  return {
    async upsert(id, payload) {
      stored.set(key(id), { ...payload })
    },
    find: async (id) => stored.get(key(id)),
    findByUid: async (uid) => stored.values().find((payload) => payload.uid === uid),
    findByUserCode: async () => undefined,
    async consume(id) {
      const payload = stored.get(key(id))
      if (payload) payload.consumed = Math.floor(Date.now() / 1000)
    },
    async destroy(id) {
      stored.delete(key(id))
    },
    async revokeByGrantId(grantId) {
      for (const [id, payload] of stored) if (payload.grantId === grantId) stored.delete(id)
    },
  }
}
