// Which error codes may a log have? Those of the standards: an upstream may write a name or a number into any other text.

/** RFC 6749, RFC 7521, RFC 8628, OpenID Connect and CIBA. */
const oauth = `access_denied account_selection_required authorization_pending consent_required expired_login_hint_token
  expired_token interaction_required invalid_binding_message invalid_client invalid_grant invalid_request invalid_scope
  invalid_target invalid_token invalid_user_code login_required missing_user_code server_error slow_down
  temporarily_unavailable transaction_failed unauthorized_client unknown_user_id unsupported_grant_type
  unsupported_response_type`

/** CAMARA's Commonalities, which all of its APIs share. */
const camara = `ABORTED ALREADY_EXISTS AUTHENTICATION_REQUIRED BAD_GATEWAY CONFLICT FAILED_PRECONDITION GONE
  IDENTIFIER_MISMATCH IDENTIFIER_NOT_FOUND INCOMPATIBLE_STATE INTERNAL INVALID_ARGUMENT INVALID_CREDENTIAL INVALID_PROTOCOL
  INVALID_SINK INVALID_TOKEN INVALID_TOKEN_CONTEXT METHOD_NOT_ALLOWED MISSING_IDENTIFIER NOT_ACCEPTABLE NOT_FOUND
  NOT_IMPLEMENTED NOT_SUPPORTED OUT_OF_RANGE PERMISSION_DENIED QUOTA_EXCEEDED SERVICE_NOT_APPLICABLE TIMEOUT
  TOO_MANY_REQUESTS UNAUTHENTICATED UNAUTHORIZED UNAVAILABLE UNNECESSARY_IDENTIFIER UNSUPPORTED_IDENTIFIER
  UNSUPPORTED_MEDIA_TYPE`

const codes = new Set(`${oauth} ${camara}`.split(/\s+/))

/** A CAMARA API has its own codes behind its name: `SIM_SWAP.UNKNOWN_SIM`. */
const ofApi =
  /^(CALL_FORWARDING_SIGNAL|DEVICE_[A-Z_]+|KNOW_YOUR_CUSTOMER[A-Z_]*|LOCATION_VERIFICATION|NUMBER_[A-Z_]+|ONE_TIME_PASSWORD_SMS|SIM_SWAP[A-Z_]*)\.[A-Z_]{1,64}$/

/** Whether the code is of a standard. */
export const isStandardCode = (code: string) => codes.has(code) || ofApi.test(code)
