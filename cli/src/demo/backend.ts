// How does the demo's shop call Ringfence? Its pages with the SDK calls, its backend with its client key, all over HTTP.

import { type Decision, endpoints } from '@ringfence/contract'
import type { IssuedCredentials } from '@ringfence/server/clients/credentials.ts'
import { openPage, type Page } from '../sign-in/page.ts'
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
  readonly page: Page
}

export interface BackendOptions {
  readonly url: string
  readonly appId: string
  readonly credentials: IssuedCredentials
  readonly now: () => number
  /** The last message to a phone number. */
  readonly messageTo: (phoneNumber: string) => string
}

const wrongCodes: Readonly<Record<WithCode, number>> = { enters: 0, mistypes: 1, 'gives up': 0, fails: 3 }

export function backendOf({ url, appId, credentials, now, messageTo }: BackendOptions): Backend {
  const call: Backend['call'] = async (path, body) => {
    const headers = { ...credentials, 'content-type': 'application/json' }
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const answer = await response.json()
    if (!response.ok) throw new Error(`${path} is answered ${response.status}: ${JSON.stringify(answer)}`)
    return answer
  }
  return {
    call,
    async visit(browser, { day, address, userId }) {
      const { facts, headers } = browser.shownOn(day)
      const page = await openPage({ url, appId, headers: { ...headers, 'x-forwarded-for': address }, now })
      return { page, ...(await page.sendDevice({ facts, key: browser.key(), userId })) }
    },
    async enterCode({ page, dfrId }, { phoneNumber }, does) {
      const { transactionId } = await page.startSignIn({ type: 'MOBILE', value: phoneNumber }, { dfrId })
      const code = /\d{6}/.exec(messageTo(phoneNumber))![0]
      const wrong = code === '112233' ? '332211' : '112233'
      // A wrong code is refused.
      for (let left = wrongCodes[does]; left > 0; left--) await page.verify(transactionId, wrong).catch(() => undefined)
      if (does === 'enters' || does === 'mistypes') await page.verify(transactionId, code)
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
