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
   * tsId for the calls of this session
   */
  sessionId: string
  /**
   * Bearer token for the calls of this session
   */
  sessionToken: string
  /**
   * ISO 8601 UTC
   */
  expiresAt: string
  /**
   * Send it with the next engine call; accepted once
   */
  challenge: string
  /**
   * Facts by name; false: do not collect
   */
  collect: {
    [k: string]: boolean
  }
}
export interface IntelligenceRequest {
  /**
   * The id that the SDK generates for each analysis
   */
  requestId: string
  /**
   * challenge of the config call, or nextChallenge of the previous answer
   */
  challenge: string
  /**
   * Platform of the SDK
   */
  platform: 'WEB' | 'IOS' | 'ANDROID'
  sdkVersion: string
  /**
   * The id of the session, `<UUID>-<epoch seconds>`
   */
  tsId: string
  /**
   * The id of the installation, `<UUID>-<epoch seconds>`
   */
  inId: string
  /**
   * Facts by name, see the schemas WebFacts, IosFacts and AndroidFacts; facts of a wrong type are dropped
   */
  facts: {
    [k: string]: unknown
  }
  /**
   * userId, phoneNumber, phoneInputType, otpInputType, userEventType, merchantId, additionalInput (specification 2.7). additionalInput shares the limits of the params of the push
   */
  updateInfo?: {
    [k: string]: unknown
  }
  /**
   * Why a fact is missing, by its name: refused, unavailable or timedOut
   */
  factsMissing?: {
    [k: string]: string
  }
  /**
   * WEB and ANDROID: the signature by the key of the installation. publicKey: the 65 bytes of an uncompressed P-256 point; signature: ECDSA with SHA-256, 64 bytes of r and s, or DER; both in base64url. docs/guides/sdk-calls.md explains the signed text
   */
  proof?: {
    [k: string]: unknown
  }
  /**
   * true: the SDK sends `analysis` of the answer with the push, and nothing is stored before it. The secure call ignores it
   */
  carry?: boolean
  /**
   * IOS: keyId, and attestation (of a new key) or assertion, of App Attest, in base64. The client data are the signed text, which the service builds itself
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
   * Send it with the next engine call
   */
  nextChallenge: string
  /**
   * WEB: store it in the browser, and send it as the fact deviceToken next time
   */
  deviceToken?: string
  /**
   * Only with `carry`: the sealed analysis. Send it as `data.analysis` of the push within ten minutes
   */
  analysis?: string
}
/**
 * The report is stored
 */
export interface PushAnswer {
  /**
   * Id of the report, 32 hex digits
   */
  dfrId: string
  /**
   * The report, only when the app setting revealReport is true
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
  channel: 'OTP' | 'MAGIC_LINK' | 'OAUTH' | 'SILENT'
  /**
   * SMS, EMAIL, or the name of an identity provider; required when the app offers several. SILENT: of the OTP in its place
   */
  method?: string
  /**
   * The user who signs in; not for OAUTH
   */
  identity?: {
    type: 'MOBILE' | 'EMAIL'
    /**
     * MOBILE: digits with country code, no plus sign
     */
    value: string
  }
  /**
   * Where OAUTH and MAGIC_LINK return to: one of the app’s redirect URLs. SILENT: only if the page itself goes to authorizationUrl
   */
  redirectUrl?: string
  /**
   * OTP: number of digits; default: 6. The service may set a higher minimum
   */
  otpLength?: number
  /**
   * BCP 47 language of the message
   */
  locale?: string
  /**
   * Default: NONE. With ASYNC or SYNC, the latest analysis in the session belongs to the sign-in, also when no call sends its dfrId
   */
  deviceFingerprintMode?: 'NONE' | 'ASYNC' | 'SYNC'
  /**
   * Facts of the device, for `deviceInfo`; facts of a wrong type are dropped
   */
  facts?: {
    [k: string]: unknown
  }
  /**
   * dfrId of a report that belongs to this sign-in
   */
  dfrId?: string
}
/**
 * A sign-in in progress
 */
export interface SignInTransaction {
  transactionId: string
  /**
   * The requested channel. OAUTH after a step-up by the telecom gate to an identity provider; OTP in place of SILENT when the operator of the number verifies no phones
   */
  channel: string
  method: string
  /**
   * ISO 8601 UTC
   */
  expiresAt: string
  /**
   * OTP, MAGIC_LINK: an earlier resend is refused
   */
  resendAfterSeconds?: number
  otpLength?: number
  /**
   * OAUTH: where to redirect the user. SILENT: what the phone opens over mobile data
   */
  authorizationUrl?: string
  /**
   * SILENT: what to start if the phone is not verified; absent: nothing
   */
  fallback?: 'OTP'
}
/**
 * The user has signed in
 */
export interface SignedInUser {
  /**
   * For your backend, which validates it at /auth/v1/validate/token
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
   * For support
   */
  sessionInfo: {
    sessionId: string
    transactionId: string
  }
  dfrId?: string
}
/**
 * An identity of a user
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
   * SMS, EMAIL, the name of an identity provider …
   */
  methods: string[]
  verified: boolean
  /**
   * ISO 8601 UTC; absent when not verified
   */
  verifiedAt?: string
}
/**
 * IP address, location and network operator
 */
export interface Network {
  /**
   * IP address of the user; IPv6 as in RFC 5952, IPv4-mapped as IPv4
   */
  ip: string
  /**
   * IANA time zone of the location; omitted when unknown
   */
  timezone?: string
  ipLocation: IpLocation
}
/**
 * Location of the IP address; empty when the IP address is not public
 */
export interface IpLocation {
  /**
   * The user is probably within this many kilometres of the coordinates
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
     * Autonomous system number, digits only
     */
    asn: string
    /**
     * Organisation that runs the network
     */
    name?: string
    /**
     * CIDR block of the IP address
     */
    network: string
  }
}
/**
 * What the device reported about itself
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
 * State of a sign-in
 */
export interface SignInStatus {
  status: 'PENDING' | 'SUCCESS' | 'FAILED' | 'EXPIRED'
  user?: SignedInUser
}
/**
 * Facts of a browser
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
   * Minutes as in Date.getTimezoneOffset: behind UTC is positive
   */
  timezoneOffset?: number
  /**
   * IANA name, from Intl
   */
  timezone?: string
  /**
   * From high-entropy client hints, else from the sign of NaN: x86_64, x86, arm64 or arm
   */
  cpuArchitecture?: string
  /**
   * Default font
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
     * Two drawings have the same pixels, and so has a copy of one. Noise that depends on the picture alone does not show
     */
    isStable?: boolean
    /**
     * Painted colours are read back unchanged
     */
    isExact?: boolean
  }
  /**
   * Sum of samples of an offline rendering
   */
  audio?: number
  /**
   * Installed fonts of a list
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
   * Results of functions whose last digits depend on engine and platform; hash in hex
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
   * Results of media queries for display and preferences, by feature
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
   * Characters of some keys in the current layout; Chromium only
   */
  keyboard?: string
  /**
   * Locale, calendar, digits and hour cycle of Intl
   */
  locale?: string
  /**
   * Storage that the page may use
   */
  storage?: {
    localStorage?: boolean
    sessionStorage?: boolean
    indexedDB?: boolean
  }
  /**
   * Audio and video formats that can be played; hash in hex
   */
  codecs?: string
  /**
   * Traces of browser automation
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
     * window.chrome exists
     */
    chromeObject?: boolean
    /**
     * Notification.permission
     */
    notificationPermission?: string
  }
  /**
   * Traces of developer tools; V8 only
   */
  inspection?: {
    /**
     * Error stacks that were serialised for a reader of the console
     */
    stacksWritten?: number
    /**
     * If stacks were serialised: time of 1,000 awaits divided by the time of 30,000 arithmetic steps
     */
    awaitRatio?: number
  }
  /**
   * Functions of the browser that were replaced, such as 'Navigator.webdriver'
   */
  alteredFunctions?: string[]
  /**
   * Features of the engine
   */
  engine?: {
    /**
     * Length of the text of the function Array
     */
    nativeTextLength?: number
    /**
     * Intl.v8BreakIterator exists
     */
    isV8?: boolean
    /**
     * Supported language features of a list
     */
    features?: string[]
  }
  /**
   * The same facts, read in a worker
   */
  workerScope?: {
    userAgent?: string
    platform?: string
    languages?: string[]
    hardwareConcurrency?: number
    deviceMemory?: number
    timezone?: string
    /**
     * Minutes as in Date.getTimezoneOffset
     */
    timezoneOffset?: number
    /**
     * navigator.userAgentData.platform
     */
    hintedPlatform?: string
  }
  /**
   * Private file system of the origin
   */
  fileSystem?: {
    /**
     * Name of the error when access is refused
     */
    error?: string
    /**
     * Response time of an open file in microseconds
     */
    callMicros?: number
  }
  /**
   * WebKit only: kept, or the name of the error when a file is stored in a database
   */
  blobStorage?: string
  /**
   * A canvas of the page returns the painted colours unchanged
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
     * The page is not in a frame
     */
    isTop?: boolean
  }
  /**
   * The device token that the service gave this browser
   */
  deviceToken?: string
}
