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
 * Every call of the service: what it asks and what it answers.
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
