// How does a page or an app call Ringfence? With the HTTP calls of its SDK: a session, reports of the device, and a sign-in.

import { randomUUID } from 'node:crypto'
import type { IntelligenceAnswer, SdkConfig, SignedInUser, SignInTransaction } from '@ringfence/contract'
import { send } from '../send.ts'
import { pageOrigin, type VisitingDevice } from './devices.ts'

export interface SdkSession {
  /** Engine call and push. */
  report(input: ReportInput): Promise<Visited>
  /** A code or link is on its way to the person. */
  startSignIn(
    identity: Recipient,
    more?: { dfrId?: string | undefined; channel?: 'OTP' | 'MAGIC_LINK' },
  ): Promise<SignInTransaction>
  /** The person enters the code. */
  verify(transactionId: string, otp: string): Promise<SignedInUser>
}

export interface ReportInput {
  /** What a page says about person and event. */
  readonly updateInfo?: object
  readonly params?: object
}

export interface Visited {
  readonly dfrId: string
  readonly requestId: string
}

/** Who gets a code: digits with country code, or an email address. */
export interface Recipient {
  readonly type: 'MOBILE' | 'EMAIL'
  readonly value: string
}

export interface SdkSessionOptions {
  readonly url: string
  readonly appId: string
  /** Absent: a page that sends no report. */
  readonly device?: VisitingDevice | undefined
  /** From which the calls come; by default that of this machine. */
  readonly address?: string | undefined
}

const version = '0.1.0'

/** Opens a session. Each call throws a CallRefused when the service refuses it. */
export async function openSession({ url, appId, device, address }: SdkSessionOptions): Promise<SdkSession> {
  const { platform, packageName } = device ?? { platform: 'WEB', packageName: pageOrigin }
  const headers = {
    ...device?.headers,
    appId,
    ...(platform === 'WEB' && { origin: packageName }),
    ...(address !== undefined && { 'x-forwarded-for': address }),
  }
  const query = new URLSearchParams({ packageName, platform })
  const config = await send<SdkConfig>(`${url}/sdk/v1/device-fingerprint/config?${query}`, { headers })
  const inSession = { ...headers, authorization: `Bearer ${config.sessionToken}` }
  const post = <Answer>(path: string, body: object) => send<Answer>(url + path, { headers: inSession, body })
  const call = { tsId: config.sessionId, inId: device?.installationId ?? '', platform }
  let { challenge } = config

  return {
    async report({ updateInfo, params }) {
      if (!device) throw new Error('a page without a device sends no report')
      const requestId = randomUUID()
      const body = {
        ...{ requestId, challenge, sdkVersion: version, ...call, facts: device.facts() },
        ...(updateInfo && { updateInfo }),
      }
      const proof = device.key && { proof: device.key.proofOf(body) }
      const attestation = device.attestationOf?.(body)
      const proved = { ...body, ...proof, ...(attestation && { attestation }) }
      const answer = await post<IntelligenceAnswer>('/sdk/v1/intelligence', proved)
      challenge = answer.nextChallenge
      if (answer.deviceToken !== undefined) device.storeToken?.(answer.deviceToken)
      const push = { ...params, data: { requestId }, status: 'SUCCESS', requestId, message: '', ...call, appId }
      const { dfrId } = await post<{ dfrId: string }>('/sdk/v1/device-fingerprint', push)
      return { dfrId, requestId }
    },
    startSignIn: (identity, { dfrId, channel = 'OTP' } = {}) =>
      post('/sdk/v1/auth/start', { channel, identity, ...(dfrId !== undefined && { dfrId }) }),
    verify: (transactionId, otp) => post('/sdk/v1/auth/verify', { transactionId, otp }),
  }
}
