// What does our CAMARA API give to other rooms, and what may its handlers use?

import type { ClientAssertions } from '../clients/client-assertions.ts'
import type { SignInNeeds } from '../sign-in/authentication/room.ts'
import type { AccessTokens } from './access-tokens.ts'

export interface CamaraFrontDoor {
  accessTokens: AccessTokens
  /** Clients that authenticate with a key pair at its token endpoint. */
  assertions: ClientAssertions
}

export interface CamaraFrontNeeds extends SignInNeeds {
  camaraFront: CamaraFrontDoor
}
