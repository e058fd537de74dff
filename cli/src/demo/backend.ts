// How does the demo's shop call Ringfence? Its pages with the SDK calls, its backend with its client key, all over HTTP.

import { randomUUID } from 'node:crypto'
import { type Decision, endpoints, type SdkConfig, type SignInTransaction } from '@ringfence/contract'
import type { IssuedCredentials } from '@ringfence/server/clients/credentials.ts'
import type { DemoBrowser } from './browsers.ts'
import type { DemoPerson, IdentityType } from './session.ts'

export interface Backend {
  /** Config, engine call and push of the SDK. */
  visit(browser: DemoBrowser, at: { day: number; address: string; userId: string }): Promise<Visited>
  decide(request: object): Promise<Decision>
  /** The person signs in with a code by SMS, as the SDK does it. */
  enterCode(visited: Visited, who: DemoPerson, does: WithCode): Promise<void>
  /** A sign-in that the shop verified. `requestId`: with the device. */
  signIn(who: DemoPerson, by: IdentityType, requestId?: string): Promise<string>
  // biome-ignore lint/suspicious/noExplicitAny: bodies of several endpoints
  call(path: string, body: object): Promise<any>
}

/** `fails`: enters wrong ones only. */
export type WithCode = 'enters' | 'mistypes' | 'gives up' | 'fails'

export interface Visited {
  readonly dfrId: string
  readonly requestId: string
  /** Of the SDK's calls in this session. */
  readonly headers: Readonly<Record<string, string>>
}

export interface BackendOptions {
  readonly url: string
  readonly appId: string
  readonly credentials: IssuedCredentials
  readonly now: () => number
  /** The last message to a phone number. */
  readonly messageTo: (phoneNumber: string) => string
}

/** An origin of the sandbox app. */
const origin = 'http://localhost:3000'
const platform = 'WEB'
const wrongCodes: Readonly<Record<WithCode, number>> = { enters: 0, mistypes: 1, 'gives up': 0, fails: 3 }

export function backendOf({ url, appId, credentials, now, messageTo }: BackendOptions): Backend {
  async function send(path: string, headers: Readonly<Record<string, string>>, body?: object) {
    const response = await fetch(url + path, {
      method: body ? 'POST' : 'GET',
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer = await response.json()
    if (!response.ok) throw new Error(`${path} is answered ${response.status}: ${JSON.stringify(answer)}`)
    return answer
  }
  const call: Backend['call'] = (path, body) => send(path, { ...credentials }, body)
  return {
    call,
    async visit(browser, { day, address, userId }) {
      const { facts, headers: ofBrowser } = browser.shownOn(day)
      const asPage = { ...ofBrowser, appId, origin, 'x-forwarded-for': address }
      const query = new URLSearchParams({ packageName: origin, platform })
      const config = (await send(`${endpoints.sdkConfig.path}?${query}`, asPage)) as SdkConfig
      const headers = { ...asPage, authorization: `Bearer ${config.sessionToken}` }
      const session = { tsId: config.sessionId, inId: `${randomUUID()}-${Math.floor(now() / 1000)}`, platform }
      const requestId = randomUUID()
      const body = {
        ...{ requestId, challenge: config.challenge, sdkVersion: '0.1.0', ...session, facts },
        updateInfo: { userId },
      }
      await send(endpoints.intelligence.path, headers, { ...body, proof: browser.key().proofOf(body) })
      const push = { data: { requestId }, status: 'SUCCESS', requestId, message: '', ...session, appId }
      const { dfrId } = (await send(endpoints.pushFingerprint.path, headers, push)) as { dfrId: string }
      return { dfrId, requestId, headers }
    },
    async enterCode({ headers, dfrId }, { phoneNumber }, does) {
      const identity = { type: 'MOBILE', value: phoneNumber }
      const request = { channel: 'OTP', identity, dfrId }
      const { transactionId } = (await send(endpoints.signInStart.path, headers, request)) as SignInTransaction
      const code = /\d{6}/.exec(messageTo(phoneNumber))![0]
      const enter = (otp: string) => send(endpoints.signInVerify.path, headers, { transactionId, otp })
      const wrong = code === '112233' ? '332211' : '112233'
      // A wrong code is refused.
      for (let left = wrongCodes[does]; left > 0; left--) await enter(wrong).catch(() => undefined)
      if (does === 'enters' || does === 'mistypes') await enter(code)
    },
    decide: (request) => call(endpoints.decide.path, request),
    async signIn({ userId, phoneNumber, email }, identityType, requestId) {
      const ofPhone = identityType === 'MOBILE'
      const identity = {
        ...{ identityType, identityValue: ofPhone ? phoneNumber : email, channel: ofPhone ? 'OTP' : 'EMAIL' },
        ...{ methods: ['OTP'], verified: true, verifiedAt: new Date(now()).toISOString() },
      }
      const body = { userId, identities: [identity], ...(requestId !== undefined && { requestId }) }
      return (await call(endpoints.issueToken.path, body)).token
    },
  }
}
