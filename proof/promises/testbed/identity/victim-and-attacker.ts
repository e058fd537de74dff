// How do a victim and an attacker visit? Over HTTP with an SDK's calls; an attacker has read the source and signs what it wants.

import { randomUUID } from 'node:crypto'
import { endpoints, type WebFacts } from '@ringfence/contract'
import type { App } from '../../../../server/src/apps/app.ts'
import type { InstallationKey } from '../../../../server/src/testing/installation-key.ts'
import { ordinaryFacts, type SdkClient, sdkClient } from '../../../../server/src/testing/sdk-client.ts'
import type { TestAnswer, TestService } from '../../../../server/src/testing/test-service.ts'

/** An ordinary browser without any suspicious fact, with changes. */
export const machine = (changes: WebFacts = {}): WebFacts => ({ ...(ordinaryFacts as WebFacts), ...changes })

/** Where an attack takes place: a new store, with one app. */
export interface Scene {
  readonly service: TestService
  readonly app: App
}

/** What a browser or an attacker's program sends. */
export interface Sent {
  readonly facts: WebFacts
  /** The IP address, as a proxy reports it. */
  readonly address: string
  readonly key?: InstallationKey
  readonly deviceToken?: string | undefined
  /** The user that the page names. */
  readonly userId?: string
}

/** What the visit left behind, as the tenant's backend reads it. */
export interface Seen {
  readonly requestId: string
  readonly dfrId: string
  readonly deviceId: string | undefined
  /** The token that the browser receives. */
  readonly deviceToken: string | undefined
  readonly risk: number
  readonly rules: readonly string[]
  readonly identification:
    | { readonly by?: string; readonly confidence?: number; readonly token?: string; readonly likely?: object }
    | undefined
}

interface Visit extends Seen {
  /** Of the page. */
  readonly sdk: SdkClient
}

/** The installation that a token belongs to. */
export const installationOf = (deviceToken: string | undefined) => deviceToken?.split('.')[0]

/** What a browser with these facts sends. */
export const headersOf = ({ userAgent = '', languages = [] }: WebFacts, address: string) => ({
  'x-forwarded-for': address,
  'user-agent': userAgent,
  'accept-language': languages.join(','),
})

/** One session of one page, as the SDK does it: the engine call carries its analysis to the push, and the backend reads the report. */
export async function visit({ service, app }: Scene, sent: Sent): Promise<Visit> {
  const { facts, address, key, deviceToken, userId } = sent
  service.clock.advance({ seconds: 2 })
  const headers = headersOf(facts, address)
  const sdk = await sdkClient(service, { app, headers, ...(key && { key }) })
  const { requestId, ...answer } = await sdk.analyse(
    { ...facts, ...(deviceToken !== undefined && { deviceToken }) },
    { carry: true, ...(userId !== undefined && { updateInfo: { userId } }) },
  )
  const data = { requestId, analysis: answer.analysis }
  const push = await sdk.post(endpoints.pushFingerprint.path, { ...sdk.pushBody(requestId), data })
  if (push.status !== 200) throw new Error(`the push is answered ${push.status} ${JSON.stringify(push.body)}`)
  const report = await reportOf({ service, app }, push.body.dfrId)
  return { ...report, requestId, deviceToken: answer.deviceToken, sdk }
}

/** The report of a visit. `asked`: what the backend asks, such as the user who has signed in. */
export async function reportOf(
  { service }: Scene,
  dfrId: string,
  asked: { userId?: string; userVerified?: boolean } = {},
): Promise<Omit<Seen, 'requestId' | 'deviceToken'>> {
  const question = { dfrId, deviceType: 'WEB', include: ['identification'], ...asked }
  const { status, body } = await service.post(endpoints.deviceFingerprint.path, question)
  if (status !== 200) throw new Error(`the report is answered ${status} ${JSON.stringify(body)}`)
  return {
    dfrId,
    deviceId: body.deviceId,
    risk: body.deviceRiskScore,
    rules: Object.keys(body.appliedRules.rules),
    identification: body.identification,
  }
}

/** A person's browser: it keeps its token, and visits from home. */
export interface Person {
  readonly facts: WebFacts
  readonly address: string
  readonly key: InstallationKey | undefined
  readonly userId: string
  /** The token of the last visit. */
  token(): string | undefined
  /** Ids of the installations that the service has named in its tokens. */
  readonly installations: ReadonlySet<string>
  /** Signs in with a code to the person's email address; the backend says which user that is. */
  visit(): Promise<Seen>
  /** The same browser after its storage was cleared; the person's own token stays. */
  visitCleared(key?: InstallationKey): Promise<Seen>
}

export function openPerson(
  scene: Scene,
  { facts, address, key }: Pick<Sent, 'facts' | 'address'> & { key?: InstallationKey | undefined },
): Person {
  const userId = `user-${randomUUID()}`
  const installations = new Set<string>()
  let token: string | undefined
  let signedIn = Promise.resolve()
  const arrive = async (more: Partial<Sent>) => {
    const seen = await visit(scene, { facts, address, userId, ...more })
    // Codes arrive at one mailbox: of two tabs, one is signed in after the other.
    signedIn = signedIn.then(async () => {
      const token = await signIn(scene, seen, `${userId}@example.com`)
      await granted(scene.service.post(endpoints.linkUser.path, { token, userId }), 'the link')
    })
    await signedIn
    return seen
  }
  return {
    facts,
    address,
    key,
    userId,
    installations,
    token: () => token,
    async visit() {
      const seen = await arrive({ deviceToken: token, ...(key && { key }) })
      token = seen.deviceToken ?? token
      const installation = installationOf(token)
      if (installation !== undefined) installations.add(installation)
      return seen
    },
    visitCleared: (newKey) => arrive({ ...(newKey && { key: newKey }) }),
  }
}

/** The person enters the code that the page asked for. */
async function signIn({ service }: Scene, { sdk, dfrId }: Visit, email: string): Promise<string> {
  const identity = { type: 'EMAIL', value: email }
  const start = sdk.post(endpoints.signInStart.path, { channel: 'OTP', identity, dfrId })
  const { transactionId } = await granted(start, 'the start')
  const otp = /^\d+/.exec(service.parts.signIn.outbox.messages().at(-1)!.text)![0]
  return (await granted(sdk.post(endpoints.signInVerify.path, { transactionId, otp }), 'the code')).token
}

async function granted(call: Promise<TestAnswer>, what: string): Promise<TestAnswer['body']> {
  const { status, body } = await call
  if (status !== 200) throw new Error(`${what} is answered ${status} ${JSON.stringify(body)}`)
  return body
}
