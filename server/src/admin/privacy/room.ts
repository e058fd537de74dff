// What may privacy use?

import type { Core } from '../../core/core.ts'
import type { Compression } from '../../device/store/compression/compression.ts'
import type { RulesDoor } from '../../rules/room.ts'

export interface PrivacyNeeds extends Core {
  compression: Compression
  rules: Pick<RulesDoor, 'lists'>
}
