// How does the token endpoint refuse? With the error codes of RFC 6749, section 5.2, and of CIBA.

export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  // OpenID Connect CIBA Core 1.0, section 11
  | 'authorization_pending'
  | 'expired_token'
  | 'unknown_user_id'

export class OAuthError extends Error {
  override name = 'OAuthError'
  readonly code: OAuthErrorCode
  /** @param description for the developer who reads the response; never contains a secret. */
  constructor(code: OAuthErrorCode, description: string) {
    super(description)
    this.code = code
  }

  get status(): 400 | 401 {
    return this.code === 'invalid_client' ? 401 : 400
  }

  /** `error_description` may only contain printable ASCII, without quotation marks and backslashes. */
  get body(): { error: OAuthErrorCode; error_description: string } {
    const description = this.message.replaceAll('"', "'").replaceAll(/[^\x20-\x5b\x5d-\x7e]/g, '')
    return { error: this.code, error_description: description }
  }
}
