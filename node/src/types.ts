// Generated from contract/src by scripts/generate-client-types.ts; change it there.

export type SimSwapResult =
  | {
      success: true
      /**
       * true: a SIM swap occurred within the window; false: none was found within it
       */
      swapped: boolean
      phoneDetail: SimSwapPhoneDetail
    }
  | {
      success: false
      error: InBodyError
      phoneDetail?: SimSwapPhoneDetail
    }
export type CallForwardingResult =
  | {
      success: true
      /**
       * true: forwarding is active (risk signal)
       */
      callForwarding: boolean
      /**
       * active when true, inactive when false
       */
      callForwardingType: 'active' | 'inactive'
      phoneDetail: PhoneDetail
    }
  | {
      success: false
      error: InBodyError
      phoneDetail?: PhoneDetail
    }
export type PortabilityResult =
  | {
      success: true
      phoneDetail: PortabilityPhoneDetail
    }
  | {
      success: false
      error: InBodyError
      phoneDetail?: PhoneDetail
    }
/**
 * How the session of one report turned out
 */
export type ReportLabel =
  | {
      /**
       * Of the report
       */
      dfrId: string
      /**
       * How the session turned out; all but legitimate are bad outcomes
       */
      outcome: 'fraud' | 'chargeback' | 'accountTakeover' | 'abuse' | 'legitimate'
      /**
       * When this became known, RFC 3339; not in the future, with 5 minutes of clock skew allowed. Default: now
       */
      knownAt?: string
    }
  | {
      /**
       * Of the engine call
       */
      requestId: string
      /**
       * How the session turned out; all but legitimate are bad outcomes
       */
      outcome: 'fraud' | 'chargeback' | 'accountTakeover' | 'abuse' | 'legitimate'
      /**
       * When this became known, RFC 3339; not in the future, with 5 minutes of clock skew allowed. Default: now
       */
      knownAt?: string
    }

/**
 * Every call of the service: its request and its answer.
 */
export interface Calls {
  /**
   * Whether the SIM was swapped within a lookback window. `swapped` false means only that no swap was found within the window. Read the HTTP status first; on 200 read `success`; read `swapped` only when `success` is true.
   */
  simSwapCheck: {
    request: SimSwapRequest
    answer: SimSwapResult
  }
  /**
   * Whether call forwarding is active on the number; forwarding can divert voice OTP calls to a device that the user does not control.
   */
  callForwardingCheck: {
    request: CallForwardingRequest
    answer: CallForwardingResult
  }
  /**
   * Whether the number has been ported away from its home operator: `phoneDetail.isPorted`.
   */
  portability: {
    request: PortabilityRequest
    answer: PortabilityResult
  }
  /**
   * Whom a token stands for: user, identities, and what was collected of network and device at the sign-in. A token without a login is refused.
   */
  validateToken: {
    request: ValidateTokenRequest
    answer: TokenVerification
  }
  /**
   * Security signals, network and device of a token, each part where it was collected. Also taken as a form, with the credentials in headers or in its fields client_id and client_secret.
   */
  secureInfo: {
    request: SecureInfoRequest
    answer: SecureInfoResult
  }
  /**
   * A token for a user whom your backend has signed in itself.
   */
  issueToken: {
    request: IssueTokenRequest
    answer: IssuedToken
  }
  /**
   * Ends a token at once. One that is revoked or has expired already is a success too; one that is none of yours is 7114, as nothing was revoked.
   */
  revokeToken: {
    request: RevokeTokenRequest
    answer: RevokedToken
  }
  /**
   * Risk scores, flags, address, device and the outcome of your rules for the dfrId that an SDK answered. A report is a record of one moment: it is read again unchanged while it is kept.
   */
  deviceFingerprint: {
    request: DeviceReportRequest
    answer: DeviceReport
  }
  /**
   * Labels feed the history of devices (deviceRiskScore, rules on history) and tell how precise rules are (ringfence rules backtest). Told again, a label changes nothing; one that is known later replaces an earlier one.
   */
  labelReports: {
    request: LabelRequest
    answer: LabelAnswer
  }
}
export interface SimSwapRequest {
  /**
   * Phone number with country code, digits only, no plus sign
   */
  phoneNumber: string
  /**
   * Lookback window in hours; when omitted the operator's or the service's default applies (240)
   */
  maxAge?: number
}
/**
 * Metadata of the phone number; a SIM swap result states no portability
 */
export interface SimSwapPhoneDetail {
  /**
   * Current network operator name (upper-case token)
   */
  operator?: string
  /**
   * Numeric country calling code
   */
  countryCode?: string
  /**
   * ISO 3166-1 alpha-2 country code
   */
  country?: string
  /**
   * Line type
   */
  type?: 'MOBILE' | 'LANDLINE'
  /**
   * Registered operator; differs from `operator` when roaming or ported
   */
  homeOperator?: string
  /**
   * Location of the registered area (city, state or country level)
   */
  location?: string
  /**
   * IANA time zone names for the registered location
   */
  timeZones?: string[]
}
/**
 * Why an accepted check has no result
 */
export interface InBodyError {
  errorCode: string
  message: string
  description: string
}
export interface CallForwardingRequest {
  /**
   * Phone number with country code, digits only, no plus sign
   */
  phoneNumber: string
}
/**
 * Metadata of the phone number
 */
export interface PhoneDetail {
  /**
   * Current network operator name (upper-case token)
   */
  operator?: string
  /**
   * Numeric country calling code
   */
  countryCode?: string
  /**
   * ISO 3166-1 alpha-2 country code
   */
  country?: string
  /**
   * Line type
   */
  type?: 'MOBILE' | 'LANDLINE'
  /**
   * Registered operator; differs from `operator` when roaming or ported
   */
  homeOperator?: string
  /**
   * true when the number has been ported away from its home operator. Stated only when a portability source positively says so; never in a SIM swap answer
   */
  isPorted?: boolean
  /**
   * Location of the registered area (city, state or country level)
   */
  location?: string
  /**
   * IANA time zone names for the registered location
   */
  timeZones?: string[]
}
export interface PortabilityRequest {
  /**
   * Phone number with country code, digits only, no plus sign
   */
  phoneNumber: string
}
/**
 * Metadata of the phone number, with the result
 */
export interface PortabilityPhoneDetail {
  /**
   * Current network operator name (upper-case token)
   */
  operator?: string
  /**
   * Numeric country calling code
   */
  countryCode?: string
  /**
   * ISO 3166-1 alpha-2 country code
   */
  country?: string
  /**
   * Line type
   */
  type?: 'MOBILE' | 'LANDLINE'
  /**
   * Registered operator; differs from `operator` when roaming or ported
   */
  homeOperator?: string
  /**
   * The result: true when the number was ported (operator differs from homeOperator)
   */
  isPorted: boolean
  /**
   * Location of the registered area (city, state or country level)
   */
  location?: string
  /**
   * IANA time zone names for the registered location
   */
  timeZones?: string[]
}
export interface ValidateTokenRequest {
  /**
   * The token of the user object
   */
  token: string
}
/**
 * Whom a token stands for
 */
export interface TokenVerification {
  /**
   * The token that was verified
   */
  token: string
  status: 'SUCCESS'
  userId: string
  /**
   * Time of the sign-in; ISO 8601 UTC
   */
  timestamp: string
  identities: Identity[]
  network?: Network
  deviceInfo?: DeviceInfo
  secureInfo?: SecureInfo
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
 * Verdicts on the device
 */
export interface SecureInfo {
  /**
   * A private window
   */
  incognito?: boolean
  confidence?: {
    /**
     * 0 to 1: probability that the device is recognised rightly
     */
    score: number
    /**
     * Revision of the scoring
     */
    revision: string
  }
  bot?: {
    /**
     * good: a crawler that declares itself and was verified; bad: any other automation
     */
    result: 'notDetected' | 'good' | 'bad'
  }
  rootApps?: {
    result: boolean
  }
  emulator?: {
    result: boolean
  }
  jailbroken?: {
    result: boolean
  }
  clonedApp?: {
    result: boolean
  }
  frida?: {
    result: boolean
  }
  privacySettings?: {
    result: boolean
  }
  tampering?: {
    result: boolean
    /**
     * 0 to 1; over 0.5: tampered
     */
    anomalyScore: number
  }
  factoryReset?: {
    /**
     * ISO 8601 UTC; 1970-01-01T00:00:00Z when it cannot be told
     */
    time: string
    /**
     * Epoch seconds
     */
    timestamp: number
  }
  suspectScore?: {
    /**
     * Sum of the weights of what was found
     */
    result: number
  }
  vpn?: {
    result: boolean
    /**
     * ISO 3166-1 alpha-2, or unknown
     */
    originCountry?: string
    methods: {
      timezoneMismatch?: boolean
      publicVPN?: boolean
    }
  }
}
export interface SecureInfoRequest {
  /**
   * The token of the user object
   */
  token: string
}
/**
 * What is known of the device and network of a token
 */
export interface SecureInfoResult {
  status: 'SUCCESS'
  secure_info?: SecureInfoDetail
  network_info?: Network
  device_info?: DeviceInfoDetail
}
/**
 * Verdicts on the device, every detector
 */
export interface SecureInfoDetail {
  /**
   * A private window
   */
  incognito?: boolean
  confidence?: {
    /**
     * 0 to 1: probability that the device is recognised rightly
     */
    score: number
    /**
     * Revision of the scoring
     */
    revision: string
  }
  bot?: {
    /**
     * good: a crawler that declares itself and was verified; bad: any other automation
     */
    result: 'notDetected' | 'good' | 'bad'
  }
  rootApps?: {
    result: boolean
  }
  emulator?: {
    result: boolean
  }
  jailbroken?: {
    result: boolean
  }
  clonedApp?: {
    result: boolean
  }
  frida?: {
    result: boolean
  }
  privacySettings?: {
    result: boolean
  }
  tampering?: {
    result: boolean
    /**
     * 0 to 1; over 0.5: tampered
     */
    anomalyScore: number
  }
  factoryReset?: {
    /**
     * ISO 8601 UTC; 1970-01-01T00:00:00Z when it cannot be told
     */
    time: string
    /**
     * Epoch seconds
     */
    timestamp: number
  }
  suspectScore?: {
    /**
     * Sum of the weights of what was found
     */
    result: number
  }
  virtualMachine?: {
    result: boolean
  }
  locationSpoofing?: {
    result: boolean
  }
  developerTools?: {
    result: boolean
  }
  vpn?: {
    result: boolean
    /**
     * ISO 3166-1 alpha-2, or unknown
     */
    originCountry?: string
    /**
     * The device's own zone, an IANA name
     */
    originTimezone?: string
    methods: {
      timezoneMismatch?: boolean
      publicVPN?: boolean
      auxiliaryMobile?: boolean
      osMismatch?: boolean
    }
  }
}
/**
 * What the device told of itself, with versions of its browser
 */
export interface DeviceInfoDetail {
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
    browserMajorVersion?: string
    browserFullVersion?: string
    userAgent?: string
  }
}
export interface IssueTokenRequest {
  /**
   * Your id of the user
   */
  userId: string
  /**
   * What the user proved to you
   */
  identities: IdentityClaim[]
  /**
   * Of a device analysis of this visit, an hour old at most
   */
  requestId?: string
}
/**
 * An identity that a user proved to you
 */
export interface IdentityClaim {
  /**
   * MOBILE, EMAIL, or a type of your own
   */
  identityType: string
  /**
   * MOBILE: digits with country code, no plus sign
   */
  identityValue: string
  /**
   * OTP, OAUTH, MAGIC_LINK, SILENT_AUTH, or one of your own
   */
  channel: string
  /**
   * Items: SMS, EMAIL, the name of a provider, or one of your own
   */
  methods: string[]
  verified: boolean
  /**
   * ISO 8601 UTC; there exactly when verified is true
   */
  verifiedAt?: string
}
/**
 * A new token
 */
export interface IssuedToken {
  /**
   * To hand to your frontend
   */
  token: string
  /**
   * ISO 8601 UTC
   */
  expiresAt: string
}
export interface RevokeTokenRequest {
  /**
   * The token of the user object
   */
  token: string
}
/**
 * The token is accepted nowhere any more
 */
export interface RevokedToken {
  status: 'SUCCESS'
}
export interface DeviceReportRequest {
  /**
   * What the SDK answered
   */
  dfrId: string
  /**
   * Platform of the SDK
   */
  deviceType: 'WEB' | 'IOS' | 'ANDROID'
}
/**
 * Everything that is known of a device at one moment
 */
export interface DeviceReport {
  /**
   * Of the engine call
   */
  requestId: string
  /**
   * tsId of the SDK
   */
  sessionId: string
  /**
   * The device is seen for the first time; false where it is not known
   */
  newDevice: boolean
  /**
   * Stable id of the device; empty where there is none
   */
  deviceId: string
  /**
   * 0 to 100: risk of this session
   */
  sessionRiskScore: number
  /**
   * 0 to 100: risk that also weighs the history of the device
   */
  deviceRiskScore: number
  /**
   * A VPN is active; false where it is not known
   */
  vpn: boolean
  /**
   * Behind a proxy, or an exit of Tor; false where it is not known
   */
  proxy: boolean
  /**
   * Runs on a simulator or emulator; false where it is not known
   */
  simulator: boolean
  /**
   * The device is jailbroken; false where it is not known
   */
  jailbroken: boolean
  /**
   * A cloned instance of the app; false where it is not known
   */
  cloned: boolean
  /**
   * The location is faked; false where it is not known
   */
  geoSpoofed: boolean
  /**
   * The screen is mirrored or recorded; false where it is not known
   */
  mirroredScreen: boolean
  /**
   * A hooking framework was found; false where it is not known
   */
  hooking: boolean
  /**
   * The app is not as it was published; false where it is not known
   */
  appTampering: boolean
  /**
   * The device was reset shortly before; false where it is not known
   */
  factoryReset: boolean
  /**
   * Epoch milliseconds; -1 when it is not known
   */
  factoryResetTime: number
  /**
   * Address of the device; empty when it is not known
   */
  ip: string
  /**
   * Place and reputation of the address; a part that is not known is omitted
   */
  ipDetails: {
    /**
     * English name
     */
    city?: string
    /**
     * English name
     */
    region?: string
    /**
     * ISO 3166-1 alpha-2 country code
     */
    country?: string
    /**
     * Organisation that runs the network
     */
    isp?: string
    /**
     * Number of the autonomous system, digits only
     */
    asn?: string
    /**
     * 0 to 100, by published lists and by your labels; omitted where there are neither (ringfence data update)
     */
    fraudScore?: number
  }
  /**
   * What the device says of its place, where its owner permits it; a part that is not known is omitted
   */
  gpsLocation: {
    /**
     * Degrees north
     */
    latitude?: number
    /**
     * Degrees east
     */
    longitude?: number
    /**
     * Metres above the sea
     */
    altitude?: number
  }
  /**
   * The device itself; a part that is not known is omitted
   */
  deviceMeta: {
    brand?: string
    model?: string
    /**
     * Absent off iOS
     */
    iOSVersion?: string
    cpuType?: string
    /**
     * Width and height in pixels, as 1170x2532
     */
    screenResolution?: string
    /**
     * Memory, bytes as decimal digits
     */
    totalRAM?: string
    /**
     * Free storage, bytes as decimal digits
     */
    storageAvailable?: string
    /**
     * Storage, bytes as decimal digits
     */
    storageTotal?: string
  }
  ruleAction: RuleAction
  appliedRules: AppliedRules
  /**
   * Params of the push and keys of `additionalInput` that the app’s setting `additionalDataFields` lists
   */
  additionalData: {
    [k: string]: unknown
  }
}
/**
 * What your rules make of the session
 */
export interface RuleAction {
  action: 'ALLOW' | 'WARN' | 'BLOCK'
  /**
   * Of the rule that decided; empty when none fired
   */
  name: string
  description: string
  /**
   * What the user may be told
   */
  message: string
}
/**
 * The rules that fired
 */
export interface AppliedRules {
  /**
   * Score by `<rule id> : <rule name>`
   */
  rules: {
    [k: string]: number
  }
  /**
   * Sum of the scores
   */
  totalScore: number
}
export interface LabelRequest {
  labels: ReportLabel[]
}
/**
 * The labels are kept
 */
export interface LabelAnswer {
  /**
   * Labels that are kept, those that were known already included
   */
  accepted: number
  /**
   * Ids of no report of yours, or of one that is forgotten; their labels are not kept
   */
  unknown: string[]
}
