// What may the rotation of keys use?

import type { Core } from '../../core/core.ts'
import type { StoreKeyring } from '../../core/crypto/keyring.ts'

export interface KeyRotationNeeds extends Core {
  keyring: StoreKeyring
}
