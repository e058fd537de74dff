// Can a page keep the calls that it wrote for the headless SDK of this interface? `new OTPless(callback)` over our SDK.

import { messageOf, RingfenceError } from '../error.ts'
import type { Ringfence } from '../ringfence.ts'
import type { SignInRequest } from '../sign-in.ts'
import type { SignedInUser } from '../wire.ts'

/** One shape for the results of `initiate` and `verify`, and for events. */
export interface HeadlessResponse {
  /** INITIATE and VERIFY for results; ONETAP, OTP_AUTO_READ and FAILED for events. */
  readonly responseType: string
  readonly success: boolean
  /** HTTP status of the service, or 0 if there was no response. */
  readonly statusCode: number
  readonly response: Readonly<Record<string, unknown>>
}

export interface HeadlessRequest {
  readonly channel: 'PHONE' | 'EMAIL' | 'OAUTH'
  readonly phone?: string
  readonly countryCode?: string
  readonly email?: string
  /** OAUTH: the identity provider. GMAIL is our method GOOGLE, TRUE_CALLER is TRUECALLER. */
  readonly channelType?: string
  /** PHONE: SMS, WHATSAPP … Default: the app's first channel. */
  readonly deliveryChannel?: string
  readonly otpLength?: number | string
  readonly deviceFingerprintMode?: 'NONE' | 'ASYNC' | 'SYNC'
  /** An object, or its JSON. The ONETAP event returns it. */
  readonly metaData?: string | Readonly<Record<string, unknown>>
  /** OAUTH: default: this page. */
  readonly redirectUrl?: string
}

export interface HeadlessVerification extends Pick<HeadlessRequest, 'channel' | 'phone' | 'countryCode' | 'email'> {
  readonly otp: string
}

type HeadlessListener = (event: HeadlessResponse) => void

export interface Headless {
  initiate(request: HeadlessRequest): Promise<HeadlessResponse>
  verify(request: HeadlessVerification): Promise<HeadlessResponse>
  /** An event and its listener, or a map of them. Returns a function that removes them. */
  on(type: string | Readonly<Record<string, HeadlessListener>>, listener?: HeadlessListener): () => void
  off(type: string, listener: HeadlessListener): void
}

const methods: Readonly<Record<string, string>> = { GMAIL: 'GOOGLE', TRUE_CALLER: 'TRUECALLER' }
const digits = (text: unknown) => String(text ?? '').replace(/\D/g, '')

/** The class for `window.OTPless`. The first instance initialises the SDK and completes the return from an identity provider. */
export function headlessClass(ringfence: Ringfence, appId: string): new (callback?: HeadlessListener) => Headless {
  const listeners = new Set<HeadlessListener>()
  /** The listeners of `on`, for `off`. */
  const named: { readonly type: string; readonly listener: HeadlessListener; readonly added: HeadlessListener }[] = []
  let opened: Promise<boolean> | undefined
  let metaData: HeadlessRequest['metaData']
  let requestID: string | undefined
  let reading: AbortController | undefined

  function emit(responseType: string, success: boolean, statusCode: number, response: HeadlessResponse['response']) {
    for (const listener of [...listeners]) {
      try {
        listener({ responseType, success, statusCode, response })
      } catch (error) {
        reportError(error) // the page's error must not stop the sign-in
      }
    }
  }

  async function open(): Promise<boolean> {
    const isOpen = await ringfence.initialize(appId)
    if (!isOpen) emit('FAILED', false, 0, { errorMessage: 'SDK not initialised', errorCode: 'notConfigured' })
    else if (new URLSearchParams(location.search).has('ringfence_transaction')) {
      try {
        const user = await ringfence.signIn.completeReturn()
        if (user) signedIn(user)
      } catch (error) {
        emit('FAILED', false, ...failure(error))
      }
    }
    return isOpen
  }

  function signedIn(user: SignedInUser): void {
    emit('ONETAP', true, 200, { ...user, ...(metaData !== undefined && { metaData }) })
  }

  /** Web OTP API: browsers on Android read the code from the SMS, whose last line names this site. */
  function readOtp(): void {
    if (!('OTPCredential' in globalThis)) return
    reading = new AbortController()
    const request = { otp: { transport: ['sms'] }, signal: reading.signal } as CredentialRequestOptions
    navigator.credentials.get(request).then(
      (credential) => {
        const otp = credential && Reflect.get(credential, 'code')
        if (otp) emit('OTP_AUTO_READ', true, 200, { otp })
      },
      () => {}, // aborted, or no SMS came
    )
  }

  /** Runs a call, and returns its failure as a result. */
  async function result(
    responseType: string,
    call: () => Promise<HeadlessResponse['response']>,
  ): Promise<HeadlessResponse> {
    try {
      if (!(await opened)) throw new RingfenceError('notConfigured', 'SDK not initialised')
      return { responseType, success: true, statusCode: 200, response: await call() }
    } catch (error) {
      const [statusCode, response] = failure(error)
      return { responseType, success: false, statusCode, response }
    }
  }

  return class OTPless implements Headless {
    constructor(callback?: HeadlessListener) {
      if (callback) listeners.add(callback)
      opened ??= open()
    }

    initiate(request: HeadlessRequest): Promise<HeadlessResponse> {
      return result('INITIATE', async () => {
        metaData = request.metaData
        const { start, method } = signInOf(request)
        if (start === undefined) {
          const { redirectUrl, deviceFingerprintMode } = request
          const optional = {
            ...(redirectUrl && { redirectUrl }),
            ...(deviceFingerprintMode && { deviceFingerprintMode }),
          }
          await ringfence.signIn.redirect({ method, ...optional })
          return { channel: 'OAUTH' }
        }
        const started = await ringfence.signIn.start(start)
        requestID = started.transactionId
        reading?.abort()
        if (request.channel === 'PHONE') readOtp()
        return { requestID, channel: request.channel, authType: 'OTP', deliveryChannel: started.method }
      })
    }

    async verify({ otp }: HeadlessVerification): Promise<HeadlessResponse> {
      const verified = await result('VERIFY', async () => {
        const user = await ringfence.signIn.verify({ otp: String(otp), ...(requestID && { transactionId: requestID }) })
        reading?.abort()
        signedIn(user)
        return { verification: 'COMPLETED', requestID, token: user.token, userId: user.userId }
      })
      if (!verified.success) emit('FAILED', false, verified.statusCode, verified.response)
      return verified
    }

    on(type: string | Readonly<Record<string, HeadlessListener>>, listener?: HeadlessListener): () => void {
      const map = typeof type !== 'string' ? type : listener ? { [type]: listener } : {}
      const added = Object.entries(map).map(([type, listener]) => {
        const only: HeadlessListener = (event) => event.responseType === type && listener(event)
        listeners.add(only)
        named.push({ type, listener, added: only })
        return only
      })
      return () => {
        for (const one of added) listeners.delete(one)
      }
    }

    off(type: string, listener: HeadlessListener): void {
      for (const one of named) if (one.type === type && one.listener === listener) listeners.delete(one.added)
    }
  }
}

/** `start` is undefined for an identity provider, to which the page redirects. */
function signInOf(request: HeadlessRequest): { start?: SignInRequest; method: string } {
  const { channel, channelType, deliveryChannel, deviceFingerprintMode, otpLength } = request
  if (channel === 'OAUTH') return { method: methods[channelType ?? ''] ?? channelType ?? '' }
  const method = deliveryChannel ?? ''
  const identity =
    channel === 'EMAIL'
      ? { type: 'EMAIL' as const, value: String(request.email ?? '') }
      : { type: 'MOBILE' as const, value: digits(request.countryCode) + digits(request.phone) }
  const start: SignInRequest = {
    channel: 'OTP',
    identity,
    ...(method && { method }),
    ...(otpLength && { otpLength: Number(otpLength) }),
    ...(deviceFingerprintMode && { deviceFingerprintMode }),
  }
  return { start, method }
}

function failure(error: unknown): [statusCode: number, response: HeadlessResponse['response']] {
  const { status = 0, errorCode, code, requestId } = error instanceof RingfenceError ? error : ({} as RingfenceError)
  return [status, { errorMessage: messageOf(error), errorCode: errorCode ?? code ?? 'unknown', requestID: requestId }]
}
