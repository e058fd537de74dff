// Can a person finish each sign-in that starts? The telecom gate may choose another way than the app asked for.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eachDatabase } from '../../testing/databases.ts'
import { createApp, type SdkClient, sdkClient } from '../../testing/sdk-client.ts'
import {
  appUrl,
  arrivalOf,
  backFromLink,
  backFromOperator,
  backFromProvider,
  exchanged,
  newVerifier,
  type Scene,
  scene,
} from './testing/return-urls.ts'
import { email, mobile } from './testing/sign-in-service.ts'
import { userOf } from './users.ts'

/** The sandbox swapped the SIM of this number. */
const swapped = { type: 'MOBILE', value: '61491570110' } as const
const methods = { OTP: 'EMAIL', MAGIC_LINK: 'EMAIL', OAUTH: 'GOOGLE' } as const

type Channel = 'OTP' | 'MAGIC_LINK' | 'OAUTH' | 'SILENT'

/** How a sign-in ends that starts with a redirectUrl and a challenge, with a redirectUrl, with a challenge, and with neither. */
type Ends = readonly [both: string, redirectUrl: string, challenge: string, neither: string]

const byOtp: Ends = ['otp', 'otp', 'otp', 'otp']
/** Without a redirectUrl, the app that asked for the link polls. */
const byLink: Ends = ['code', 'backend', 'status', 'status']
const byProvider: Ends = ['code', 'backend', 'nothing sent', 'nothing sent']
const bySim: Ends = ['code', 'backend', 'code', 'code']

/** By the channel that the app asks for and the one that the person gets. */
const ends: readonly (readonly [asked: Channel, got: Channel, Ends])[] = [
  ['OTP', 'OTP', byOtp],
  ['OTP', 'MAGIC_LINK', byLink],
  ['OTP', 'OAUTH', byProvider],
  ['MAGIC_LINK', 'OTP', byOtp],
  ['MAGIC_LINK', 'MAGIC_LINK', byLink],
  ['MAGIC_LINK', 'OAUTH', byProvider],
  ['OAUTH', 'OAUTH', ['code', 'backend', '7102', '7102']],
  ['SILENT', 'SILENT', bySim],
  ['SILENT', 'OTP', byOtp],
  ['SILENT', 'MAGIC_LINK', byLink],
  ['SILENT', 'OAUTH', byProvider],
]

interface Start {
  readonly asked: Channel
  readonly redirectUrl: string | undefined
  readonly verifier: ReturnType<typeof newVerifier> | undefined
  readonly identity: object | undefined
}

/** Does what the guides say with the answer to a start, and returns which step signed the person in. */
async function endOf(place: Scene, client: SdkClient, start: Start): Promise<string> {
  const { asked, redirectUrl, verifier, identity } = start
  const sent = () => place.parts.signIn.outbox.messages().length
  const before = sent()
  const method = asked === 'OAUTH' ? { method: 'GOOGLE' } : {}
  const codeChallenge = verifier?.codeChallenge
  const { body } = await place.start({ channel: asked, ...method, identity, redirectUrl, codeChallenge }, client)
  if (body.errorCode) return body.errorCode
  const { transactionId, channel, authorizationUrl, fallback } = body
  assert.ok(channel === asked || channel === 'OAUTH', `the answer shows that ${asked} became ${channel}`)

  const byCode = async (arrived: { transactionId: string; code: string }) => {
    assert.equal(arrived.transactionId, transactionId)
    const { code } = arrived
    if (verifier || redirectUrl === undefined) {
      const proof = { code, codeVerifier: verifier?.codeVerifier }
      return signedIn('code', await place.verify(transactionId, proof, client))
    }
    const stolen = await place.verify(transactionId, { code, codeVerifier: undefined }, client)
    assert.equal(stolen.body.errorCode, '7135')
    return signedIn('backend', await exchanged(place, { code }))
  }
  if (channel === 'OAUTH') return byCode(arrivalOf(await backFromProvider(place, authorizationUrl)))
  if (channel === 'SILENT') {
    const back = await backFromOperator(place, authorizationUrl)
    const location = back.headers.get('location')
    const result = (location ? Object.fromEntries(new URL(location).searchParams) : await back.json()) as {
      ringfence_code?: string
    }
    if (result.ringfence_code) return byCode({ transactionId, code: result.ringfence_code })
    return endOf(place, client, { ...start, asked: fallback })
  }
  if (sent() === before) return 'nothing sent'
  const otp = place.otp()
  if (otp) return signedIn('otp', await place.verify(transactionId, { otp }, client))
  const pressed = await backFromLink(place)
  if (redirectUrl !== undefined) return byCode(arrivalOf(pressed))
  const { body: state } = await place.status(transactionId, client)
  return signedIn('status', { status: 200, body: state.user })
}

function signedIn(way: string, { status, body }: { status: number; body: Record<string, string> }): string {
  assert.equal(status, 200, JSON.stringify(body))
  assert.ok(body.token ?? body.access_token)
  return way
}

eachDatabase(({ engine, open }) => {
  test(`each start ends as its guide says, whichever way the telecom gate chooses (${engine})`, async (t) => {
    const place = await scene(t, open)
    const identities = [swapped, email].map(({ type, value }) => ({
      identityType: type,
      identityValue: value,
      verified: true,
    }))
    await userOf(place.tenantId, { identities }, place.parts)
    const settings = { redirectUrls: [appUrl], signInElsewhere: true }
    for (const [asked, got, expected] of ends) {
      const isGated = asked !== 'OAUTH' && got !== 'SILENT'
      const stepUp = isGated && { channel: got, method: methods[got as keyof typeof methods] }
      const gate = stepUp && { simSwap: { onFound: 'stepUp' }, stepUp }
      const app = await createApp(place, { settings: { ...settings, ...(gate && { gate }) } })
      const seen: string[] = []
      for (const redirectUrl of [appUrl, undefined]) {
        for (const verifier of [newVerifier(), undefined]) {
          const client = await sdkClient(place, { app, platform: 'ANDROID' })
          const identity = asked === 'OAUTH' ? undefined : isGated ? swapped : mobile
          seen.push(await endOf(place, client, { asked, redirectUrl, verifier, identity }))
        }
      }
      assert.deepEqual(seen, expected, `${asked} that became ${got}`)
    }
  })
})
