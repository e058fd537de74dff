// How does a React Native app sign people in with its own screens? The operations of the SDKs of iOS and Android, with promises.

import { bridged } from './bridged.ts'
import type { UpdateInfo } from './device-intelligence.ts'
import type { Spec } from './NativeRingfenceDeviceIntelligence.ts'

export interface SignInRequest {
  readonly channel: 'OTP' | 'MAGIC_LINK' | 'OAUTH' | 'SILENT'
  /** MOBILE: digits with country code, no plus sign. Not for OAUTH. */
  readonly identity?: { readonly type: 'MOBILE' | 'EMAIL'; readonly value: string }
  /** SMS, EMAIL, or the name of an identity provider. Required if the app offers several. */
  readonly method?: string
  /** OAUTH, MAGIC_LINK: the URL that the person returns to. OTP: for a step-up of the telecom gate. */
  readonly redirectUrl?: string
  readonly otpLength?: number
  /** BCP 47. */
  readonly locale?: string
  /** Adds what is proved to the user of this token. Not for SILENT. */
  readonly linkTo?: string
  /** Default: NONE. */
  readonly deviceFingerprintMode?: 'NONE' | 'ASYNC' | 'SYNC'
  /** For the fingerprint, as in `fetchIntelligence`. */
  readonly params?: Readonly<Record<string, unknown>>
  readonly updateInfo?: UpdateInfo
}

export interface SignInTransaction {
  readonly transactionId: string
  /** It differs from the requested one if the telecom gate sends the person to an identity provider, or if an OTP is sent for SILENT. */
  readonly channel: string
  readonly method: string
  /** ISO 8601 UTC. */
  readonly expiresAt: string
  readonly resendAfterSeconds?: number
  readonly otpLength?: number
  /** OAUTH: open it. */
  readonly authorizationUrl?: string
  /** SILENT: the person has signed in. */
  readonly user?: SignedInUser
  /** SILENT, with an OTP in its place: why the network did not verify the phone. */
  readonly silentError?: string
}

/** All that the service returns; your backend exchanges `token`. */
export interface SignedInUser {
  readonly token: string
  readonly userId: string
  readonly dfrId?: string
  readonly [name: string]: unknown
}

export interface SignInStatus {
  readonly status: 'PENDING' | 'SUCCESS' | 'FAILED' | 'EXPIRED'
  /** Once, with SUCCESS. */
  readonly user?: SignedInUser
}

/** What the operator returned. Your backend completes the verification with it. */
export interface NumberVerificationReturn {
  /** Belongs to one verification. */
  readonly state?: string
  /** Absent if the operator refused. */
  readonly code?: string
  /** Why the operator refused, for example `login_required` outside of mobile data. */
  readonly error?: string
  /** The operator, if it names itself. */
  readonly iss?: string
}

export interface Verification {
  /** The digits of the message. */
  readonly otp?: string
  /** `ringfence_code` of the URL that opened the app. */
  readonly code?: string
  /** Default: the sign-in that was started last. `ringfence_transaction` of that URL. */
  readonly transactionId?: string
}

/** What the native module reports. The service's `errorCode` is in *Sign people in*. */
export interface SignInFailure {
  readonly code: 'notConfigured' | 'noSignIn' | 'refused' | 'notVerified' | 'unreachable'
  readonly message: string
  /** refused: of HTTP. */
  readonly status?: number
  readonly errorCode?: string
  readonly requestId?: string
  readonly retryAfterSeconds?: number
  /** notVerified: why, if there is no fallback. */
  readonly reason?: string
}

/** The only error of sign-in calls. */
export class SignInError extends Error {
  override readonly name = 'SignInError'
  readonly code: SignInFailure['code']
  readonly failure: SignInFailure

  constructor(failure: SignInFailure) {
    super(failure.message)
    this.code = failure.code
    this.failure = failure
  }
}

export interface HeadlessAuthentication {
  /** Call it after `DeviceIntelligenceSDK.initialize`, because both share a session. */
  initialize(appId: string, options?: { baseUrl?: string }): Promise<boolean>
  start(request: SignInRequest): Promise<SignInTransaction>
  resend(transactionId?: string): Promise<SignInTransaction>
  verify(verification: Verification): Promise<SignedInUser>
  /** Poll it while a person opens a magic link. */
  status(transactionId?: string): Promise<SignInStatus>
  /** Opens `url` of your backend's `POST /v1/telecom/number-verifications` over mobile data. Needs no `initialize`; rejects with `notVerified`. */
  openNumberVerification(url: string): Promise<NumberVerificationReturn>
}

type Done = (value: { [name: string]: unknown } | null, failure: { [name: string]: unknown } | null) => void

/** `native` is null on platforms without the module, such as the web: `initialize` then returns false. */
export function headlessAuthentication(native: Spec | null): HeadlessAuthentication {
  function called<Value>(call: (native: Spec, done: Done) => void): Promise<Value> {
    return new Promise((resolve, reject) => {
      if (!native) throw new SignInError({ code: 'notConfigured', message: 'SDK not initialised' })
      call(native, (value, failure) => {
        if (value) resolve(value as Value)
        else reject(new SignInError(failure as unknown as SignInFailure))
      })
    })
  }

  return {
    async initialize(appId, { baseUrl } = {}) {
      if (!native) return false
      if (baseUrl !== undefined) native.setBaseURL(baseUrl)
      return new Promise((resolve) => native.initializeSignIn(appId, resolve))
    },
    start: (request) => called((native, done) => native.startSignIn(bridged(request), done)),
    resend: (id) => called((native, done) => native.resendSignIn(id ?? null, done)),
    verify: ({ otp, code, transactionId }) =>
      called((native, done) => native.verifySignIn(otp ?? null, code ?? null, transactionId ?? null, done)),
    status: (id) => called((native, done) => native.signInStatus(id ?? null, done)),
    openNumberVerification: (url) => called((native, done) => native.openNumberVerification(url, done)),
  }
}
