// Who can finish a sign-in with the URL that it leads back to? Only the app or browser that started it. (RFC 7636, RFC 8252)

import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import type { Ending } from '../../testing/at-end.ts'
import { eachDatabase, type TestDatabases } from '../../testing/databases.ts'
import { type SdkClient, sdkClient } from '../../testing/sdk-client.ts'
import { testBrowser } from './testing/browser.ts'
import { startIdentityProvider } from './testing/identity-provider.ts'
import { email, mobile, outboxChannels, pressButton, startSignInService } from './testing/sign-in-service.ts'

const appUrl = 'com.example.shop:/signed-in'
const authUrl = 'https://login.shop.example'
const callbackUrl = `${authUrl}/auth/v1/oauth/callback/google`
const platforms = ['ANDROID', 'IOS', 'WEB'] as const

/** What an SDK makes for a start. */
function newVerifier() {
  const codeVerifier = randomBytes(32).toString('base64url')
  return { codeVerifier, codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url') }
}

type Scene = Awaited<ReturnType<typeof scene>>

async function scene(t: Ending, open: TestDatabases['open'], app: object = {}) {
  const { issuer, clientId, person } = await startIdentityProvider(t, [callbackUrl])
  Object.assign(person, { sub: 'asha', email: 'asha@example.com', email_verified: true })
  const google = { type: 'oidc', issuer, clientId, clientSecret: { env: 'SANDBOX_SECRET' }, method: 'GOOGLE' }
  const channels = { ...outboxChannels, google: { ...google, scopes: ['email'] } }
  const service = await startSignInService(t, await open(t), {
    channels,
    app: { redirectUrls: [appUrl], ...app },
    settings: { authUrl, messagesPerRecipientHour: 20 },
  })
  service.clock.advance({ ms: Date.now() - service.clock.now() })
  const session = (platform: (typeof platforms)[number] = 'ANDROID') =>
    sdkClient(service, { app: service.app, platform })
  return { ...service, session }
}

/** The public URL leads to a load balancer, which this test has not. */
const atService = ({ url }: Scene, location: string) => {
  const { pathname, search } = new URL(location)
  return fetch(url + pathname + search, { redirect: 'manual' })
}

const linkOf = ({ url, link }: Scene) => new URL(link().pathname + link().search, url)

interface Flow {
  readonly start: object
  back(scene: Scene, authorizationUrl: string): Promise<Response>
}

/** Each way to a return URL. */
const flows = {
  OAUTH: {
    start: { channel: 'OAUTH', method: 'GOOGLE', identity: undefined },
    async back(place: Scene, authorizationUrl: string) {
      return atService(place, (await testBrowser().follow(authorizationUrl, callbackUrl)).href)
    },
  },
  MAGIC_LINK: {
    start: { channel: 'MAGIC_LINK', identity: email },
    back: async (place: Scene) => (await pressButton(linkOf(place))).response,
  },
  SILENT: {
    start: { channel: 'SILENT', identity: mobile },
    async back(place: Scene, authorizationUrl: string) {
      const operator = await fetch(authorizationUrl, { redirect: 'manual' })
      return atService(place, operator.headers.get('location')!)
    },
  },
} satisfies Record<string, Flow>

/** A person starts and returns: what whoever reads the deep link has. */
async function returnOf(place: Scene, { start, back }: Flow, codeChallenge: string | undefined, client: SdkClient) {
  const { status, body } = await place.start({ ...start, redirectUrl: appUrl, codeChallenge }, client)
  assert.equal(status, 200, JSON.stringify(body))
  const location = new URL((await back(place, body.authorizationUrl)).headers.get('location')!)
  const [transactionId, code] = ['transaction', 'code'].map((of) => location.searchParams.get(`ringfence_${of}`)!)
  assert.ok(location.href.startsWith(appUrl) && transactionId && code, location.href)
  return { transactionId, code }
}

const refused = [400, '7135']
const outcome = ({ status, body }: { status: number; body: { errorCode?: string } }) => [status, body.errorCode]

eachDatabase(({ engine, open }) => {
  for (const [name, flow] of Object.entries<Flow>(flows)) {
    test(`${name}: whoever reads the return URL cannot finish the sign-in, nor keep its owner from it (${engine})`, async (t) => {
      const place = await scene(t, open)
      const owner = newVerifier()
      const { transactionId, code } = await returnOf(place, flow, owner.codeChallenge, await place.session())
      for (const platform of platforms) {
        const attacker = await place.session(platform)
        const { codeVerifier: own } = newVerifier()
        for (const codeVerifier of [undefined, own, owner.codeChallenge, `${owner.codeVerifier}x`]) {
          const seen = await place.verify(transactionId, { code, codeVerifier }, attacker)
          assert.deepEqual(outcome(seen), refused, `${platform} ${codeVerifier}`)
        }
        assert.deepEqual((await place.status(transactionId, attacker)).body, { status: 'PENDING' })
      }
      // The app was closed meanwhile, so it has another session.
      const done = await place.verify(transactionId, { code, codeVerifier: owner.codeVerifier }, await place.session())
      assert.equal(done.status, 200, JSON.stringify(done.body))
    })

    test(`${name}: the return URL of an attacker signs nobody's app in (${engine})`, async (t) => {
      const place = await scene(t, open)
      const [attacker, victim] = [newVerifier(), newVerifier()]
      const victimsApp = await place.session()
      await place.start({ codeChallenge: victim.codeChallenge }, victimsApp)
      for (const platform of platforms) {
        const mail = { type: 'EMAIL', value: `mallory-${platform.toLowerCase()}@shop.example` }
        const start = { ...flow.start, ...(name === 'MAGIC_LINK' && { identity: mail }) }
        for (const codeChallenge of [attacker.codeChallenge, undefined]) {
          const session = await place.session(platform)
          const { transactionId, code } = await returnOf(place, { ...flow, start }, codeChallenge, session)
          for (const codeVerifier of [undefined, victim.codeVerifier]) {
            const seen = await place.verify(transactionId, { code, codeVerifier }, victimsApp)
            assert.deepEqual(outcome(seen), refused, `${platform} ${codeChallenge} ${codeVerifier}`)
          }
        }
      }
    })

    test(`${name}: without a challenge, only a backend can exchange the code of a return URL (${engine})`, async (t) => {
      const place = await scene(t, open)
      const client = await place.session()
      const { transactionId, code } = await returnOf(place, flow, undefined, client)
      const { body, status } = await place.verify(transactionId, { code, codeVerifier: undefined }, client)
      assert.equal(status, 400)
      assert.match(body.description, /only a backend can exchange its code; start again with one \(RFC 7636\)$/)
      const { clientId, clientSecret } = place.credentials
      const form = new URLSearchParams({ code, client_id: clientId, client_secret: clientSecret })
      const exchanged = await fetch(place.url + endpoints.exchangeCode.path, { method: 'POST', body: form })
      assert.equal(exchanged.status, 200)
    })
  }

  test(`the code of a page or phone that opened the URL itself needs its verifier if it has one (${engine})`, async (t) => {
    const place = await scene(t, open)
    const client = await place.session()
    const { codeVerifier, codeChallenge } = newVerifier()
    for (const challenge of [undefined, codeChallenge]) {
      const { body } = await place.start({ channel: 'SILENT', codeChallenge: challenge }, client)
      const operator = await fetch(body.authorizationUrl, { redirect: 'manual' })
      const opened = await atService(place, operator.headers.get('location')!)
      const { ringfence_code: code } = (await opened.json()) as { ringfence_code: string }
      const verify = (codeVerifier?: string) => place.verify(body.transactionId, { code, codeVerifier }, client)
      if (challenge) assert.deepEqual(outcome(await verify()), refused)
      assert.equal((await verify(challenge && codeVerifier)).status, 200)
    }
  })

  test(`a step-up to a link, of which the page does not know, needs the verifier too (${engine})`, async (t) => {
    const gate = { simSwap: { onFound: 'stepUp' }, stepUp: { channel: 'MAGIC_LINK', method: 'SMS' } }
    const place = await scene(t, open, { gate })
    const client = await place.session()
    const { codeVerifier, codeChallenge } = newVerifier()
    const identity = { type: 'MOBILE', value: '61491570110' }
    const { body } = await place.start({ identity, redirectUrl: appUrl, codeChallenge }, client)
    assert.equal(body.channel, 'OTP')
    const location = new URL((await pressButton(linkOf(place))).response.headers.get('location')!)
    const proof = { code: location.searchParams.get('ringfence_code'), otp: '000000' }
    const stolen = await place.verify(body.transactionId, { ...proof, codeVerifier: undefined }, client)
    assert.deepEqual(outcome(stolen), [400, '7118'])
    assert.equal((await place.verify(body.transactionId, { ...proof, codeVerifier }, client)).status, 200)
  })

  test(`a repeated start with another challenge is another sign-in (${engine})`, async (t) => {
    const place = await scene(t, open)
    const client = await place.session()
    const [one, two] = [newVerifier(), newVerifier()]
    const start = async (codeChallenge: string, more: object = { ...flows.MAGIC_LINK.start, redirectUrl: appUrl }) =>
      (await place.start({ ...more, codeChallenge }, client)).body.transactionId
    const first = await start(one.codeChallenge)
    assert.equal(await start(one.codeChallenge), first)
    assert.notEqual(await start(two.codeChallenge), first)
    // An OTP needs none, so its person gets no second message.
    assert.equal(await start(one.codeChallenge, {}), await start(two.codeChallenge, {}))
  })
})
