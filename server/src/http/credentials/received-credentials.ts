// Which credentials does a request have?

export interface ReceivedCredentials {
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
  /** A JWT in place of the secret. */
  readonly assertion?: string | undefined
}
