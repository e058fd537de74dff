// What can somebody do who visits with a page or an app? Report the device, and sign in.

/** What the page or app says about person and event. A hint: only your backend knows who it is. */
export interface ReportInput {
  readonly userEventType?: 'LOGIN' | 'SIGNUP' | 'TRANSACTION' | 'OTHERS'
  readonly userId?: string
  readonly phoneNumber?: string
  readonly merchantId?: string
  readonly additionalInput?: Readonly<Record<string, string>>
  /** Params of the push, which come back in the report. */
  readonly params?: Readonly<Record<string, unknown>>
}

export interface Report {
  /** Send it to your backend, as a page does. */
  readonly dfrId: string
  readonly requestId: string
}

export interface SignInOptions {
  /** False: a page that sends no report of its device. Default: true. */
  readonly report?: boolean
}

/** What a page sends to its backend after a sign-in. */
export interface SignedIn {
  /** For your backend, which validates it or decides with it. */
  readonly token: string
  /** Of OpenID Connect, for a library that checks it without a call to Ringfence. */
  readonly idToken: string
  /** The report of the sign-in; absent with `report: false`. */
  readonly dfrId?: string
  /** As pages see it. Not the id that your backend gives this customer. */
  readonly userId: string
}

/** A sign-in whose code was sent and not entered. */
export interface StartedSignIn {
  readonly transactionId: string
  readonly dfrId?: string
  /** Enters a code. @throws CallRefused when it is wrong */
  enter(code: string): Promise<SignedIn>
}

/**
 * What the hardware of an Android phone says: that the key of your app is in it, on a locked phone (`hardware`, or its own chip,
 * `strongBox`); that the phone is unlocked, or boots a system of its owner; that the key is in software; that somebody else signed the
 * app; or nothing.
 */
export type AndroidAttestation =
  | 'strongBox'
  | 'hardware'
  | 'unlocked'
  | 'selfSigned'
  | 'software'
  | 'repackaged'
  | 'nothing'

export interface Visitor {
  /** Sends a report of the device, as at each visit of a page. */
  report(input?: ReportInput): Promise<Report>
  /** Signs in with the code sent to a phone number (digits with country code) or email address. */
  signIn(to: string, options?: SignInOptions): Promise<SignedIn>
  /** Only asks for the code: for codes that are wrong, late, or entered by somebody else. */
  startSignIn(to: string, options?: SignInOptions): Promise<StartedSignIn>
  /** The same device at another IP address. */
  at(address: string): Visitor
}
