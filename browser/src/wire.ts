// Generated from contract/src by scripts/generate-client-types.ts; change it there.

/**
 * The bodies that the SDK sends and reads.
 */
export interface Wire {
  SdkConfig: SdkConfig
  IntelligenceRequest: IntelligenceRequest
  IntelligenceAnswer: IntelligenceAnswer
  PushAnswer: PushAnswer
  SecureAnswer: SecureAnswer
  SignInStartRequest: SignInStartRequest
  SignInTransaction: SignInTransaction
  SignedInUser: SignedInUser
  SignInStatus: SignInStatus
  WebFacts: WebFacts
}
/**
 * A session of an SDK
 */
export interface SdkConfig {
  /**
   * tsId of the calls of this session
   */
  sessionId: string
  /**
   * Bearer token of the calls of this session
   */
  sessionToken: string
  /**
   * ISO 8601 UTC
   */
  expiresAt: string
  /**
   * To be sent with the next engine call; accepted once
   */
  challenge: string
  /**
   * Facts by name; false: not to be collected
   */
  collect: {
    [k: string]: boolean
  }
}
export interface IntelligenceRequest {
  /**
   * Made by the SDK, new for each analysis
   */
  requestId: string
  /**
   * Of the config call or the answer before
   */
  challenge: string
  /**
   * Platform of the SDK
   */
  platform: 'WEB' | 'IOS' | 'ANDROID'
  sdkVersion: string
  /**
   * Session, `<UUID>-<epoch seconds>`
   */
  tsId: string
  /**
   * Installation, `<UUID>-<epoch seconds>`
   */
  inId: string
  /**
   * Facts by name, as the schemas WebFacts, IosFacts and AndroidFacts say; those of wrong types are dropped
   */
  facts: {
    [k: string]: unknown
  }
  /**
   * userId, phoneNumber, phoneInputType, otpInputType, userEventType, merchantId, additionalInput (specification 2.7)
   */
  updateInfo?: {
    [k: string]: unknown
  }
  /**
   * App Attest (iOS): keyId, clientData (JSON of challenge and requestId), and attestation or assertion; base64
   */
  attestation?: {
    [k: string]: unknown
  }
}
/**
 * The facts were analysed
 */
export interface IntelligenceAnswer {
  requestId: string
  sessionId: string
  /**
   * To be sent with the next engine call
   */
  nextChallenge: string
  /**
   * WEB: to be kept in the browser, and sent as the fact of this name next time
   */
  deviceToken?: string
}
/**
 * The report can be fetched
 */
export interface PushAnswer {
  /**
   * Identifier of the report, 32 hex digits
   */
  dfrId: string
  /**
   * The report as a backend reads it, where the app reveals it
   */
  intelligenceResponse?: {
    [k: string]: unknown
  }
}
/**
 * A token without a login
 */
export interface SecureAnswer {
  /**
   * For the secure-info endpoint
   */
  token: string
  nextChallenge: string
  deviceToken?: string
}
export interface SignInStartRequest {
  channel: 'OTP' | 'MAGIC_LINK' | 'OAUTH'
  /**
   * SMS, EMAIL, or the name of a provider; needed where the app offers several
   */
  method?: string
  /**
   * Who signs in; not for OAUTH
   */
  identity?: {
    type: 'MOBILE' | 'EMAIL'
    /**
     * MOBILE: digits with country code, no plus sign
     */
    value: string
  }
  /**
   * Where OAUTH and MAGIC_LINK lead back to; of the app’s origins or redirect addresses
   */
  redirectUrl?: string
  /**
   * OTP: digits, 6 by default; fewer than the service is set to are not given
   */
  otpLength?: number
  /**
   * BCP 47 language of the message
   */
  locale?: string
  /**
   * NONE by default
   */
  deviceFingerprintMode?: 'NONE' | 'ASYNC' | 'SYNC'
  /**
   * Plain facts of the device, for `deviceInfo`; those of wrong types are dropped
   */
  facts?: {
    [k: string]: unknown
  }
  /**
   * Of a fingerprint that belongs to this sign-in
   */
  dfrId?: string
}
/**
 * A sign-in under way
 */
export interface SignInTransaction {
  transactionId: string
  /**
   * The channel in use; another one than asked for when the telecom gate stepped up
   */
  channel: string
  method: string
  /**
   * ISO 8601 UTC
   */
  expiresAt: string
  /**
   * OTP, MAGIC_LINK: a resend is refused before
   */
  resendAfterSeconds?: number
  otpLength?: number
  /**
   * OAUTH: where to send the person
   */
  authorizationUrl?: string
}
/**
 * A person has signed in
 */
export interface SignedInUser {
  /**
   * For the backend, which exchanges it at /auth/v1/validate/token
   */
  token: string
  status: 'SUCCESS'
  userId: string
  /**
   * ISO 8601 UTC
   */
  timestamp: string
  identities: Identity[]
  /**
   * OIDC id_token
   */
  idToken: string
  network?: Network
  deviceInfo?: DeviceInfo
  /**
   * For questions to support
   */
  sessionInfo: {
    sessionId: string
    transactionId: string
  }
  dfrId?: string
}
/**
 * An identity that a user proved
 */
export interface Identity {
  /**
   * MOBILE, EMAIL …
   */
  identityType: string
  /**
   * MOBILE: digits with country code, no plus sign
   */
  identityValue: string
  /**
   * OTP, OAUTH, MAGIC_LINK, SILENT_AUTH …
   */
  channel: string
  /**
   * SMS, EMAIL, the name of a provider …
   */
  methods: string[]
  verified: boolean
  /**
   * ISO 8601 UTC; absent where it was not verified
   */
  verifiedAt?: string
}
/**
 * Address, place and network operator
 */
export interface Network {
  /**
   * Address of the person; IPv6 as in RFC 5952, IPv4-mapped as IPv4
   */
  ip: string
  /**
   * IANA time zone of the place; omitted when unknown
   */
  timezone?: string
  ipLocation: IpLocation
}
/**
 * Where the address is; empty unless it is a public one
 */
export interface IpLocation {
  /**
   * The person is probably within so many kilometres of the coordinates
   */
  accuracyRadius?: number
  city?: {
    /**
     * English name
     */
    name?: string
  }
  /**
   * State, province or region; empty when unknown
   */
  subdivisions?: {
    /**
     * ISO 3166-2 code without the country
     */
    code?: string
    /**
     * English name
     */
    name?: string
  }
  country?: {
    /**
     * ISO 3166-1 alpha-2 country code
     */
    code: string
    /**
     * English name
     */
    name?: string
  }
  continent?: {
    /**
     * Continent
     */
    code: 'AF' | 'AN' | 'AS' | 'EU' | 'NA' | 'OC' | 'SA'
  }
  /**
   * Degrees north
   */
  latitude?: number
  /**
   * Degrees east
   */
  longitude?: number
  /**
   * The network operator; omitted when unknown
   */
  asn?: {
    /**
     * Number of the autonomous system, digits only
     */
    asn: string
    /**
     * Organisation that runs it
     */
    name?: string
    /**
     * CIDR block that the address lies in
     */
    network: string
  }
}
/**
 * What the device told of itself
 */
export interface DeviceInfo {
  userAgent?: string
  platform?: string
  vendor?: string
  browser?: string
  connection?: string
  language?: string
  cookieEnabled?: boolean
  screenWidth?: number
  screenHeight?: number
  screenColorDepth?: number
  devicePixelRatio?: number
  /**
   * Minutes
   */
  timezoneOffset?: number
  cpuArchitecture?: string
  fontFamily?: string
  deviceId?: string
  browserInfo?: {
    browserName?: string
    os?: string
    osVersion?: string
    device?: string
  }
}
/**
 * How far a sign-in is
 */
export interface SignInStatus {
  status: 'PENDING' | 'SUCCESS' | 'FAILED' | 'EXPIRED'
  user?: SignedInUser
}
/**
 * What a browser tells of itself
 */
export interface WebFacts {
  /**
   * navigator.userAgent
   */
  userAgent?: string
  /**
   * navigator.platform
   */
  platform?: string
  /**
   * navigator.vendor
   */
  vendor?: string
  /**
   * navigator.connection.effectiveType
   */
  connection?: string
  /**
   * navigator.language
   */
  language?: string
  /**
   * navigator.languages
   */
  languages?: string[]
  /**
   * navigator.cookieEnabled, confirmed by a cookie
   */
  cookieEnabled?: boolean
  /**
   * Screen, in CSS pixels
   */
  screen?: {
    width?: number
    height?: number
    availWidth?: number
    availHeight?: number
    availLeft?: number
    availTop?: number
    colorDepth?: number
  }
  /**
   * devicePixelRatio
   */
  devicePixelRatio?: number
  /**
   * Minutes as Date.getTimezoneOffset tells: behind UTC is positive
   */
  timezoneOffset?: number
  /**
   * IANA name, by Intl
   */
  timezone?: string
  /**
   * By high-entropy client hints, else by the sign of NaN: x86_64, x86, arm64, arm
   */
  cpuArchitecture?: string
  /**
   * Font of text that asks for none
   */
  fontFamily?: string
  /**
   * navigator.userAgentData with its high-entropy values
   */
  clientHints?: {
    brands?: {
      brand: string
      version: string
    }[]
    fullVersionList?: {
      brand: string
      version: string
    }[]
    mobile?: boolean
    platform?: string
    platformVersion?: string
    architecture?: string
    bitness?: string
    model?: string
    formFactors?: string[]
  }
  /**
   * navigator.hardwareConcurrency
   */
  hardwareConcurrency?: number
  /**
   * navigator.deviceMemory, GiB
   */
  deviceMemory?: number
  /**
   * navigator.maxTouchPoints
   */
  maxTouchPoints?: number
  /**
   * Rendering of a 2D canvas
   */
  canvas?: {
    /**
     * Shapes; hash in hex
     */
    geometry?: string
    /**
     * Text and emoji; hash in hex
     */
    text?: string
    /**
     * Drawn twice, the pixels are the same
     */
    isStable?: boolean
    /**
     * Plain colours are read back as they were painted
     */
    isExact?: boolean
  }
  /**
   * Sum of samples of an offline rendering
   */
  audio?: number
  /**
   * Of a list of fonts, those that are installed
   */
  fonts?: string[]
  /**
   * WebGL
   */
  webgl?: {
    /**
     * Unmasked
     */
    vendor?: string
    /**
     * Unmasked
     */
    renderer?: string
    /**
     * Limits; hash in hex
     */
    parameters?: string
    /**
     * Extensions; hash in hex
     */
    extensions?: string
    /**
     * Rendering; hash in hex
     */
    image?: string
  }
  /**
   * Results of functions whose last digits differ by engine and platform; hash in hex
   */
  math?: string
  /**
   * Voices of speech synthesis
   */
  voices?: string[]
  /**
   * navigator.plugins
   */
  plugins?: string[]
  /**
   * Answers of the media queries of display and preferences, by feature
   */
  mediaQueries?: {
    [k: string]: string
  }
  /**
   * Widths of one text in the generic fonts, in pixels
   */
  fontWidths?: number[]
  /**
   * granted, denied or prompt, by permission
   */
  permissions?: {
    [k: string]: string
  }
  /**
   * Counts of cameras, microphones and loudspeakers, by kind
   */
  mediaDevices?: {
    [k: string]: number
  }
  /**
   * What some keys print in the layout in use; Chromium only
   */
  keyboard?: string
  /**
   * Locale, calendar, digits and hour cycle of Intl
   */
  locale?: string
  /**
   * What the page may keep
   */
  storage?: {
    localStorage?: boolean
    sessionStorage?: boolean
    indexedDB?: boolean
  }
  /**
   * Formats of sound and film that can be played; hash in hex
   */
  codecs?: string
  /**
   * Traces of a program that drives the browser
   */
  automation?: {
    /**
     * navigator.webdriver
     */
    webdriver?: boolean
    /**
     * Names that tools leave on window, document and its root element
     */
    globals?: string[]
    /**
     * There is a window.chrome
     */
    chromeObject?: boolean
    /**
     * Notification.permission
     */
    notificationPermission?: string
  }
  /**
   * What looks into the page from outside; V8 only
   */
  inspection?: {
    /**
     * Stacks of errors that were written out for whoever reads the console
     */
    stacksWritten?: number
    /**
     * Where stacks were written: time of 1,000 awaits over that of 30,000 steps of arithmetic
     */
    awaitRatio?: number
  }
  /**
   * Functions of the browser that are not its own any more, as 'Navigator.webdriver'
   */
  alteredFunctions?: string[]
  /**
   * What the engine has built in
   */
  engine?: {
    /**
     * Length of the text of the function Array
     */
    nativeTextLength?: number
    /**
     * Intl.v8BreakIterator is there
     */
    isV8?: boolean
    /**
     * Of a list of features of the language, those that are built in
     */
    features?: string[]
  }
  /**
   * The same facts, told in a worker
   */
  workerScope?: {
    userAgent?: string
    platform?: string
    languages?: string[]
    hardwareConcurrency?: number
    deviceMemory?: number
    timezone?: string
    /**
     * navigator.userAgentData.platform
     */
    hintedPlatform?: string
  }
  /**
   * The file system that belongs to the origin
   */
  fileSystem?: {
    /**
     * Name of the error with which it is refused
     */
    error?: string
    /**
     * Microseconds that an open file takes to answer
     */
    callMicros?: number
  }
  /**
   * WebKit only: kept, or the name of the error of keeping a file in a database
   */
  blobStorage?: string
  /**
   * A canvas of the page gives back the colours that were painted
   */
  pageCanvasExact?: boolean
  /**
   * Window, in CSS pixels
   */
  windowGeometry?: {
    innerWidth?: number
    innerHeight?: number
    outerWidth?: number
    outerHeight?: number
    screenX?: number
    screenY?: number
    /**
     * The page is not in a frame of another
     */
    isTop?: boolean
  }
  /**
   * What the service gave this browser to keep
   */
  deviceToken?: string
}
