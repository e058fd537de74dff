// How does the service identify this device? Engine call, then push. (specification 4.7)

import { collectFacts } from './collect/collect.ts'
import type { DeviceTokenStore } from './device-token.ts'
import { messageOf, RingfenceError } from './error.ts'
import type { Answer, Send } from './http.ts'
import { uuid } from './persistent-storage.ts'
import { withRetries } from './retries.ts'
import type { Session, Sessions } from './session.ts'
import type { IntelligenceAnswer, IntelligenceRequest, PushAnswer, SecureAnswer, WebFacts } from './wire.ts'

/** What you know about the person and the event. All fields are optional. (specification 2.7) */
export interface UpdateInfo {
  userId?: string
  phoneNumber?: string
  phoneInputType?: 'MANUAL' | 'COPY_PASTED' | 'GOOGLE_HINT'
  otpInputType?: 'MANUAL' | 'COPY_PASTED' | 'AUTO_FILLED'
  userEventType?: 'LOGIN' | 'SIGNUP' | 'TRANSACTION' | 'OTHERS'
  merchantId?: string
  additionalInput?: Readonly<Record<string, string>>
}

/** IntelligenceApiResponse of the specification (2.7). */
export interface Intelligence {
  /** Send it to your backend, which fetches the report with it. */
  dfrId: string
  /** The report, if the app's settings reveal it to the SDK. */
  intelligenceResponse?: Record<string, unknown>
  /** Include it in support requests. */
  requestId: string
}

export interface Fingerprinting {
  fetch(params: Readonly<Record<string, unknown>>, updateInfo?: UpdateInfo): Promise<Intelligence>
  secure(): Promise<string>
}

export interface FingerprintParts {
  readonly send: Send
  readonly sessions: Sessions
  readonly appId: string
  readonly inId: string
  readonly deviceToken: DeviceTokenStore
  /** Facts set to `false` are not collected. */
  readonly collect: Readonly<Record<string, boolean>>
  readonly factLimitMs: number
  wait(ms: number): Promise<void>
}

/** These are dropped from the params of a push (specification 4.7, rule 1). */
const reserved = ['data', 'status', 'requestId', 'message', 'tsId', 'inId', 'platform', 'appId']

export function fingerprinting(parts: FingerprintParts): Fingerprinting {
  const { send, sessions, appId, inId, deviceToken, wait } = parts
  /**
   * Calls run one after the other, because each one needs the challenge that the previous one
   * returned.
   */
  let previous: Promise<unknown> = Promise.resolve()

  async function facts(): Promise<WebFacts> {
    const [{ collect }, token] = await Promise.all([sessions.current(), deviceToken.get()])
    return collectFacts({
      context: { deviceToken: token },
      switches: [collect, parts.collect],
      limitMs: parts.factLimitMs,
    })
  }

  /** Sends the facts with the session's challenge, and stores the next challenge. */
  async function sendFacts<Body extends { nextChallenge: string; deviceToken?: string }>(
    session: Session,
    path: string,
    facts: WebFacts,
    updateInfo?: UpdateInfo,
  ): Promise<{ requestId: string; body: Body }> {
    const request: IntelligenceRequest = {
      requestId: uuid(),
      challenge: session.challenge,
      platform: 'WEB',
      sdkVersion,
      tsId: session.id,
      inId,
      facts: { ...facts },
      ...(updateInfo && { updateInfo: { ...updateInfo } }),
    }
    const { body } = await withRetries(async () => {
      const answer = await send<Body>(path, session.headers, request)
      if (answer.body?.nextChallenge === undefined) throw incomplete('nextChallenge', request.requestId)
      return answer
    }, wait)
    session.challenge = body.nextChallenge
    if (body.deviceToken !== undefined) deviceToken.set(body.deviceToken)
    return { requestId: request.requestId, body }
  }

  async function push(session: Session, requestId: string, params: object): Promise<Intelligence> {
    const allowed = Object.entries(params).filter(([name]) => !reserved.includes(name))
    const request = {
      ...Object.fromEntries(allowed),
      data: { requestId },
      status: 'SUCCESS',
      requestId,
      message: '',
      tsId: session.id,
      inId,
      platform: 'WEB',
      appId,
    }
    const { body } = await withRetries(async () => {
      const answer: Answer<PushAnswer> = await send('/sdk/v1/device-fingerprint', session.headers, request)
      if (!answer.body?.dfrId) throw incomplete('dfrId', requestId)
      return answer
    }, wait)
    return { requestId, ...body }
  }

  function inTurn<Value>(work: (session: Session) => Promise<Value>): Promise<Value> {
    const current = previous.then(() => sessions.run(work))
    previous = current.catch(() => {})
    return current.catch((error: unknown) => {
      throw asIntelligenceError(error)
    })
  }

  return {
    async fetch(params, updateInfo) {
      const collected = await facts()
      return inTurn(async (session) => {
        const { requestId } = await sendFacts<IntelligenceAnswer>(
          session,
          '/sdk/v1/intelligence',
          collected,
          updateInfo,
        )
        return push(session, requestId, params)
      })
    },
    async secure() {
      const collected = await facts()
      return inTurn(async (session) => (await sendFacts<SecureAnswer>(session, '/sdk/v1/secure', collected)).body.token)
    },
  }
}

/** Inserted by scripts/build-browser-sdk.ts. */
declare const sdkVersion: string

const incomplete = (field: string, requestId: string) =>
  new RingfenceError('intelligenceError', `The response has no ${field}`, { requestId })

function asIntelligenceError(error: unknown): RingfenceError {
  if (!(error instanceof RingfenceError))
    return new RingfenceError('unknown', 'Unknown intelligence error', { cause: error })
  const { requestId, status, errorCode } = error
  return new RingfenceError('intelligenceError', messageOf(error), { requestId, status, errorCode, cause: error })
}
