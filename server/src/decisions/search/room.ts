// What may the search of events use?

import type { Core } from '../../core/core.ts'
import type { Compression } from '../../device/store/compression/compression.ts'

export interface SearchNeeds extends Core {
  compression: Compression
}
