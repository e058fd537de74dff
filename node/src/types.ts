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
export type BegunNumberVerification =
  | {
      success: true
      /**
       * For the second call, within the same tenant and client
       */
      verificationId: string
      /**
       * The phone opens it over mobile data, not over Wi-Fi, and follows redirects up to redirectUri
       */
      url: string
      /**
       * ISO 8601 UTC
       */
      expiresAt: string
      phoneDetail: PhoneDetail
    }
  | {
      success: false
      error: InBodyError
      phoneDetail?: PhoneDetail
      /**
       * The sum of the prices of the requests that were sent, by the configuration; 0 for a reused answer. Absent: a price is not configured
       */
      cost?: {
        /**
         * ISO 4217
         */
        currency: string
        /**
         * Millionths of the currency: 12000 is 0.012
         */
        micros: number
      }
    }
export type NumberVerificationResult =
  | {
      success: true
      /**
       * true: the phone that opened the URL has the SIM of this number. false: it has the SIM of another number
       */
      verified: boolean
      phoneDetail: PhoneDetail
      /**
       * Who answered: the name of a connector in the configuration
       */
      source: string
      /**
       * The sum of the prices of the requests that were sent, by the configuration; 0 for a reused answer. Absent: a price is not configured
       */
      cost?: {
        /**
         * ISO 4217
         */
        currency: string
        /**
         * Millionths of the currency: 12000 is 0.012
         */
        micros: number
      }
    }
  | {
      success: false
      error: InBodyError
      phoneDetail?: PhoneDetail
      /**
       * The sum of the prices of the requests that were sent, by the configuration; 0 for a reused answer. Absent: a price is not configured
       */
      cost?: {
        /**
         * ISO 4217
         */
        currency: string
        /**
         * Millionths of the currency: 12000 is 0.012
         */
        micros: number
      }
    }
/**
 * How the session of one report or decision turned out
 */
export type ReportLabel =
  | {
      /**
       * dfrId of the report
       */
      dfrId: string
      /**
       * How the session turned out; every value except legitimate is bad
       */
      outcome: 'fraud' | 'chargeback' | 'accountTakeover' | 'abuse' | 'legitimate'
      /**
       * When this became known, RFC 3339; not in the future, with 5 minutes of clock skew allowed. Default: now
       */
      knownAt?: string
      /**
       * Your id of the user of the session. legitimate confirms the device for this user; any other outcome ends its trust. Only while the report is stored
       */
      userId?: string
    }
  | {
      /**
       * requestId of the engine call
       */
      requestId: string
      /**
       * How the session turned out; every value except legitimate is bad
       */
      outcome: 'fraud' | 'chargeback' | 'accountTakeover' | 'abuse' | 'legitimate'
      /**
       * When this became known, RFC 3339; not in the future, with 5 minutes of clock skew allowed. Default: now
       */
      knownAt?: string
      /**
       * Your id of the user of the session. legitimate confirms the device for this user; any other outcome ends its trust. Only while the report is stored
       */
      userId?: string
    }
  | {
      /**
       * decisionId of the decision; labels its device report too
       */
      decisionId: string
      /**
       * How the session turned out; every value except legitimate is bad
       */
      outcome: 'fraud' | 'chargeback' | 'accountTakeover' | 'abuse' | 'legitimate'
      /**
       * When this became known, RFC 3339; not in the future, with 5 minutes of clock skew allowed. Default: now
       */
      knownAt?: string
      /**
       * Your id of the user of the session. legitimate confirms the device for this user; any other outcome ends its trust. Only while the report is stored
       */
      userId?: string
    }

/**
 * Every call of the service: its request and its answer.
 */
export interface Calls {
  /**
   * Checks whether the SIM was swapped within a lookback window. `swapped` false means only that no swap was found within the window. Read the HTTP status first; on 200 read `success`; read `swapped` only when `success` is true.
   */
  simSwapCheck: {
    request: SimSwapRequest
    answer: SimSwapResult
  }
  /**
   * Checks whether call forwarding is active. Forwarding can divert voice OTP calls to a device that the user does not control.
   */
  callForwardingCheck: {
    request: CallForwardingRequest
    answer: CallForwardingResult
  }
  /**
   * Checks whether the number has been ported away from its home operator: `phoneDetail.isPorted`.
   */
  portability: {
    request: PortabilityRequest
    answer: PortabilityResult
  }
  /**
   * Makes the checks side by side. Each has its own `success`: one that fails, or that the operator does not support, leaves the others as they are.
   */
  telecomChecks: {
    request: TelecomChecksRequest
    answer: TelecomChecksResult
  }
  /**
   * Returns who signed in: user, identities, and the network and device of the sign-in, when they were collected. A token without a login is refused.
   */
  validateToken: {
    request: ValidateTokenRequest
    answer: TokenVerification
  }
  /**
   * Returns security signals, network and device of a token, as far as they were collected. Also accepts a form, with the credentials in headers or in the fields client_id and client_secret (or clientId and clientSecret), and a JSON object that is declared as a form.
   */
  secureInfo: {
    request: SecureInfoRequest
    answer: SecureInfoResult
  }
  /**
   * Issues a token for a user who signed in at your backend.
   */
  issueToken: {
    request: IssueTokenRequest
    answer: IssuedToken
  }
  /**
   * Revokes a token at once. A token that is already revoked or expired is a success too. A token that is not yours is refused with 7114.
   */
  revokeToken: {
    request: RevokeTokenRequest
    answer: RevokedToken
  }
  /**
   * Returns how far a batch is, and what it has cost.
   */
  readBatch: {
    request: ReadBatchRequest
    answer: Batch
  }
  /**
   * Returns the batches of the tenant in pages, newest first.
   */
  listBatches: {
    request: ListBatchesRequest
    answer: BatchPage
  }
  /**
   * Numbers in flight are finished; all others are not checked, and have an error that says so. Canceling a batch that has ended changes nothing.
   */
  cancelBatch: {
    request: CancelBatchRequest
    answer: Batch
  }
  /**
   * Returns a URL of the mobile operator. The phone opens it over mobile data, and the operator redirects it with a code. Nothing is sent to the person. It can be completed once, within five minutes.
   */
  beginNumberVerification: {
    request: BeginNumberVerificationRequest
    answer: BegunNumberVerification
  }
  /**
   * Says whether the phone that opened the URL has the number. Send `state` with `code`, or with `error`, as the operator redirected. The first call with the right state uses the verification up.
   */
  completeNumberVerification: {
    request: CompleteNumberVerificationRequest
    answer: NumberVerificationResult
  }
  /**
   * Looks up phone number, sign-in and device side by side, evaluates your rules, and says what to do and why. Every field is optional, but name at least one of userId, phoneNumber, email, ip, token and dfrId. A token or dfrId that is not accepted is no error, since the page chose it: it is in `missing`, and rules read it.
   */
  decide: {
    request: DecisionRequest
    answer: Decision
  }
  /**
   * Returns a stored decision, with the present state of its challenge.
   */
  readDecision: {
    request: ReadDecisionRequest
    answer: Decision
  }
  /**
   * Send the token of a sign-in that the user made after the decision. It must be of the user of the decision, with one of the identityTypes of the challenge. Where the decision names no user, it must be of its phone number or email address. A token passes one challenge; repeating the call is a success.
   */
  passChallenge: {
    request: PassChallengeRequest
    answer: Decision
  }
  /**
   * Returns risk scores, flags, IP address, device and the decision of your rules, for the dfrId of an SDK. A report is a snapshot: it does not change while it is stored. With userId, the session is confirmed as one of the user, and `include` adds whether the user knows the device.
   */
  deviceFingerprint: {
    request: DeviceReportRequest
    answer: DeviceReportAnswer
  }
  /**
   * Report how sessions turned out. Labels feed the history of devices (deviceRiskScore, rules on history) and measure the precision of rules (ringfence rules backtest). A repeated label changes nothing; a label with a later knownAt replaces an earlier one.
   */
  labelReports: {
    request: LabelRequest
    answer: LabelAnswer
  }
  /**
   * Returns the devices that were confirmed for a user: by a report read with userId, an issued token, a sign-in, or a label with userId.
   */
  listAccountDevices: {
    request: AccountDevicesRequest
    answer: AccountDevices
  }
  /**
   * Names a device, or revokes it with trusted: false. A revoked device is unknown to the account until a later session of it is confirmed.
   */
  updateAccountDevice: {
    request: UpdateAccountDeviceRequest
    answer: TrustedDevice
  }
  /**
   * Deletes what is stored about one device of a user, or about all of them, for example when the account is closed. Repeating it is a success.
   */
  deleteAccountDevices: {
    request: DeleteAccountDevicesRequest
    answer: DeletedAccountDevices
  }
  /**
   * Returns decisions, device reports, sign-ins, tokens and telecom checks of a user, phone number, device or IP address, by type, outcome and time; newest first. Without filters, everything of the tenant. It is a POST so that no URL contains a phone number.
   */
  searchEvents: {
    request: SearchEventsRequest
    answer: FoundEvents
  }
  /**
   * Creates an empty list of values of one kind. A tenant has at most 100 lists.
   */
  createList: {
    request: CreateListRequest
    answer: List
  }
  /**
   * Returns one list or all lists, with the number of their entries.
   */
  describeLists: {
    request: DescribeListsRequest
    answer: DescribedLists
  }
  /**
   * Deletes a list and its entries. Rules that name it go on: inList is false. Repeating it is a success with deleted: false.
   */
  deleteList: {
    request: DeleteListRequest
    answer: DeletedList
  }
  /**
   * Adds up to 1,000 entries, or changes note and expiry of existing ones: all or none. In force on every server within a second. Repeating it changes nothing.
   */
  addListEntries: {
    request: AddListEntriesRequest
    answer: AddedListEntries
  }
  /**
   * Removes up to 1,000 entries. A range of IP addresses is removed by the same range. In force on every server within a second.
   */
  removeListEntries: {
    request: RemoveListEntriesRequest
    answer: RemovedListEntries
  }
  /**
   * Returns whether a value is in a list, and the entries that match it.
   */
  lookUpList: {
    request: LookUpListRequest
    answer: ListLookUp
  }
  /**
   * Returns the entries of a list in pages. Send `next` as `cursor` until it is absent.
   */
  readList: {
    request: ReadListRequest
    answer: ListPage
  }
  /**
   * Returns decisions that rules sent to REVIEW: the open ones, or those that were approved or blocked.
   */
  listReviews: {
    request: ListReviewsRequest
    answer: Reviews
  }
  /**
   * Approves or blocks a decision that a rule sent to REVIEW. The first reviewer decides: another outcome, or another reviewer, gets 409 with who resolved it. Repeating a call is a success.
   */
  resolveReview: {
    request: ResolveReviewRequest
    answer: Review
  }
  /**
   * Checks the number again and again, and sends the event `telecom.number_changed` when its SIM, phone, operator or subscriber changes. The first check is made within seconds and stores how things are. A number has one watch: another call for it adds checks and extends the watch.
   */
  watchNumber: {
    request: WatchRequest
    answer: Watch
  }
  /**
   * Returns a watch: when each check was made last, and how often it is made.
   */
  readWatch: {
    request: ReadWatchRequest
    answer: Watch
  }
  /**
   * Returns the watches of the tenant in pages, or the one of a number.
   */
  listWatches: {
    request: ListWatchesRequest
    answer: WatchPage
  }
  /**
   * Deletes a watch with what is stored of it. Repeating it is a success with deleted: false.
   */
  deleteWatch: {
    request: DeleteWatchRequest
    answer: DeletedWatch
  }
}
export interface SimSwapRequest {
  /**
   * Digits only, with country code and without a plus sign
   */
  phoneNumber: string
  /**
   * Lookback window in hours; default: that of the operator or the service (240)
   */
  maxAge?: number
  consent?: Consent
}
/**
 * The purpose of the call, its legal basis, and your record of it. Stored with the answer. A tenant may require it
 */
export interface Consent {
  /**
   * What for: a term of the W3C Data Privacy Vocabulary
   */
  purpose: string
  /**
   * The legal basis of Art. 6(1) GDPR
   */
  legalBasis?: 'CONSENT' | 'CONTRACT' | 'LEGAL_OBLIGATION' | 'VITAL_INTERESTS' | 'PUBLIC_TASK' | 'LEGITIMATE_INTERESTS'
  /**
   * Your id of the record that proves it, for example of a consent or a contract: letters, digits and . _ : / @ + -. Do not put personal data in it
   */
  reference?: string
  /**
   * For the legal basis CONSENT: when the person consented; RFC 3339
   */
  givenAt?: string
}
/**
 * Metadata of the phone number, without portability
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
 * Why a valid request has no result
 */
export interface InBodyError {
  errorCode: string
  message: string
  description: string
}
export interface CallForwardingRequest {
  /**
   * Digits only, with country code and without a plus sign
   */
  phoneNumber: string
  consent?: Consent
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
   * true when the number has been ported away from its home operator. Present only when a portability source confirms it; never in a SIM swap result
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
   * Digits only, with country code and without a plus sign
   */
  phoneNumber: string
  consent?: Consent
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
export interface TelecomChecksRequest {
  /**
   * Digits only, with country code and without a plus sign
   */
  phoneNumber: string
  /**
   * The checks to make, each with its parameters; an empty object where it needs none
   */
  checks: {
    /**
     * Has this number's SIM been swapped within the last maxAge hours?
     */
    simSwap?: {
      /**
       * Lookback window in hours; default: that of the operator or the service (240)
       */
      maxAge?: number
    }
    /**
     * Has this number moved to another phone within the last maxAge hours?
     */
    deviceSwap?: {
      /**
       * Lookback window in hours; default: that of the operator or the service (240)
       */
      maxAge?: number
    }
    /**
     * Are calls to this number forwarded?
     */
    callForwarding?: Record<string, never>
    /**
     * Has this number been ported away from its home operator?
     */
    portability?: Record<string, never>
    /**
     * Has this number been given to another subscriber since a date?
     */
    numberRecycling?: {
      /**
       * When you last knew whose number it is; not in the future; YYYY-MM-DD
       */
      since: string
    }
    /**
     * Has the subscriber had this number without interruption since a date?
     */
    tenure?: {
      /**
       * Since when; not in the future; YYYY-MM-DD
       */
      since: string
    }
    /**
     * Which of these particulars does the operator have of its subscriber?
     */
    kycMatch?: {
      /**
       * Number of an identity document
       */
      idDocument?: string
      /**
       * Kind of the identity document
       */
      idDocumentType?:
        | 'passport'
        | 'national_id_card'
        | 'residence_permit'
        | 'diplomatic_id'
        | 'driver_licence'
        | 'social_security_id'
        | 'other'
      /**
       * Last day of the identity document; YYYY-MM-DD
       */
      idDocumentExpiryDate?: string
      /**
       * Bank account after the name of its scheme, such as IBAN:NL59ABNA0123456789
       */
      bankAccountNumber?: string
      /**
       * Complete name
       */
      name?: string
      /**
       * Given name
       */
      givenName?: string
      /**
       * Family name
       */
      familyName?: string
      /**
       * Middle names
       */
      middleNames?: string
      /**
       * Family name at birth
       */
      familyNameAtBirth?: string
      /**
       * Name in half-width kana
       */
      nameKanaHankaku?: string
      /**
       * Name in full-width kana
       */
      nameKanaZenkaku?: string
      /**
       * Complete address
       */
      address?: string
      /**
       * Street
       */
      streetName?: string
      /**
       * Number in the street
       */
      streetNumber?: string
      /**
       * Addition to the number
       */
      houseNumberExtension?: string
      /**
       * Postal code
       */
      postalCode?: string
      /**
       * City
       */
      locality?: string
      /**
       * Region
       */
      region?: string
      /**
       * Country, ISO 3166-1 alpha-2
       */
      country?: string
      /**
       * Birth date; not in the future; YYYY-MM-DD
       */
      birthdate?: string
      /**
       * City of birth
       */
      cityOfBirth?: string
      /**
       * Country of birth, ISO 3166-1 alpha-2
       */
      countryOfBirth?: string
      /**
       * Nationality, ISO 3166-1 alpha-2
       */
      nationality?: string
      /**
       * Email address
       */
      email?: string
      /**
       * Gender
       */
      gender?: 'MALE' | 'FEMALE' | 'OTHER'
    }
    /**
     * Is the phone within a circle?
     */
    locationVerification?: {
      /**
       * Degrees north of the middle
       */
      latitude: number
      /**
       * Degrees east of the middle
       */
      longitude: number
      /**
       * Radius in metres. Operators may refuse small ones; 2,000 is common
       */
      radius: number
      /**
       * How old the location may be, in seconds
       */
      maxAgeSeconds?: number
    }
    /**
     * Is the phone in the network of another operator abroad, and in which country?
     */
    roaming?: Record<string, never>
    /**
     * Is the phone connected to its network?
     */
    reachability?: Record<string, never>
  }
  consent?: Consent
}
export interface TelecomChecksResult {
  phoneDetail: PhoneDetail
  /**
   * The result of each check of the request
   */
  checks: {
    /**
     * The SIM swap check: its answer, or why there is none
     */
    simSwap?:
      | {
          success: true
          /**
           * Age of the answer in seconds; 0: the operator was called now
           */
          ageSeconds: number
          /**
           * Who answered: the name of a connector or portability source in the configuration
           */
          source?: string
          /**
           * The sum of the prices of the requests that were sent, by the configuration; 0 for a reused answer. Absent: a price is not configured
           */
          cost?: {
            /**
             * ISO 4217
             */
            currency: string
            /**
             * Millionths of the currency: 12000 is 0.012
             */
            micros: number
          }
          /**
           * true: the SIM was swapped within the window; false: no such change was found within it
           */
          swapped: boolean
          /**
           * The window, in hours
           */
          maxAgeHours: number
          /**
           * When it last changed; only where the operator reports the date; RFC 3339
           */
          latestChange?: string
          /**
           * How long ago it last changed, at most; only where the operator reports the date
           */
          ageBand?:
            | 'WITHIN_1_DAY'
            | 'WITHIN_3_DAYS'
            | 'WITHIN_7_DAYS'
            | 'WITHIN_30_DAYS'
            | 'WITHIN_90_DAYS'
            | 'WITHIN_365_DAYS'
            | 'OLDER'
        }
      | {
          success: false
          error: InBodyError
          /**
           * The sum of the prices of the requests that were sent, by the configuration; 0 for a reused answer. Absent: a price is not configured
           */
          cost?: {
            /**
             * ISO 4217
             */
            currency: string
            /**
             * Millionths of the currency: 12000 is 0.012
             */
            micros: number
          }
        }
    /**
     * The device swap check: its answer, or why there is none
     */
    deviceSwap?:
      | {
          success: true
          /**
           * Age of the answer in seconds; 0: the operator was called now
           */
          ageSeconds: number
          /**
           * Who answered: the name of a connector or portability source in the configuration
           */
          source?: string
          /**
           * The sum of the prices of the requests that were sent, by the configuration; 0 for a reused answer. Absent: a price is not configured
           */
          cost?: {
            /**
             * ISO 4217
             */
            currency: string
            /**
             * Millionths of the currency: 12000 is 0.012
             */
            micros: number
          }
          /**
           * true: the number moved to another phone within the window; false: no such change was found within it
           */
          swapped: boolean
          /**
           * The window, in hours
           */
          maxAgeHours: number
          /**
           * When it last changed; only where the operator reports the date; RFC 3339
           */
          latestChange?: string
          /**
           * How long ago it last changed, at most; only where the operator reports the date
           */
          ageBand?:
            | 'WITHIN_1_DAY'
            | 'WITHIN_3_DAYS'
            | 'WITHIN_7_DAYS'
            | 'WITHIN_30_DAYS'
            | 'WITHIN_90_DAYS'
            | 'WITHIN_365_DAYS'
            | 'OLDER'
        }
      | {
          success: false
          error: InBodyError
          /**
           * The sum of the prices of the requests that were sent, by the configuration; 0 for a reused answer. Absent: a price is not configured
           */
          cost?: {
            /**
             * ISO 4217
             */
            currency: string
            /**
             * Millionths of the currency: 12000 is 0.012
             */
            micros: number
          }
        }
    /**
     * The call forwarding check: its answer, or why there is none
     */
    callForwarding?:
      | {
          success: true
          /**
           * Age of the answer in seconds; 0: the operator was called now
           */
          ageSeconds: number
          /**
           * Who answered: the name of a connector or portability source in the configuration
           */
          source?: string
          /**
           * The sum of the prices of the requests that were sent, by the configuration; 0 for a reused answer. Absent: a price is not configured
           */
          cost?: {
            /**
             * ISO 4217
             */
            currency: string
            /**
             * Millionths of the currency: 12000 is 0.012
             */
            micros: number
          }
          /**
           * true: calls are forwarded
           */
          active: boolean
          /**
           * Every forwarding that is active, where the operator names them
           */
          kinds?: ('unconditional' | 'conditional_busy' | 'conditional_not_reachable' | 'conditional_no_answer')[]
        }
      | {
          success: false
          error: InBodyError
          /**
           * The sum of the prices of the requests that were sent, by the configuration; 0 for a reused answer. Absent: a price is not configured
           */
          cost?: {
            /**
             * ISO 4217
             */
            currency: string
            /**
             * Millionths of the currency: 12000 is 0.012
             */
            micros: number
          }
        }
    /**
     * The portability check: its answer, or why there is none
     */
    portability?:
      | {
          success: true
          /**
           * Age of the answer in seconds; 0: the operator was called now
           */
          ageSeconds: number
          /**
           * Who answered: the name of a connector or portability source in the configuration
           */
          source?: string
          /**
           * The sum of the prices of the requests that were sent, by the configuration; 0 for a reused answer. Absent: a price is not configured
           */
          cost?: {
            /**
             * ISO 4217
             */
            currency: string
            /**
             * Millionths of the currency: 12000 is 0.012
             */
            micros: number
          }
          /**
           * true: the number was ported. Stated only by a portability source
           */
          ported: boolean
        }
      | {
          success: false
          error: InBodyError
          /**
           * The sum of the prices of the requests that were sent, by the configuration; 0 for a reused answer. Absent: a price is not configured
           */
          cost?: {
            /**
             * ISO 4217
             */
            currency: string
            /**
             * Millionths of the currency: 12000 is 0.012
             */
            micros: number
          }
        }
    /**
     * The number recycling check: its answer, or why there is none
     */
    numberRecycling?:
      | {
          success: true
          /**
           * Age of the answer in seconds; 0: the operator was called now
           */
          ageSeconds: number
          /**
           * Who answered: the name of a connector or portability source in the configuration
           */
          source?: string
          /**
           * The sum of the prices of the requests that were sent, by the configuration; 0 for a reused answer. Absent: a price is not configured
           */
          cost?: {
            /**
             * ISO 4217
             */
            currency: string
            /**
             * Millionths of the currency: 12000 is 0.012
             */
            micros: number
          }
          /**
           * true: the number has had another subscriber since then
           */
          recycled: boolean
          /**
           * The date that was asked for; YYYY-MM-DD
           */
          since: string
        }
      | {
          success: false
          error: InBodyError
          /**
           * The sum of the prices of the requests that were sent, by the configuration; 0 for a reused answer. Absent: a price is not configured
           */
          cost?: {
            /**
             * ISO 4217
             */
            currency: string
            /**
             * Millionths of the currency: 12000 is 0.012
             */
            micros: number
          }
        }
    /**
     * The tenure check: its answer, or why there is none
     */
    tenure?:
      | {
          success: true
          /**
           * Age of the answer in seconds; 0: the operator was called now
           */
          ageSeconds: number
          /**
           * Who answered: the name of a connector or portability source in the configuration
           */
          source?: string
          /**
           * The sum of the prices of the requests that were sent, by the configuration; 0 for a reused answer. Absent: a price is not configured
           */
          cost?: {
            /**
             * ISO 4217
             */
            currency: string
            /**
             * Millionths of the currency: 12000 is 0.012
             */
            micros: number
          }
          /**
           * true: the same subscriber has had the number since then
           */
          held: boolean
          /**
           * The date that was asked for; YYYY-MM-DD
           */
          since: string
          /**
           * Kind of contract, where the operator reports it
           */
          contractType?: 'PREPAID' | 'CONTRACT' | 'BUSINESS'
        }
      | {
          success: false
          error: InBodyError
          /**
           * The sum of the prices of the requests that were sent, by the configuration; 0 for a reused answer. Absent: a price is not configured
           */
          cost?: {
            /**
             * ISO 4217
             */
            currency: string
            /**
             * Millionths of the currency: 12000 is 0.012
             */
            micros: number
          }
        }
    /**
     * The KYC match check: its answer, or why there is none
     */
    kycMatch?:
      | {
          success: true
          /**
           * Age of the answer in seconds; 0: the operator was called now
           */
          ageSeconds: number
          /**
           * Who answered: the name of a connector or portability source in the configuration
           */
          source?: string
          /**
           * The sum of the prices of the requests that were sent, by the configuration; 0 for a reused answer. Absent: a price is not configured
           */
          cost?: {
            /**
             * ISO 4217
             */
            currency: string
            /**
             * Millionths of the currency: 12000 is 0.012
             */
            micros: number
          }
          /**
           * true: everything that the operator could compare matches
           */
          matches: boolean
          /**
           * How many of the fields the operator could compare
           */
          compared: number
          fields: {
            idDocument?: {
              match: boolean
              /**
               * Similarity of a text that does not match, 0 to 100
               */
              score?: number
            }
            idDocumentType?: {
              match: boolean
              /**
               * Similarity of a text that does not match, 0 to 100
               */
              score?: number
            }
            idDocumentExpiryDate?: {
              match: boolean
              /**
               * Similarity of a text that does not match, 0 to 100
               */
              score?: number
            }
            bankAccountNumber?: {
              match: boolean
              /**
               * Similarity of a text that does not match, 0 to 100
               */
              score?: number
            }
            name?: {
              match: boolean
              /**
               * Similarity of a text that does not match, 0 to 100
               */
              score?: number
            }
            givenName?: {
              match: boolean
              /**
               * Similarity of a text that does not match, 0 to 100
               */
              score?: number
            }
            familyName?: {
              match: boolean
              /**
               * Similarity of a text that does not match, 0 to 100
               */
              score?: number
            }
            middleNames?: {
              match: boolean
              /**
               * Similarity of a text that does not match, 0 to 100
               */
              score?: number
            }
            familyNameAtBirth?: {
              match: boolean
              /**
               * Similarity of a text that does not match, 0 to 100
               */
              score?: number
            }
            nameKanaHankaku?: {
              match: boolean
              /**
               * Similarity of a text that does not match, 0 to 100
               */
              score?: number
            }
            nameKanaZenkaku?: {
              match: boolean
              /**
               * Similarity of a text that does not match, 0 to 100
               */
              score?: number
            }
            address?: {
              match: boolean
              /**
               * Similarity of a text that does not match, 0 to 100
               */
              score?: number
            }
            streetName?: {
              match: boolean
              /**
               * Similarity of a text that does not match, 0 to 100
               */
              score?: number
            }
            streetNumber?: {
              match: boolean
              /**
               * Similarity of a text that does not match, 0 to 100
               */
              score?: number
            }
            houseNumberExtension?: {
              match: boolean
              /**
               * Similarity of a text that does not match, 0 to 100
               */
              score?: number
            }
            postalCode?: {
              match: boolean
              /**
               * Similarity of a text that does not match, 0 to 100
               */
              score?: number
            }
            locality?: {
              match: boolean
              /**
               * Similarity of a text that does not match, 0 to 100
               */
              score?: number
            }
            region?: {
              match: boolean
              /**
               * Similarity of a text that does not match, 0 to 100
               */
              score?: number
            }
            country?: {
              match: boolean
              /**
               * Similarity of a text that does not match, 0 to 100
               */
              score?: number
            }
            birthdate?: {
              match: boolean
              /**
               * Similarity of a text that does not match, 0 to 100
               */
              score?: number
            }
            cityOfBirth?: {
              match: boolean
              /**
               * Similarity of a text that does not match, 0 to 100
               */
              score?: number
            }
            countryOfBirth?: {
              match: boolean
              /**
               * Similarity of a text that does not match, 0 to 100
               */
              score?: number
            }
            nationality?: {
              match: boolean
              /**
               * Similarity of a text that does not match, 0 to 100
               */
              score?: number
            }
            email?: {
              match: boolean
              /**
               * Similarity of a text that does not match, 0 to 100
               */
              score?: number
            }
            gender?: {
              match: boolean
              /**
               * Similarity of a text that does not match, 0 to 100
               */
              score?: number
            }
          }
        }
      | {
          success: false
          error: InBodyError
          /**
           * The sum of the prices of the requests that were sent, by the configuration; 0 for a reused answer. Absent: a price is not configured
           */
          cost?: {
            /**
             * ISO 4217
             */
            currency: string
            /**
             * Millionths of the currency: 12000 is 0.012
             */
            micros: number
          }
        }
    /**
     * The location verification check: its answer, or why there is none
     */
    locationVerification?:
      | {
          success: true
          /**
           * Age of the answer in seconds; 0: the operator was called now
           */
          ageSeconds: number
          /**
           * Who answered: the name of a connector or portability source in the configuration
           */
          source?: string
          /**
           * The sum of the prices of the requests that were sent, by the configuration; 0 for a reused answer. Absent: a price is not configured
           */
          cost?: {
            /**
             * ISO 4217
             */
            currency: string
            /**
             * Millionths of the currency: 12000 is 0.012
             */
            micros: number
          }
          /**
           * Where the network locates the phone; PARTLY: its area and the circle overlap
           */
          result: 'INSIDE' | 'PARTLY' | 'OUTSIDE'
          /**
           * For PARTLY: how much of the area is in the circle, %
           */
          matchRate?: number
          /**
           * When the phone was located; RFC 3339
           */
          locatedAt?: string
        }
      | {
          success: false
          error: InBodyError
          /**
           * The sum of the prices of the requests that were sent, by the configuration; 0 for a reused answer. Absent: a price is not configured
           */
          cost?: {
            /**
             * ISO 4217
             */
            currency: string
            /**
             * Millionths of the currency: 12000 is 0.012
             */
            micros: number
          }
        }
    /**
     * The roaming check: its answer, or why there is none
     */
    roaming?:
      | {
          success: true
          /**
           * Age of the answer in seconds; 0: the operator was called now
           */
          ageSeconds: number
          /**
           * Who answered: the name of a connector or portability source in the configuration
           */
          source?: string
          /**
           * The sum of the prices of the requests that were sent, by the configuration; 0 for a reused answer. Absent: a price is not configured
           */
          cost?: {
            /**
             * ISO 4217
             */
            currency: string
            /**
             * Millionths of the currency: 12000 is 0.012
             */
            micros: number
          }
          /**
           * true: the phone is in a foreign network
           */
          roaming: boolean
          /**
           * Country of that network, where exactly one is known
           */
          country?: string
          /**
           * MCC of that network, where the operator reports it
           */
          mobileCountryCode?: number
          /**
           * When the operator last updated the status; RFC 3339
           */
          statusAt?: string
        }
      | {
          success: false
          error: InBodyError
          /**
           * The sum of the prices of the requests that were sent, by the configuration; 0 for a reused answer. Absent: a price is not configured
           */
          cost?: {
            /**
             * ISO 4217
             */
            currency: string
            /**
             * Millionths of the currency: 12000 is 0.012
             */
            micros: number
          }
        }
    /**
     * The reachability check: its answer, or why there is none
     */
    reachability?:
      | {
          success: true
          /**
           * Age of the answer in seconds; 0: the operator was called now
           */
          ageSeconds: number
          /**
           * Who answered: the name of a connector or portability source in the configuration
           */
          source?: string
          /**
           * The sum of the prices of the requests that were sent, by the configuration; 0 for a reused answer. Absent: a price is not configured
           */
          cost?: {
            /**
             * ISO 4217
             */
            currency: string
            /**
             * Millionths of the currency: 12000 is 0.012
             */
            micros: number
          }
          /**
           * true: connected for data, SMS or both
           */
          reachable: boolean
          /**
           * How it is connected, where the operator reports it
           */
          connectivity?: ('DATA' | 'SMS')[]
          /**
           * When the operator last updated the status; RFC 3339
           */
          statusAt?: string
        }
      | {
          success: false
          error: InBodyError
          /**
           * The sum of the prices of the requests that were sent, by the configuration; 0 for a reused answer. Absent: a price is not configured
           */
          cost?: {
            /**
             * ISO 4217
             */
            currency: string
            /**
             * Millionths of the currency: 12000 is 0.012
             */
            micros: number
          }
        }
  }
  /**
   * What it cost to find out who serves the number. The portability check has it as its own cost instead. Absent: a price is not configured
   */
  lookUpCost?: {
    /**
     * ISO 4217
     */
    currency: string
    /**
     * Millionths of the currency: 12000 is 0.012
     */
    micros: number
  }
}
export interface ValidateTokenRequest {
  /**
   * The token of the user object
   */
  token: string
}
/**
 * Who signed in
 */
export interface TokenVerification {
  /**
   * The token that was validated
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
 * Verdicts on the device; false when unknown
 */
export interface SecureInfo {
  /**
   * A private window
   */
  incognito: boolean
  confidence: {
    /**
     * Probability that the deviceId is right, 0 to 1; 0 without a deviceId
     */
    score: number
    /**
     * Revision of the scoring
     */
    revision: string
  }
  bot: {
    /**
     * good: a verified crawler or agent; bad: any other automation
     */
    result: 'notDetected' | 'good' | 'bad'
  }
  rootApps: {
    result: boolean
  }
  emulator: {
    result: boolean
  }
  jailbroken: {
    result: boolean
  }
  clonedApp: {
    result: boolean
  }
  frida: {
    result: boolean
  }
  privacySettings: {
    result: boolean
  }
  tampering: {
    result: boolean
    /**
     * 0 to 1; tampered above 0.5
     */
    anomalyScore: number
  }
  factoryReset: {
    /**
     * ISO 8601 UTC; 1970-01-01T00:00:00Z when unknown
     */
    time: string
    /**
     * Epoch seconds; 0 when unknown
     */
    timestamp: number
  }
  suspectScore: {
    /**
     * Sum of the weights of the signals that fired
     */
    result: number
  }
  vpn: {
    result: boolean
    /**
     * ISO 3166-1 alpha-2, or unknown
     */
    originCountry: string
    methods: {
      timezoneMismatch: boolean
      publicVPN: boolean
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
 * Device and network of a token
 */
export interface SecureInfoResult {
  status: 'SUCCESS'
  secure_info?: SecureInfoDetail
  network_info?: Network
  device_info?: DeviceInfoDetail
}
/**
 * All verdicts on the device; false when unknown
 */
export interface SecureInfoDetail {
  /**
   * A private window
   */
  incognito: boolean
  confidence: {
    /**
     * Probability that the deviceId is right, 0 to 1; 0 without a deviceId
     */
    score: number
    /**
     * Revision of the scoring
     */
    revision: string
  }
  bot: {
    /**
     * good: a verified crawler or agent; bad: any other automation
     */
    result: 'notDetected' | 'good' | 'bad'
  }
  rootApps: {
    result: boolean
  }
  emulator: {
    result: boolean
  }
  jailbroken: {
    result: boolean
  }
  clonedApp: {
    result: boolean
  }
  frida: {
    result: boolean
  }
  privacySettings: {
    result: boolean
  }
  tampering: {
    result: boolean
    /**
     * 0 to 1; tampered above 0.5
     */
    anomalyScore: number
  }
  factoryReset: {
    /**
     * ISO 8601 UTC; 1970-01-01T00:00:00Z when unknown
     */
    time: string
    /**
     * Epoch seconds; 0 when unknown
     */
    timestamp: number
  }
  suspectScore: {
    /**
     * Sum of the weights of the signals that fired
     */
    result: number
  }
  virtualMachine: {
    result: boolean
  }
  locationSpoofing: {
    result: boolean
  }
  developerTools: {
    result: boolean
  }
  vpn: {
    result: boolean
    /**
     * ISO 3166-1 alpha-2, or unknown
     */
    originCountry: string
    /**
     * The device's IANA time zone, or unknown
     */
    originTimezone: string
    methods: {
      timezoneMismatch: boolean
      publicVPN: boolean
      auxiliaryMobile: boolean
      osMismatch: boolean
    }
  }
}
/**
 * What the device reported about itself, with its browser versions
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
   * The identities that your backend verified
   */
  identities: IdentityClaim[]
  /**
   * requestId of a device analysis of this visit, at most an hour old
   */
  requestId?: string
  /**
   * false: only a password was correct, which may be stolen. The device is not confirmed for the user; a decision that allows the session confirms it, or its challenge. Default: true
   */
  userVerified?: boolean
}
/**
 * An identity that your backend verified
 */
export interface IdentityClaim {
  /**
   * MOBILE, EMAIL, or your own type
   */
  identityType: string
  /**
   * MOBILE: digits with country code, no plus sign
   */
  identityValue: string
  /**
   * OTP, OAUTH, MAGIC_LINK, SILENT_AUTH, or your own channel
   */
  channel: string
  /**
   * Items: SMS, EMAIL, the name of an identity provider, or your own method
   */
  methods: string[]
  verified: boolean
  /**
   * ISO 8601 UTC; required when verified is true, and only then
   */
  verifiedAt?: string
}
/**
 * A new token
 */
export interface IssuedToken {
  /**
   * For your frontend
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
 * The token is no longer accepted
 */
export interface RevokedToken {
  status: 'SUCCESS'
}
export interface ReadBatchRequest {
  /**
   * batchId of a batch
   */
  batchId: string
}
/**
 * A batch of phone numbers
 */
export interface Batch {
  /**
   * Identifies the batch
   */
  batchId: string
  /**
   * `queued`: nothing was checked yet. `running`: being checked. `canceling`: numbers in flight are finished. `canceled` and `completed`: every line has a result
   */
  status: 'queued' | 'running' | 'canceling' | 'canceled' | 'completed'
  /**
   * The checks, as they were sent
   */
  checks: string
  /**
   * The purpose that each check of the batch states, as it was sent
   */
  consent?: {
    /**
     * What for: a term of the W3C Data Privacy Vocabulary
     */
    purpose: string
    /**
     * The legal basis of Art. 6(1) GDPR
     */
    legalBasis?:
      | 'CONSENT'
      | 'CONTRACT'
      | 'LEGAL_OBLIGATION'
      | 'VITAL_INTERESTS'
      | 'PUBLIC_TASK'
      | 'LEGITIMATE_INTERESTS'
    /**
     * Your id of the record that proves it, for example of a consent or a contract: letters, digits and . _ : / @ + -. Do not put personal data in it
     */
    reference?: string
    /**
     * For the legal basis CONSENT: when the person consented; RFC 3339
     */
    givenAt?: string
  }
  /**
   * Columns beside the phone number, in the order of the results
   */
  columns: string[]
  counts: BatchCounts
  /**
   * How many checks or lines have each error code: `{"P7345": 120}` when a cost cap was reached
   */
  errors: {
    [k: string]: number
  }
  /**
   * The sum of the prices of the requests that were sent, by the configuration; 0 for a reused answer. Absent: a price is not configured
   */
  cost?: {
    /**
     * ISO 4217
     */
    currency: string
    /**
     * Millionths of the currency: 12000 is 0.012
     */
    micros: number
  }
  /**
   * Results of the sandbox operator are made up
   */
  sandbox?: true
  /**
   * How fast it is being checked; only while it is running
   */
  linesPerSecond?: number
  /**
   * When its lines had arrived; ISO 8601 UTC
   */
  createdAt: string
  /**
   * When it was completed or canceled; ISO 8601 UTC
   */
  completedAt?: string
  /**
   * When it is deleted with its results; ISO 8601 UTC
   */
  expiresAt: string
}
/**
 * done = answered + failed + invalid
 */
export interface BatchCounts {
  /**
   * Lines with or without a valid number; a CSV header and empty lines do not count
   */
  total: number
  /**
   * Lines whose result can be read. When it equals total, the batch has ended
   */
  done: number
  /**
   * Of these: every check has an answer
   */
  answered: number
  /**
   * Of these: a check has no answer, or none was made
   */
  failed: number
  /**
   * Of these: the line is broken, or its number is not a phone number
   */
  invalid: number
  /**
   * Of these: the number is in an earlier line too, so it was checked once
   */
  duplicates: number
}
export interface ListBatchesRequest {
  /**
   * How many batches a page has at most
   */
  limit?: number
  /**
   * nextCursor of the page before
   */
  cursor?: string
}
/**
 * A page of batches
 */
export interface BatchPage {
  /**
   * Newest first
   */
  batches: Batch[]
  /**
   * Send it as `cursor` for the next page; absent: no more
   */
  nextCursor?: string
}
export interface CancelBatchRequest {
  /**
   * batchId of a batch
   */
  batchId: string
}
export interface BeginNumberVerificationRequest {
  /**
   * Digits only, with country code and without a plus sign
   */
  phoneNumber: string
  /**
   * Where the operator redirects the phone; registered at the operator. Default: the callback URL of this service, to which your app need not go: it reads `code` and `state` from the redirect. `{connector}` becomes the name of the connector that verifies the number; where several do, the path ends with it, so that each operator has its own redirect URI
   */
  redirectUri?: string
  consent?: Consent
}
export interface CompleteNumberVerificationRequest {
  /**
   * In the path: of the first call
   */
  verificationId: string
  /**
   * `state` of the URL that the operator redirected to
   */
  state: string
  /**
   * `code` of the URL that the operator redirected to
   */
  code?: string
  /**
   * `error` of the URL that the operator redirected to
   */
  error?: string
  /**
   * `iss` of the URL that the operator redirected to
   */
  iss?: string
  /**
   * The URL that the operator redirected the phone to; its query may be left out. Required where several connectors verify phones and there is no `iss`: a code is sent to no operator but its own
   */
  redirectUri?: string
}
export interface DecisionRequest {
  /**
   * What the person wants to do, in capitals: LOGIN, SIGNUP, PAYMENT, or your own. Rules read it
   */
  action?: string
  /**
   * Your id of the user whose account is used
   */
  userId?: string
  /**
   * Digits only, with country code and without a plus sign
   */
  phoneNumber?: string
  /**
   * Email address of the user
   */
  email?: string
  /**
   * IP address of the person, as your backend sees it. Default: that of the device, or of the sign-in
   */
  ip?: string
  /**
   * The token of the user object, from your frontend. Send an empty text when your page must send one and did not: it is then unknown
   */
  token?: string
  /**
   * The dfrId of the device SDK, from your frontend. Send an empty text when your page must send one and did not: it is then unknown
   */
  dfrId?: string
  /**
   * Your own values, such as the amount; rules read them as params.NAME. At most 16384 bytes of JSON
   */
  params?: {
    [k: string]: unknown
  }
  /**
   * Telecom checks to make in any case. Default: only those that your rules read
   */
  checks?: ('simSwap' | 'deviceSwap' | 'callForwarding' | 'portability' | 'roaming' | 'reachability')[]
  /**
   * The purpose of the telecom checks that this decision makes or reads, and its legal basis. A tenant may require it of requests with a phone number or a token
   */
  consent?: {
    /**
     * What for: a term of the W3C Data Privacy Vocabulary
     */
    purpose: string
    /**
     * The legal basis of Art. 6(1) GDPR
     */
    legalBasis?:
      | 'CONSENT'
      | 'CONTRACT'
      | 'LEGAL_OBLIGATION'
      | 'VITAL_INTERESTS'
      | 'PUBLIC_TASK'
      | 'LEGITIMATE_INTERESTS'
    /**
     * Your id of the record that proves it, for example of a consent or a contract: letters, digits and . _ : / @ + -. Do not put personal data in it
     */
    reference?: string
    /**
     * For the legal basis CONSENT: when the person consented; RFC 3339
     */
    givenAt?: string
  }
  /**
   * Window of the SIM swap check in hours; default: that of the operator or the service (240)
   */
  simSwapMaxAgeHours?: number
  /**
   * Milliseconds to wait for the sign-in, the device and the operators: what has not arrived by then is in `missing`. It does not cut other reads of the store: without them there is no decision
   */
  deadlineMs?: number
}
/**
 * One decision; parts that were not asked for are omitted
 */
export interface Decision {
  /**
   * Read the decision again, label it, or pass its challenge with this id
   */
  decisionId: string
  /**
   * When it was made; ISO 8601 UTC
   */
  createdAt: string
  /**
   * What to do. CHALLENGE: let the user sign in once more, then send the token to the challenge
   */
  action: 'ALLOW' | 'WARN' | 'CHALLENGE' | 'BLOCK'
  /**
   * 0 to 100: the reasons combined
   */
  score: number
  /**
   * Message of the decisive rule that you can show to the user; absent without one
   */
  message?: string
  /**
   * Strongest first
   */
  reasons: DecisionReason[]
  consent?: Consent
  phone?: DecisionPhone
  login?: DecisionLogin
  device?: DecisionDevice
  account?: DecisionAccount
  /**
   * The rules that decided
   */
  rules: {
    /**
     * Version of your rule set; 0: the default rules
     */
    version: number
    /**
     * Ids of the rules that fired, in their order
     */
    fired: string[]
    /**
     * Id of the rule that set the action
     */
    decisive?: string
  }
  /**
   * What was asked for and is not known; it was not guessed
   *
   * Items: A part that was asked for and is not known
   */
  missing: {
    what: 'login' | 'device' | 'simSwap' | 'deviceSwap' | 'callForwarding' | 'portability' | 'roaming' | 'reachability'
    /**
     * unknown: no such record of yours. expired: it is too old. other-user, other-number: it belongs to another user or phone number than the request names. no-sign-in: a token without a sign-in. deadline, operator-timeout: it came too late. failed, operator-failed: the operator, the portability source or the service failed. no-number: neither the request nor the sign-in has a phone number. operator-unknown: no source knows which operator serves the number. unsupported: its operator does not offer the check. window-unsupported: not for so many hours; send a smaller simSwapMaxAgeHours
     */
    why:
      | 'unknown'
      | 'expired'
      | 'other-user'
      | 'no-sign-in'
      | 'deadline'
      | 'failed'
      | 'other-number'
      | 'no-number'
      | 'operator-unknown'
      | 'unsupported'
      | 'window-unsupported'
      | 'operator-timeout'
      | 'operator-failed'
  }[]
  challenge?: DecisionChallenge
  review?: DecisionReview
}
/**
 * A reason of the score
 */
export interface DecisionReason {
  /**
   * Stable; see the reference of reasons
   */
  code: string
  /**
   * For people; it may change
   */
  text: string
  /**
   * 0 to 100: the score if this were the only reason
   */
  weight: number
  /**
   * What it rests on, for example telecom.simSwap
   */
  source: string
}
/**
 * What is known of the phone number
 */
export interface DecisionPhone {
  phoneDetail: PhoneDetail
  /**
   * The SIM swap check
   */
  simSwap?: {
    /**
     * true: the SIM was swapped within the window; false: no such change was found within it
     */
    swapped: boolean
    /**
     * The window, in hours
     */
    maxAgeHours: number
    /**
     * When it last changed; only where the operator reports the date; RFC 3339
     */
    latestChange?: string
    /**
     * How long ago it last changed, at most; only where the operator reports the date
     */
    ageBand?:
      | 'WITHIN_1_DAY'
      | 'WITHIN_3_DAYS'
      | 'WITHIN_7_DAYS'
      | 'WITHIN_30_DAYS'
      | 'WITHIN_90_DAYS'
      | 'WITHIN_365_DAYS'
      | 'OLDER'
    /**
     * When the operator or a remote source was called; ISO 8601 UTC
     */
    asOf: string
  }
  /**
   * The device swap check
   */
  deviceSwap?: {
    /**
     * true: the number moved to another phone within the window; false: no such change was found within it
     */
    swapped: boolean
    /**
     * The window, in hours
     */
    maxAgeHours: number
    /**
     * When it last changed; only where the operator reports the date; RFC 3339
     */
    latestChange?: string
    /**
     * How long ago it last changed, at most; only where the operator reports the date
     */
    ageBand?:
      | 'WITHIN_1_DAY'
      | 'WITHIN_3_DAYS'
      | 'WITHIN_7_DAYS'
      | 'WITHIN_30_DAYS'
      | 'WITHIN_90_DAYS'
      | 'WITHIN_365_DAYS'
      | 'OLDER'
    /**
     * When the operator or a remote source was called; ISO 8601 UTC
     */
    asOf: string
  }
  /**
   * The call forwarding check
   */
  callForwarding?: {
    /**
     * true: calls are forwarded
     */
    active: boolean
    /**
     * Every forwarding that is active, where the operator names them
     */
    kinds?: ('unconditional' | 'conditional_busy' | 'conditional_not_reachable' | 'conditional_no_answer')[]
    /**
     * When the operator or a remote source was called; ISO 8601 UTC
     */
    asOf: string
  }
  /**
   * The portability check
   */
  portability?: {
    /**
     * true: the number was ported. Stated only by a portability source
     */
    ported: boolean
    /**
     * When the operator or a remote source was called; ISO 8601 UTC
     */
    asOf?: string
  }
  /**
   * The number recycling check
   */
  numberRecycling?: {
    /**
     * true: the number has had another subscriber since then
     */
    recycled: boolean
    /**
     * The date that was asked for; YYYY-MM-DD
     */
    since: string
    /**
     * When the operator or a remote source was called; ISO 8601 UTC
     */
    asOf: string
  }
  /**
   * The tenure check
   */
  tenure?: {
    /**
     * true: the same subscriber has had the number since then
     */
    held: boolean
    /**
     * The date that was asked for; YYYY-MM-DD
     */
    since: string
    /**
     * Kind of contract, where the operator reports it
     */
    contractType?: 'PREPAID' | 'CONTRACT' | 'BUSINESS'
    /**
     * When the operator or a remote source was called; ISO 8601 UTC
     */
    asOf: string
  }
  /**
   * The KYC match check
   */
  kycMatch?: {
    /**
     * true: everything that the operator could compare matches
     */
    matches: boolean
    /**
     * How many of the fields the operator could compare
     */
    compared: number
    fields: {
      idDocument?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      idDocumentType?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      idDocumentExpiryDate?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      bankAccountNumber?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      name?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      givenName?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      familyName?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      middleNames?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      familyNameAtBirth?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      nameKanaHankaku?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      nameKanaZenkaku?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      address?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      streetName?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      streetNumber?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      houseNumberExtension?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      postalCode?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      locality?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      region?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      country?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      birthdate?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      cityOfBirth?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      countryOfBirth?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      nationality?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      email?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      gender?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
    }
    /**
     * When the operator or a remote source was called; ISO 8601 UTC
     */
    asOf: string
  }
  /**
   * The location verification check
   */
  locationVerification?: {
    /**
     * Where the network locates the phone; PARTLY: its area and the circle overlap
     */
    result: 'INSIDE' | 'PARTLY' | 'OUTSIDE'
    /**
     * For PARTLY: how much of the area is in the circle, %
     */
    matchRate?: number
    /**
     * When the phone was located; RFC 3339
     */
    locatedAt?: string
    /**
     * When the operator or a remote source was called; ISO 8601 UTC
     */
    asOf: string
  }
  /**
   * The roaming check
   */
  roaming?: {
    /**
     * true: the phone is in a foreign network
     */
    roaming: boolean
    /**
     * Country of that network, where exactly one is known
     */
    country?: string
    /**
     * MCC of that network, where the operator reports it
     */
    mobileCountryCode?: number
    /**
     * When the operator last updated the status; RFC 3339
     */
    statusAt?: string
    /**
     * When the operator or a remote source was called; ISO 8601 UTC
     */
    asOf: string
  }
  /**
   * The reachability check
   */
  reachability?: {
    /**
     * true: connected for data, SMS or both
     */
    reachable: boolean
    /**
     * How it is connected, where the operator reports it
     */
    connectivity?: ('DATA' | 'SMS')[]
    /**
     * When the operator last updated the status; RFC 3339
     */
    statusAt?: string
    /**
     * When the operator or a remote source was called; ISO 8601 UTC
     */
    asOf: string
  }
}
/**
 * The sign-in of the token
 */
export interface DecisionLogin {
  userId: string
  /**
   * When the user signed in; ISO 8601 UTC
   */
  timestamp: string
  identities: Identity[]
  network?: Network
}
/**
 * The device report of the dfrId
 */
export interface DecisionDevice {
  /**
   * requestId of the engine call
   */
  requestId: string
  /**
   * tsId of the SDK
   */
  sessionId: string
  /**
   * This is the first visit of the device; false when unknown
   */
  newDevice: boolean
  /**
   * Stable id of the device; empty when it has none
   */
  deviceId: string
  /**
   * Risk of this session, 0 to 100
   */
  sessionRiskScore: number
  /**
   * Risk of this session and the history of the device, 0 to 100
   */
  deviceRiskScore: number
  /**
   * A VPN is active; false when unknown
   */
  vpn: boolean
  /**
   * The device is behind a proxy or a Tor exit node; false when unknown
   */
  proxy: boolean
  /**
   * The app runs on a simulator or emulator; false when unknown
   */
  simulator: boolean
  /**
   * The device is jailbroken; false when unknown
   */
  jailbroken: boolean
  /**
   * The app is a cloned instance; false when unknown
   */
  cloned: boolean
  /**
   * The location is spoofed; false when unknown
   */
  geoSpoofed: boolean
  /**
   * The screen is mirrored or recorded; false when unknown
   */
  mirroredScreen: boolean
  /**
   * A hooking framework was detected; false when unknown
   */
  hooking: boolean
  /**
   * The app differs from the published one; false when unknown
   */
  appTampering: boolean
  /**
   * The device was reset shortly before this session; false when unknown
   */
  factoryReset: boolean
  /**
   * Epoch milliseconds; -1 when unknown
   */
  factoryResetTime: number
  /**
   * IP address of the device; empty when unknown
   */
  ip: string
  /**
   * Location and reputation of the IP address; unknown fields are omitted
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
     * Network operator (ISP)
     */
    isp?: string
    /**
     * Autonomous system number, digits only
     */
    asn?: string
    /**
     * 0 to 100, from published IP lists and your labels; omitted without both (see ringfence data update)
     */
    fraudScore?: number
  }
  /**
   * GPS location, when the user allows it; unknown fields are omitted
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
     * Metres above sea level
     */
    altitude?: number
  }
  /**
   * Hardware and system of the device; unknown fields are omitted
   */
  deviceMeta: {
    brand?: string
    model?: string
    /**
     * Only on iOS
     */
    iOSVersion?: string
    cpuType?: string
    /**
     * Width and height in pixels, for example 1170x2532
     */
    screenResolution?: string
    /**
     * Memory, in bytes, as decimal digits
     */
    totalRAM?: string
    /**
     * Free storage, in bytes, as decimal digits
     */
    storageAvailable?: string
    /**
     * Storage, in bytes, as decimal digits
     */
    storageTotal?: string
  }
  ruleAction: RuleAction
  appliedRules: AppliedRules
  /**
   * The params of the push and the keys of `additionalInput` that the app setting `additionalDataFields` lists
   */
  additionalData: {
    [k: string]: unknown
  }
  identification?: ReportIdentification
}
/**
 * The decision of your rules
 */
export interface RuleAction {
  action: 'ALLOW' | 'WARN' | 'BLOCK'
  /**
   * Name of the rule that decided; empty when no rule fired
   */
  name: string
  description: string
  /**
   * Message that you can show to the user
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
/**
 * How the device was recognised
 */
export interface ReportIdentification {
  /**
   * key: the browser or app signed with its key. token: it has no key, and sent its token or stored id. similarity: it resembles a known device. none: nothing identified it, so it is new
   */
  by: 'key' | 'token' | 'similarity' | 'none'
  /**
   * Probability that deviceId is right, 0 to 1
   */
  confidence: number
  /**
   * Why the device token was not followed. copied: it came without its key. expired: it is older than 400 days. forged: it was not issued by this service. foreign: it is of another device
   */
  token?: 'copied' | 'expired' | 'forged' | 'foreign'
  /**
   * Facts that the device did not report, and why
   */
  factsMissing?: {
    fact: string
    because: 'refused' | 'unavailable' | 'timedOut'
  }[]
  /**
   * Only with userId. yes: a key or token of an installation that was confirmed for the user before this session. likely: the device resembles a confirmed one. no: neither, or it was revoked
   */
  knownForAccount?: 'yes' | 'likely' | 'no'
  /**
   * Only with userId
   */
  account?: {
    /**
     * Probability that this is a device that was confirmed for the user before, 0 to 1
     */
    probability: number
    /**
     * Which device; omitted for no
     */
    device?: {
      /**
       * Its deviceId; may differ from that of the report
       */
      deviceId: string
      /**
       * The name that you gave it
       */
      name?: string
      /**
       * ISO 8601 UTC
       */
      firstSeenAt: string
      /**
       * ISO 8601 UTC
       */
      lastSeenAt: string
    }
  }
}
/**
 * What is known of the account; rules read the same as account.NAME
 */
export interface DecisionAccount {
  /**
   * Proven sessions of the account
   */
  sessions?: number
  /**
   * Days since the first of them
   */
  ageDays?: number
  /**
   * Days since the last of them
   */
  daysSinceLastSession?: number
  /**
   * Whether the device was confirmed for the account before
   */
  knownDevice?: 'yes' | 'likely' | 'no'
  /**
   * The country is new to the account; absent when not known
   */
  newCountry?: boolean
  /**
   * The country is rare for the account; absent when not known
   */
  rareCountry?: boolean
  /**
   * The network operator of the IP address is new to the account; absent when not known
   */
  newNetwork?: boolean
  /**
   * The network operator of the IP address is rare for the account; absent when not known
   */
  rareNetwork?: boolean
  /**
   * The mobile operator is new to the account; absent when not known
   */
  newOperator?: boolean
  /**
   * The phone number is new to the account; absent when not known
   */
  newNumber?: boolean
  /**
   * The time of day is unusual for the account; absent when not known
   */
  unusualHour?: boolean
  /**
   * Other accounts on this device or with this phone number
   */
  linkedAccounts?: number
  /**
   * The way from the place of the last proven session
   */
  travel?: {
    /**
     * Kilometres, less the accuracy radii
     */
    distanceKm?: number
    /**
     * Kilometres per hour
     */
    speedKmh?: number
    /**
     * Nobody travels so fast; absent when not known
     */
    impossible?: boolean
  }
}
/**
 * The challenge of a decision whose action is CHALLENGE
 */
export interface DecisionChallenge {
  state: 'open' | 'passed' | 'expired'
  /**
   * The identities with which the user can sign in to pass. MOBILE is absent after a SIM swap or while calls are forwarded: a code would reach somebody else. Without a userId, only the phoneNumber and the email of the request count; empty: no sign-in can pass, so send a userId
   */
  identityTypes: string[]
  /**
   * Until when the challenge can be passed; ISO 8601 UTC
   */
  expiresAt: string
  /**
   * When it was passed; ISO 8601 UTC
   */
  passedAt?: string
}
/**
 * The review of a decision that a rule sent to REVIEW
 */
export interface DecisionReview {
  state: 'open' | 'approved' | 'blocked'
  /**
   * Who resolved it; absent while it is open
   */
  by?: string
  /**
   * The note of the reviewer
   */
  note?: string
  /**
   * When it was resolved; absent while it is open; ISO 8601 UTC
   */
  resolvedAt?: string
}
export interface ReadDecisionRequest {
  /**
   * decisionId of a decision
   */
  decisionId: string
}
export interface PassChallengeRequest {
  /**
   * decisionId of a decision
   */
  decisionId: string
  /**
   * The token of a sign-in that the user made after the decision
   */
  token: string
}
export interface DeviceReportRequest {
  /**
   * The dfrId that the SDK returned
   */
  dfrId: string
  /**
   * Platform of the SDK
   */
  deviceType: 'WEB' | 'IOS' | 'ANDROID'
  /**
   * Your id of the user who signed in. Confirms the device for this user
   */
  userId?: string
  /**
   * false: the user has not signed in yet, so nothing is confirmed. Use it to ask before the sign-in. Default: true
   */
  userVerified?: boolean
  /**
   * The user whose session this must be. A report whose `updateInfo` names another user, or none, is answered as unknown
   */
  expectedUserId?: string
  /**
   * An older report is answered as unknown
   */
  maxAgeSeconds?: number
  /**
   * Members to add to the report. Without it, the report has exactly the fields of the specification
   */
  include?: ('identification' | 'reasons' | 'signals')[]
}
/**
 * The report of a device, with the members that you ask for
 */
export interface DeviceReportAnswer {
  /**
   * requestId of the engine call
   */
  requestId: string
  /**
   * tsId of the SDK
   */
  sessionId: string
  /**
   * This is the first visit of the device; false when unknown
   */
  newDevice: boolean
  /**
   * Stable id of the device; empty when it has none
   */
  deviceId: string
  /**
   * Risk of this session, 0 to 100
   */
  sessionRiskScore: number
  /**
   * Risk of this session and the history of the device, 0 to 100
   */
  deviceRiskScore: number
  /**
   * A VPN is active; false when unknown
   */
  vpn: boolean
  /**
   * The device is behind a proxy or a Tor exit node; false when unknown
   */
  proxy: boolean
  /**
   * The app runs on a simulator or emulator; false when unknown
   */
  simulator: boolean
  /**
   * The device is jailbroken; false when unknown
   */
  jailbroken: boolean
  /**
   * The app is a cloned instance; false when unknown
   */
  cloned: boolean
  /**
   * The location is spoofed; false when unknown
   */
  geoSpoofed: boolean
  /**
   * The screen is mirrored or recorded; false when unknown
   */
  mirroredScreen: boolean
  /**
   * A hooking framework was detected; false when unknown
   */
  hooking: boolean
  /**
   * The app differs from the published one; false when unknown
   */
  appTampering: boolean
  /**
   * The device was reset shortly before this session; false when unknown
   */
  factoryReset: boolean
  /**
   * Epoch milliseconds; -1 when unknown
   */
  factoryResetTime: number
  /**
   * IP address of the device; empty when unknown
   */
  ip: string
  /**
   * Location and reputation of the IP address; unknown fields are omitted
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
     * Network operator (ISP)
     */
    isp?: string
    /**
     * Autonomous system number, digits only
     */
    asn?: string
    /**
     * 0 to 100, from published IP lists and your labels; omitted without both (see ringfence data update)
     */
    fraudScore?: number
  }
  /**
   * GPS location, when the user allows it; unknown fields are omitted
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
     * Metres above sea level
     */
    altitude?: number
  }
  /**
   * Hardware and system of the device; unknown fields are omitted
   */
  deviceMeta: {
    brand?: string
    model?: string
    /**
     * Only on iOS
     */
    iOSVersion?: string
    cpuType?: string
    /**
     * Width and height in pixels, for example 1170x2532
     */
    screenResolution?: string
    /**
     * Memory, in bytes, as decimal digits
     */
    totalRAM?: string
    /**
     * Free storage, in bytes, as decimal digits
     */
    storageAvailable?: string
    /**
     * Storage, in bytes, as decimal digits
     */
    storageTotal?: string
  }
  ruleAction: RuleAction
  appliedRules: AppliedRules
  /**
   * The params of the push and the keys of `additionalInput` that the app setting `additionalDataFields` lists
   */
  additionalData: {
    [k: string]: unknown
  }
  identification?: ReportIdentification
  reasons?: ReportReasons
  signals?: ReportSignals
}
/**
 * Every contribution to the scores; empty when nothing raised one
 */
export interface ReportReasons {
  /**
   * The score is 100 × (1 − the product of all 1 − weight)
   */
  sessionRiskScore: {
    /**
     * Stable; see the reference of reasons
     */
    code: string
    /**
     * 0 to 1: the risk if this were the only reason
     */
    weight: number
    /**
     * For people; it may change
     */
    text: string
  }[]
  /**
   * The reasons of the session, and those of the history of the device
   */
  deviceRiskScore: {
    /**
     * Stable; see the reference of reasons
     */
    code: string
    /**
     * 0 to 1: the risk if this were the only reason
     */
    weight: number
    /**
     * For people; it may change
     */
    text: string
  }[]
  /**
   * The score is the sum of the points
   */
  suspectScore: {
    /**
     * Stable; see the reference of reasons
     */
    code: string
    /**
     * By the published weights
     */
    points: number
    /**
     * For people; it may change
     */
    text: string
  }[]
}
/**
 * Every signal of the platform, by its name
 */
export interface ReportSignals {
  [k: string]: {
    /**
     * As in secure_info; unknown, also for a part of it, when the facts did not answer
     */
    verdict: {
      [k: string]: unknown
    }
    /**
     * What led to the verdict; for people, and may change
     */
    evidence: string[]
  }
}
export interface LabelRequest {
  labels: ReportLabel[]
}
/**
 * The labels are stored
 */
export interface LabelAnswer {
  /**
   * Number of stored labels, including repeated ones
   */
  accepted: number
  /**
   * Ids without a report or decision of yours, or with an expired one; their labels are not stored
   */
  unknown: string[]
}
export interface AccountDevicesRequest {
  /**
   * Your id of the user
   */
  userId: string
}
/**
 * The devices of a user
 */
export interface AccountDevices {
  /**
   * Last seen first, at most 64
   */
  devices: TrustedDevice[]
}
/**
 * A device of a user; unknown fields are omitted
 */
export interface TrustedDevice {
  /**
   * Stable id of the device
   */
  deviceId: string
  /**
   * The name that you gave it
   */
  name?: string
  /**
   * False after it was revoked, or after a bad label with this userId
   */
  trusted: boolean
  /**
   * Platform of the SDK
   */
  platform: 'WEB' | 'IOS' | 'ANDROID'
  browser?: string
  /**
   * Operating system of a browser
   */
  os?: string
  /**
   * Model of a phone
   */
  model?: string
  /**
   * The first session that was confirmed for the user; ISO 8601 UTC
   */
  firstSeenAt: string
  /**
   * The last one, to ten minutes; ISO 8601 UTC
   */
  lastSeenAt: string
  /**
   * When it was revoked; ISO 8601 UTC
   */
  revokedAt?: string
}
export interface UpdateAccountDeviceRequest {
  /**
   * Your id of the user
   */
  userId: string
  /**
   * deviceId of a report, or of this list
   */
  deviceId: string
  /**
   * Name to show to the user; an empty text removes it
   */
  name?: string
  /**
   * Revokes the device: it is unknown to the account until a later session is confirmed
   */
  trusted?: false
}
export interface DeleteAccountDevicesRequest {
  /**
   * Your id of the user
   */
  userId: string
  /**
   * One device; without it, all devices of the user
   */
  deviceId?: string
}
/**
 * The devices are deleted
 */
export interface DeletedAccountDevices {
  /**
   * Number of deleted devices; 0 when there were none
   */
  deleted: number
}
export interface SearchEventsRequest {
  /**
   * Only events of this user, by your id
   */
  userId?: string
  /**
   * Only events of this phone number, with country code, as people write it
   */
  phoneNumber?: string
  /**
   * Only events of this email address, however it is written
   */
  email?: string
  /**
   * Only events of this device: the deviceId of a report
   */
  deviceId?: string
  /**
   * Only events from this IP address; for IPv6, from its /64 network
   */
  ipAddress?: string
  /**
   * Only events of this request: the x-request-id of the call, for device reports and their labels that of the engine call
   */
  requestId?: string
  /**
   * Only events of these types or groups
   */
  types?: (
    | 'decision.*'
    | 'label.*'
    | 'rules.*'
    | 'list.*'
    | 'account.*'
    | 'sign_in.*'
    | 'otp.*'
    | 'token.*'
    | 'device.*'
    | 'telecom.*'
    | 'decision.created'
    | 'decision.challenge.passed'
    | 'decision.review.resolved'
    | 'label.created'
    | 'rules.changed'
    | 'list.changed'
    | 'account.device.changed'
    | 'sign_in.started'
    | 'sign_in.completed'
    | 'sign_in.failed'
    | 'sign_in.refused'
    | 'otp.delivery'
    | 'token.issued'
    | 'token.revoked'
    | 'device.report.created'
    | 'device.rule.blocked'
    | 'telecom.check.completed'
    | 'telecom.number_changed'
    | 'telecom.batch.completed'
  )[]
  /**
   * Only events with this outcome, such as BLOCK, REVIEW, failed or refused
   */
  outcome?: string
  /**
   * Not before this time, RFC 3339
   */
  from?: string
  /**
   * Before this time, RFC 3339
   */
  to?: string
  /**
   * How many events a page has at most
   */
  limit?: number
  /**
   * nextCursor of the page before; send the same filters
   */
  cursor?: string
}
/**
 * A page of events
 */
export interface FoundEvents {
  /**
   * Newest first. A page may have fewer than `limit` events, or none, although there are more
   */
  events: FoundEvent[]
  /**
   * Where the next page begins; absent on the last page
   */
  nextCursor?: string
}
/**
 * Something that happened
 */
export interface FoundEvent {
  /**
   * UUIDv7; the id that webhooks send
   */
  id: string
  /**
   * See the reference of events
   */
  type: string
  /**
   * When it happened; ISO 8601 UTC
   */
  timestamp: string
  /**
   * In one word, such as BLOCK or failed; REVIEW for a decision that waits for a review
   */
  outcome?: string
  /**
   * As the reference of events says. With decisionId or dfrId, read the decision or the device report itself. `{ unreadable: true }` when what is stored is damaged
   */
  data: {
    [k: string]: unknown
  }
}
export interface CreateListRequest {
  /**
   * Name of the list: letters, digits, - and _
   */
  name: string
  /**
   * What its entries are. `ip` has IP addresses and CIDR ranges; `text` has any texts of your params
   */
  kind: 'phoneNumber' | 'userId' | 'deviceId' | 'ip' | 'networkOperator' | 'email' | 'emailDomain' | 'text'
  /**
   * What the list is for. A decision whose rule fires with a value in a list to block or watch has a reason, which raises its score. What else happens, rules say
   */
  purpose: 'allow' | 'block' | 'watch'
  /**
   * What the list is about
   */
  description?: string
  /**
   * Who makes the change. Default: the name of the client
   */
  by?: string
}
/**
 * A list of values
 */
export interface List {
  /**
   * The name that rules use
   */
  name: string
  /**
   * What its entries are. `ip` has IP addresses and CIDR ranges; `text` has any texts of your params
   */
  kind: 'phoneNumber' | 'userId' | 'deviceId' | 'ip' | 'networkOperator' | 'email' | 'emailDomain' | 'text'
  /**
   * What the list is for. A decision whose rule fires with a value in a list to block or watch has a reason, which raises its score. What else happens, rules say
   */
  purpose: 'allow' | 'block' | 'watch'
  description?: string
  /**
   * Number of entries; an expired one counts for up to two hours
   */
  entries: number
  /**
   * When the list was created; ISO 8601 UTC
   */
  createdAt: string
  /**
   * Who created it
   */
  createdBy: string
  /**
   * The last change of the list or of an entry; ISO 8601 UTC
   */
  changedAt: string
}
export interface DescribeListsRequest {
  /**
   * One list; without it, all lists
   */
  name?: string
}
/**
 * The lists
 */
export interface DescribedLists {
  /**
   * By name
   */
  lists: List[]
}
export interface DeleteListRequest {
  /**
   * Name of the list: letters, digits, - and _
   */
  name: string
}
/**
 * The list is deleted
 */
export interface DeletedList {
  /**
   * False when there was no such list
   */
  deleted: boolean
}
export interface AddListEntriesRequest {
  /**
   * Name of the list: letters, digits, - and _
   */
  name: string
  /**
   * One wrong entry refuses the call
   */
  entries: {
    /**
     * A value of the list’s kind
     */
    value: string
    /**
     * Why it is in the list
     */
    note?: string
    /**
     * RFC 3339, in the future; full seconds count
     */
    expiresAt?: string
  }[]
  /**
   * Who makes the change. Default: the name of the client
   */
  by?: string
}
/**
 * The entries are stored
 */
export interface AddedListEntries {
  /**
   * Entries that are new
   */
  added: number
  /**
   * Entries that existed with another note or expiry
   */
  changed: number
  /**
   * Entries that existed like this, and repetitions within the call
   */
  unchanged: number
}
export interface RemoveListEntriesRequest {
  /**
   * Name of the list: letters, digits, - and _
   */
  name: string
  /**
   * Items: A value of the list’s kind
   */
  values: string[]
}
/**
 * The values are not in the list any more
 */
export interface RemovedListEntries {
  /**
   * Entries that were in the list; a repeated call answers 0
   */
  removed: number
}
export interface LookUpListRequest {
  /**
   * Name of the list: letters, digits, - and _
   */
  name: string
  /**
   * A value of the list’s kind
   */
  value: string
}
/**
 * Whether a value is in a list
 */
export interface ListLookUp {
  /**
   * What inList says in a rule
   */
  inList: boolean
  /**
   * The entries that match: several for an IP address within several ranges, the smallest range first
   */
  entries: ListEntry[]
}
/**
 * A value of a list
 */
export interface ListEntry {
  /**
   * In the form in which it is compared
   */
  value: string
  note?: string
  /**
   * When it was added; ISO 8601 UTC
   */
  addedAt: string
  /**
   * Who added it, or changed it last
   */
  by: string
  /**
   * From then on it does not match; absent: it does not expire; ISO 8601 UTC
   */
  expiresAt?: string
}
export interface ReadListRequest {
  /**
   * Name of the list: letters, digits, - and _
   */
  name: string
  /**
   * `next` of the previous page
   */
  cursor?: string
  /**
   * Entries of a page. Default: 100
   */
  limit?: number
}
/**
 * A page of entries. An entry that changes meanwhile comes again
 */
export interface ListPage {
  /**
   * Last changed last; entries that expired are left out
   */
  entries: ListEntry[]
  /**
   * Cursor of the next page; absent on the last page
   */
  next?: string
}
export interface ListReviewsRequest {
  /**
   * Open ones come oldest first, others newest first
   */
  state?: 'open' | 'approved' | 'blocked'
  /**
   * How many reviews a page has at most
   */
  limit?: number
  /**
   * nextCursor of the page before; send the same state
   */
  cursor?: string
}
/**
 * A page of the review queue
 */
export interface Reviews {
  reviews: Review[]
  /**
   * Where the next page begins; absent on the last page
   */
  nextCursor?: string
}
/**
 * A decision in the review queue
 */
export interface Review {
  /**
   * The decision; read all of it with this id
   */
  decisionId: string
  /**
   * When the decision was made; ISO 8601 UTC
   */
  createdAt: string
  state: 'open' | 'approved' | 'blocked'
  /**
   * Who resolved it; absent while it is open
   */
  by?: string
  /**
   * The note of the reviewer
   */
  note?: string
  /**
   * When it was resolved; absent while it is open; ISO 8601 UTC
   */
  resolvedAt?: string
  /**
   * The `action` of the request, such as PAYMENT
   */
  operation?: string
  /**
   * 0 to 100
   */
  score: number
  /**
   * Codes of the reasons, strongest first
   */
  reasons: string[]
  /**
   * Ids of the rules that fired
   */
  rules: string[]
  /**
   * Name of the rule that sent it to review; absent for decisions of an earlier version of Ringfence
   */
  ruleName?: string
  /**
   * Your id of the user
   */
  userId?: string
  /**
   * Digits with country code
   */
  phoneNumber?: string
}
export interface ResolveReviewRequest {
  /**
   * decisionId of a decision
   */
  decisionId: string
  /**
   * What the reviewer decided
   */
  outcome: 'approved' | 'blocked'
  /**
   * Who decided
   */
  by: string
  /**
   * Why, for other reviewers
   */
  note?: string
}
export interface WatchRequest {
  /**
   * Digits only, with country code and without a plus sign
   */
  phoneNumber: string
  /**
   * What to watch. A number that is watched already gets these checks in addition to its own
   */
  checks: ('simSwap' | 'deviceSwap' | 'portability' | 'numberRecycling')[]
  /**
   * RFC 3339, from an hour to 366 days ahead. Send this or ttlSeconds. Default: 90 days. A later end of the existing watch stays
   */
  expiresAt?: string
  /**
   * How long to watch, in seconds from now
   */
  ttlSeconds?: number
  /**
   * Your text, returned in each event of this watch, for example your id of the customer
   */
  reference?: string
  /**
   * The purpose of the watch: each of its checks states it. Another call for the number replaces it
   */
  consent?: {
    /**
     * What for: a term of the W3C Data Privacy Vocabulary
     */
    purpose: string
    /**
     * The legal basis of Art. 6(1) GDPR
     */
    legalBasis?:
      | 'CONSENT'
      | 'CONTRACT'
      | 'LEGAL_OBLIGATION'
      | 'VITAL_INTERESTS'
      | 'PUBLIC_TASK'
      | 'LEGITIMATE_INTERESTS'
    /**
     * Your id of the record that proves it, for example of a consent or a contract: letters, digits and . _ : / @ + -. Do not put personal data in it
     */
    reference?: string
    /**
     * For the legal basis CONSENT: when the person consented; RFC 3339
     */
    givenAt?: string
  }
}
/**
 * A watched phone number
 */
export interface Watch {
  /**
   * Identifies the watch
   */
  watchId: string
  /**
   * Digits with country code
   */
  phoneNumber: string
  /**
   * What is watched
   */
  checks: WatchedCheck[]
  /**
   * When the watch began; ISO 8601 UTC
   */
  createdAt: string
  /**
   * When it ends; ISO 8601 UTC
   */
  expiresAt: string
  /**
   * Your text
   */
  reference?: string
  consent?: Consent
}
/**
 * One check of a watch
 */
export interface WatchedCheck {
  check: 'simSwap' | 'deviceSwap' | 'portability' | 'numberRecycling'
  /**
   * `pending`: not checked yet. `watching`: the last check has an answer. `failing`: the last check failed, and is repeated. `unsupported`: no operator or source answers this for the number; repeated once a day
   */
  state: 'pending' | 'watching' | 'failing' | 'unsupported'
  /**
   * How often it is checked. Longer than configured while the tenant watches more than its budget of requests allows
   */
  pollIntervalSeconds: number
  /**
   * Who notices a change: `poll`: Ringfence checks. `subscription`: the operator reports it; checks are then made once a week, in case a report is lost
   */
  by: 'poll' | 'subscription'
  /**
   * The last check with an answer; absent: none yet; ISO 8601 UTC
   */
  lastCheckedAt?: string
  /**
   * When it is checked next, at the earliest; ISO 8601 UTC
   */
  nextCheckAt: string
  /**
   * When the last change was noticed; absent: none since the watch began; ISO 8601 UTC
   */
  changedAt?: string
}
export interface ReadWatchRequest {
  /**
   * watchId of a watch
   */
  watchId: string
}
export interface ListWatchesRequest {
  /**
   * Only the watch of this number: digits only, with country code
   */
  phoneNumber?: string
  /**
   * How many watches a page has at most
   */
  limit?: number
  /**
   * nextCursor of the page before
   */
  cursor?: string
}
/**
 * A page of watches
 */
export interface WatchPage {
  /**
   * Oldest first
   */
  watches: Watch[]
  /**
   * Send it as `cursor` for the next page; absent: no more
   */
  nextCursor?: string
}
export interface DeleteWatchRequest {
  /**
   * watchId of a watch
   */
  watchId: string
}
/**
 * The number is not watched any more
 */
export interface DeletedWatch {
  /**
   * False when there was no such watch
   */
  deleted: boolean
}
