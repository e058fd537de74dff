// How does the demo's shop call Ringfence? Its pages with the SDK calls, its backend with its client key, all over HTTP.

import { randomUUID } from 'node:crypto'
import { type Decision, endpoints } from '@ringfence/contract'
import type { IssuedCredentials } from '@ringfence/server/clients/credentials.ts'
import { pageOrigin } from '../../../testing/src/visitors/devices.ts'
import { openSession, type Recipient, type SdkSession } from '../../../testing/src/visitors/sdk-session.ts'
import type { DemoBrowser } from './browsers.ts'
import type { DemoPerson } from './session.ts'

export interface Backend {
  /** Config, engine call and push of the SDK. */
  visit(browser: DemoBrowser, at: { day: number; address: string; userId: string }): Promise<Visited>
  decide(request: object): Promise<Decision>
  /** The page asks for a code. Resolves with the token, when the person enters it. */
  enterCode(visited: Visited, to: Recipient, does?: WithCode): Promise<string | undefined>
  /** The shop has checked a password, which proves nobody. Resolves with the token that it issues. */
  checkPassword(visited: Visited, who: DemoPerson): Promise<string>
  // biome-ignore lint/suspicious/noExplicitAny: bodies of several endpoints
  call(path: string, body: object): Promise<any>
}

/** `fails`: enters wrong ones only. */
export type WithCode = 'enters' | 'mistypes' | 'gives up' | 'fails'

export interface Visited {
  readonly dfrId: string
  readonly requestId: string
  readonly page: SdkSession
}

export interface BackendOptions {
  readonly url: string
  readonly appId: string
  readonly credentials: IssuedCredentials
  readonly now: () => number
  /** The last message to a phone number or email address. */
  readonly messageTo: (recipient: string) => string
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
      const installationId = `${randomUUID()}-${Math.floor(now() / 1000)}`
      const web = { platform: 'WEB', packageName: pageOrigin } as const
      const device = { ...web, facts: () => facts, headers, installationId, key: browser.key() }
      const page = await openSession({ url, appId, device, address })
      return { page, ...(await page.report({ updateInfo: { userId } })) }
    },
    async enterCode({ page, dfrId }, to, does = 'enters') {
      const { transactionId } = await page.startSignIn(to, { dfrId })
      const code = /\d{6}/.exec(messageTo(to.value))![0]
      const wrong = code === '112233' ? '332211' : '112233'
      // A wrong code is refused.
      for (let left = wrongCodes[does]; left > 0; left--) await page.verify(transactionId, wrong).catch(() => undefined)
      return does === 'enters' || does === 'mistypes' ? (await page.verify(transactionId, code)).token : undefined
    },
    decide: (request) => call(endpoints.decide.path, request),
    async checkPassword({ requestId }, { userId, email }) {
      const identity = {
        ...{ identityType: 'EMAIL', identityValue: email, channel: 'PASSWORD', methods: ['PASSWORD'], verified: false },
      }
      const body = { userId, identities: [identity], requestId, userVerified: false }
      return (await call(endpoints.issueToken.path, body)).token
    },
  }
}
