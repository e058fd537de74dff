// What does our CAMARA API give to other rooms, and what may its handlers use?

import type { ClientAssertions } from '../clients/client-assertions.ts'
import type { IdTokensDoor } from '../identity-tokens/room.ts'
import type { IpDoor } from '../ip/room.ts'
import type { TelecomNeeds } from '../telecom/room.ts'
import type { AccessTokens } from './access-tokens.ts'

export interface CamaraFrontDoor {
  accessTokens: AccessTokens
  /** Clients that authenticate with a key pair at its token endpoint. */
  assertions: ClientAssertions
}

export interface CamaraFrontNeeds extends TelecomNeeds {
  camaraFront: CamaraFrontDoor
  idTokens: IdTokensDoor
  ip: IpDoor
}
