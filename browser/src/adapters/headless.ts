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
  /** OAUTH: default: this page. Others: if the app's telecom gate may step up to a magic link or an identity provider. */
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
  const flow = new HeadlessFlow(ringfence, appId)
  return class OTPless implements Headless {
    constructor(callback?: HeadlessListener) {
      flow.open(callback)
    }

    initiate(request: HeadlessRequest): Promise<HeadlessResponse> {
      return flow.initiate(request)
    }

    verify(verification: HeadlessVerification): Promise<HeadlessResponse> {
      return flow.verify(verification)
    }

    on(type: string | Readonly<Record<string, HeadlessListener>>, listener?: HeadlessListener): () => void {
      return flow.on(type, listener)
    }

    off(type: string, listener: HeadlessListener): void {
      flow.off(type, listener)
    }
  }
}

/** What all instances of a page share. */
class HeadlessFlow implements Headless {
  readonly #ringfence: Ringfence
  readonly #appId: string
  readonly #listeners = new Set<HeadlessListener>()
  /** The listeners of `on`, for `off`. */
  readonly #named: { type: string; listener: HeadlessListener; added: HeadlessListener }[] = []
  #opened: Promise<boolean> | undefined
  #metaData: HeadlessRequest['metaData']
  #requestID: string | undefined
  #reading: AbortController | undefined

  constructor(ringfence: Ringfence, appId: string) {
    this.#ringfence = ringfence
    this.#appId = appId
  }

  open(callback: HeadlessListener | undefined): void {
    if (callback) this.#listeners.add(callback)
    this.#opened ??= this.#open()
  }

  initiate(request: HeadlessRequest): Promise<HeadlessResponse> {
    const { signIn } = this.#ringfence
    return this.#result('INITIATE', async () => {
      this.#metaData = request.metaData
      const { start, method } = signInOf(request)
      if (start === undefined) {
        const { redirectUrl, deviceFingerprintMode } = request
        await signIn.redirect({
          method,
          ...(redirectUrl && { redirectUrl }),
          ...(deviceFingerprintMode && { deviceFingerprintMode }),
        })
        return { channel: 'OAUTH' }
      }
      const started = await signIn.start(start)
      this.#requestID = started.transactionId
      this.#reading?.abort()
      if (started.channel === 'OAUTH') {
        location.assign(started.authorizationUrl as string)
        return { channel: 'OAUTH' }
      }
      if (request.channel === 'PHONE') this.#readOtp()
      return { requestID: this.#requestID, channel: request.channel, authType: 'OTP', deliveryChannel: started.method }
    })
  }

  async verify({ otp }: HeadlessVerification): Promise<HeadlessResponse> {
    const verified = await this.#result('VERIFY', async () => {
      const requestID = this.#requestID
      const user = await this.#ringfence.signIn.verify({
        otp: String(otp),
        ...(requestID && { transactionId: requestID }),
      })
      this.#reading?.abort()
      this.#signedIn(user)
      return { verification: 'COMPLETED', requestID: this.#requestID, token: user.token, userId: user.userId }
    })
    if (!verified.success) this.#emit('FAILED', false, verified.statusCode, verified.response)
    return verified
  }

  on(type: string | Readonly<Record<string, HeadlessListener>>, listener?: HeadlessListener): () => void {
    const map = typeof type !== 'string' ? type : listener ? { [type]: listener } : {}
    const added = Object.entries(map).map(([type, listener]) => {
      const only: HeadlessListener = (event) => event.responseType === type && listener(event)
      this.#listeners.add(only)
      this.#named.push({ type, listener, added: only })
      return only
    })
    return () => {
      for (const one of added) this.#listeners.delete(one)
    }
  }

  off(type: string, listener: HeadlessListener): void {
    for (const one of this.#named) if (one.type === type && one.listener === listener) this.#listeners.delete(one.added)
  }

  async #open(): Promise<boolean> {
    const isOpen = await this.#ringfence.initialize(this.#appId)
    if (!isOpen) this.#emit('FAILED', false, 0, { errorMessage: 'SDK not initialised', errorCode: 'notConfigured' })
    else if (new URLSearchParams(location.search).has('ringfence_transaction')) {
      try {
        const user = await this.#ringfence.signIn.completeReturn()
        if (user) this.#signedIn(user)
      } catch (error) {
        this.#emit('FAILED', false, ...failure(error))
      }
    }
    return isOpen
  }

  #emit(responseType: string, success: boolean, statusCode: number, response: HeadlessResponse['response']): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener({ responseType, success, statusCode, response })
      } catch (error) {
        reportError(error) // the page's error must not stop the sign-in
      }
    }
  }

  #signedIn(user: SignedInUser): void {
    const metaData = this.#metaData
    this.#emit('ONETAP', true, 200, { ...user, ...(metaData !== undefined && { metaData }) })
  }

  /** Web OTP API: browsers on Android read the code from the SMS, whose last line names this site. */
  #readOtp(): void {
    if (!('OTPCredential' in globalThis)) return
    this.#reading = new AbortController()
    const request = { otp: { transport: ['sms'] }, signal: this.#reading.signal } as CredentialRequestOptions
    navigator.credentials.get(request).then(
      (credential) => {
        const otp = credential && Reflect.get(credential, 'code')
        if (otp) this.#emit('OTP_AUTO_READ', true, 200, { otp })
      },
      () => {}, // aborted, or no SMS came
    )
  }

  /** Runs a call, and returns its failure as a result. */
  async #result(responseType: string, call: () => Promise<HeadlessResponse['response']>): Promise<HeadlessResponse> {
    try {
      if (!(await this.#opened)) throw new RingfenceError('notConfigured', 'SDK not initialised')
      return { responseType, success: true, statusCode: 200, response: await call() }
    } catch (error) {
      const [statusCode, response] = failure(error)
      return { responseType, success: false, statusCode, response }
    }
  }
}

/** `start` is undefined for an identity provider, to which the page redirects. */
function signInOf(request: HeadlessRequest): { start?: SignInRequest; method: string } {
  const { channel, channelType, deliveryChannel, deviceFingerprintMode, otpLength, redirectUrl } = request
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
    ...(redirectUrl && { redirectUrl }),
    ...(deviceFingerprintMode && { deviceFingerprintMode }),
  }
  return { start, method }
}

function failure(error: unknown): [statusCode: number, response: HeadlessResponse['response']] {
  const { status = 0, errorCode, code, requestId } = error instanceof RingfenceError ? error : ({} as RingfenceError)
  return [status, { errorMessage: messageOf(error), errorCode: errorCode ?? code ?? 'unknown', requestID: requestId }]
}
