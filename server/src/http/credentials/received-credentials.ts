// Which credentials does a request have, and where does it come from?

import type { ClientAddress } from '../../ip/client-address.ts'

export interface ReceivedCredentials {
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
  /** A JWT in place of the secret. */
  readonly assertion?: string | undefined
  /** IP address of the caller; read only when it matters. */
  readonly address: () => ClientAddress | undefined
}
