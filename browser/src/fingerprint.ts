// How does the service identify this device? Engine call, then push. (specification 4.7)

import { collectFacts } from './collect/collect.ts'
import type { Collected } from './collect/readings.ts'
import type { DeviceTokenStore } from './device-token.ts'
import { messageOf, RingfenceError } from './error.ts'
import type { Answer, Send } from './http.ts'
import type { InstallationKey } from './installation-key.ts'
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
  readonly installationKey: InstallationKey
  /** Facts set to `false` are not collected. */
  readonly collect: Readonly<Record<string, boolean>>
  readonly factLimitMs: number
  wait(ms: number): Promise<void>
}

/** These are dropped from the params of a push (specification 4.7, rule 1). */
const reserved = ['data', 'status', 'requestId', 'message', 'tsId', 'inId', 'platform', 'appId']

export function fingerprinting(parts: FingerprintParts): Fingerprinting {
  const { send, sessions, appId, inId, deviceToken, installationKey, wait } = parts
  /**
   * Calls run one after the other, because each one needs the challenge that the previous one
   * returned.
   */
  let previous: Promise<unknown> = Promise.resolve()

  async function collected(): Promise<Collected<WebFacts>> {
    installationKey.prepare()
    const [{ collect }, token] = await Promise.all([sessions.current(), deviceToken.get()])
    return collectFacts({
      context: { deviceToken: token },
      switches: [collect, parts.collect],
      limitMs: parts.factLimitMs,
    })
  }

  /** Sends the facts with the session's challenge, and stores the next challenge. */
  async function sendFacts<Body extends { nextChallenge: string; deviceToken?: string }>(
    path: string,
    { session, requestId, facts, missing }: Turn,
    content: Pick<IntelligenceRequest, 'updateInfo' | 'carry'> = {},
  ): Promise<Body> {
    const request = plainJson<IntelligenceRequest>({
      requestId,
      challenge: session.challenge,
      platform: 'WEB',
      sdkVersion,
      tsId: session.id,
      inId,
      facts: { ...facts },
      factsMissing: missing,
      ...content,
    })
    const proof = await installationKey.proofOf(request)
    const { body } = await withRetries(async () => {
      const answer = await send<Body>(path, session.headers, { ...request, ...(proof && { proof }) })
      if (answer.body?.nextChallenge === undefined) throw incomplete('nextChallenge', requestId)
      return answer
    }, wait)
    session.challenge = body.nextChallenge
    if (body.deviceToken !== undefined) deviceToken.set(body.deviceToken)
    return body
  }

  async function push({ session, requestId }: Turn, params: object, analysis?: string): Promise<Intelligence> {
    const allowed = Object.entries(params).filter(([name]) => !reserved.includes(name))
    const request = {
      ...Object.fromEntries(allowed),
      data: { requestId, analysis },
      status: 'SUCCESS',
      requestId,
      message: '',
      tsId: session.id,
      inId,
      platform: 'WEB',
      appId,
    }
    const { body } = await withRetries(async () => {
      const answer: Answer<PushAnswer> = await send('/sdk/v1/device-fingerprint', session.headers, request, {
        outlivesPage: true,
      })
      if (!answer.body?.dfrId) throw incomplete('dfrId', requestId)
      return answer
    }, wait)
    return { requestId, ...body }
  }

  function inTurn<Value>(work: (turn: Turn) => Promise<Value>): Promise<Value> {
    const collecting = collected()
    collecting.catch(() => {}) // thrown below
    let requestId = uuid()
    const current = previous.then(() =>
      sessions.run(async (session) => {
        requestId = uuid() // a new session must not repeat it
        return work({ session, requestId, ...(await collecting) })
      }),
    )
    previous = current.catch(() => {})
    return current.catch((error: unknown) => {
      throw asIntelligenceError(error, requestId)
    })
  }

  return {
    fetch: (params, updateInfo) =>
      inTurn(async (turn) => {
        const { analysis } = await sendFacts<IntelligenceAnswer>('/sdk/v1/intelligence', turn, {
          ...(updateInfo && { updateInfo: { ...updateInfo } }),
          carry: true,
        })
        return push(turn, params, analysis)
      }),
    secure: () => inTurn(async (turn) => (await sendFacts<SecureAnswer>('/sdk/v1/secure', turn)).token),
  }
}

/** One analysis: its session, the id that the SDK made for it, and what it sends. */
interface Turn extends Collected<WebFacts> {
  readonly session: Session
  readonly requestId: string
}

/** A copy that the page cannot change, so that retries send the bytes that were signed. */
const plainJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value

/** Inserted by scripts/build-browser-sdk.ts. */
declare const sdkVersion: string

const incomplete = (field: string, requestId: string) =>
  new RingfenceError('intelligenceError', `The response has no ${field}`, { requestId })

/** With the id of the service, or else of the request, such as when the network failed. */
function asIntelligenceError(error: unknown, ownId: string): RingfenceError {
  if (!(error instanceof RingfenceError))
    return new RingfenceError('unknown', 'Unknown intelligence error', { requestId: ownId, cause: error })
  const { requestId = ownId, status, errorCode } = error
  return new RingfenceError('intelligenceError', messageOf(error), { requestId, status, errorCode, cause: error })
}
