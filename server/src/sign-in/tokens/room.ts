// What may the handlers of tokens use?

import type { Core } from '../../core/core.ts'
import type { Compression } from '../../device/store/compression/compression.ts'

export interface TokensNeeds extends Core {
  compression: Compression
}
