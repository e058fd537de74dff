// What do id tokens give to other rooms, and what may their handlers use?

import type { Core } from '../../core/core.ts'
import type { IdTokens } from './id-token.ts'
import type { SigningKeys } from './signing-keys.ts'

export interface IdTokensDoor extends IdTokens {
  signingKeys: SigningKeys
}

export interface IdTokensNeeds extends Core {
  idTokens: IdTokensDoor
}
