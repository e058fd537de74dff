// Can the claims of an identity provider be mixed, so that an attacker signs in with somebody else's verified address?

import { testBrowser } from '../../../../server/src/sign-in/authentication/testing/browser.ts'
import {
  type IdentityProvider,
  startIdentityProvider,
} from '../../../../server/src/sign-in/authentication/testing/identity-provider.ts'
import type { SignInService } from '../../../../server/src/sign-in/authentication/testing/sign-in-service.ts'
import { type SdkClient, sdkClient, shopReturnUrls } from '../../../../server/src/testing/sdk-client.ts'
import type { Abuse } from './abuse.ts'

const authUrl = 'https://login.shop.example'
const callbackUrl = `${authUrl}/auth/v1/oauth/callback/google`
const victim = 'victim@shop.example'
const own = { email: 'mallory@shop.example', email_verified: true }

/** Claims of the id token, and of the userinfo endpoint; the attacker is always `mallory`. */
const mixtures = [
  [{ email: victim }, own],
  [own, { email: victim }],
  [{ email_verified: true }, { email: victim }],
  [{ email: victim }, { email_verified: true }],
  [{ email: victim, email_verified: false }, own],
  [
    { ...own, email: undefined },
    { email: victim, email_verified: 'yes' },
  ],
] as const

function mixedClaims(): Abuse {
  let provider: IdentityProvider
  return {
    name: 'verified addresses mixed from two sources of claims',
    async options(ending) {
      provider = await startIdentityProvider(ending, [callbackUrl])
      const { issuer, clientId } = provider
      const google = { type: 'oidc', method: 'GOOGLE', issuer, clientId, clientSecret: { env: 'SANDBOX_SECRET' } }
      return {
        settings: { authUrl },
        channels: { google: { ...google, scopes: ['email'], authoritativeFor: { emailDomains: ['shop.example'] } } },
      }
    },
    async run({ service, refused, allowed }) {
      service.clock.advance({ ms: Date.now() - service.clock.now() }) // the provider uses the real time
      const client = await sdkClient(service, { app: service.app })
      for (const [idToken, userInfo] of mixtures) {
        provider.claimsInIdToken = idToken
        provider.person = { sub: 'mallory', ...userInfo }
        const verified = await verifiedOf(service, client)
        refused(!verified.includes(victim), () => JSON.stringify([idToken, userInfo]))
      }
      provider.claimsInIdToken = {}
      provider.person = { sub: 'victim', email: victim, email_verified: true }
      const verified = await verifiedOf(service, client)
      allowed(verified.includes(victim), () => `the owner of ${victim} signs in with ${JSON.stringify(verified)}`)
    },
  }
}

/** The verified identities of a sign-in at the provider. */
async function verifiedOf(service: SignInService, client: SdkClient): Promise<string[]> {
  const { body } = await service.start(
    { channel: 'OAUTH', method: 'GOOGLE', identity: undefined, redirectUrl: shopReturnUrls[1] },
    client,
  )
  if (!body.authorizationUrl) throw new Error(`the start is answered ${JSON.stringify(body)}`)
  const back = await testBrowser().follow(body.authorizationUrl, callbackUrl)
  const response = await testBrowser().open(service.url + back.pathname + back.search)
  const code = new URL(response.headers.get('location') ?? 'http://none.example').searchParams.get('ringfence_code')
  if (!code) return []
  const { body: user } = await service.verify(body.transactionId, { code }, client)
  const identities = (user.identities ?? []) as { identityValue: string; verified: boolean }[]
  return identities.filter(({ verified }) => verified).map(({ identityValue }) => identityValue)
}

export const abuseOfProviders: readonly Abuse[] = [mixedClaims()]
