// How does a made-up page call Ringfence? With the HTTP calls of the SDK: a session, a device, and a sign-in with a code.

import { randomUUID } from 'node:crypto'
import { endpoints, type SdkConfig, type SignedInUser, type SignInTransaction } from '@ringfence/contract'
import type { SigningKey } from './signing-key.ts'

export interface Page {
  /** Engine call and push. */
  sendDevice(device: SentDevice): Promise<Visited>
  /** A code is on its way to the person. */
  startSignIn(identity: Recipient, fingerprint?: Pick<Visited, 'dfrId'>): Promise<SignInTransaction>
  /** The person enters the code. */
  verify(transactionId: string, otp: string): Promise<SignedInUser>
}

export interface SentDevice {
  readonly facts: object
  readonly key: SigningKey
  /** What the page calls its user. */
  readonly userId?: string
}

export interface Visited {
  readonly dfrId: string
  readonly requestId: string
}

export interface Recipient {
  readonly type: 'MOBILE' | 'EMAIL'
  readonly value: string
}

export interface PageOptions {
  readonly url: string
  readonly appId: string
  /** Of its browser. */
  readonly headers?: Readonly<Record<string, string>>
  readonly now?: () => number
}

/** Of the page; the sandbox app lists it. */
const origin = 'http://localhost:3000'
const platform = 'WEB'

/** Opens a session. Each call throws a PageRefused when the service refuses it. */
export async function openPage({ url, appId, headers = {}, now = Date.now }: PageOptions): Promise<Page> {
  const asPage = { ...headers, appId, origin }
  const query = new URLSearchParams({ packageName: origin, platform })
  const config = (await send(`${url}${endpoints.sdkConfig.path}?${query}`, asPage)) as SdkConfig
  const inSession = { ...asPage, authorization: `Bearer ${config.sessionToken}` }
  const session = { tsId: config.sessionId, inId: `${randomUUID()}-${Math.floor(now() / 1000)}`, platform }
  const post = (path: string, body: object) => send(url + path, inSession, body)
  return {
    async sendDevice({ facts, key, userId }) {
      const requestId = randomUUID()
      const body = {
        ...{ requestId, challenge: config.challenge, sdkVersion: '0.1.0', ...session, facts },
        ...(userId !== undefined && { updateInfo: { userId } }),
      }
      await post(endpoints.intelligence.path, { ...body, proof: key.proofOf(body) })
      const push = { data: { requestId }, status: 'SUCCESS', requestId, message: '', ...session, appId }
      const { dfrId } = (await post(endpoints.pushFingerprint.path, push)) as { dfrId: string }
      return { dfrId, requestId }
    },
    async startSignIn(identity, fingerprint) {
      const dfrId = fingerprint && { dfrId: fingerprint.dfrId }
      const request = { channel: 'OTP', identity, ...dfrId }
      return (await post(endpoints.signInStart.path, request)) as SignInTransaction
    },
    async verify(transactionId, otp) {
      return (await post(endpoints.signInVerify.path, { transactionId, otp })) as SignedInUser
    },
  }
}

/** The service refused a call of a page. The message says why. */
export class PageRefused extends Error {
  override name = 'PageRefused'
}

async function send(url: string, headers: Readonly<Record<string, string>>, body?: object): Promise<unknown> {
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as { description?: string; errorMessage?: string }
  if (response.ok) return answer
  const { description, errorMessage } = answer
  throw new PageRefused(description ?? errorMessage ?? `${url} is answered ${response.status}`)
}
