// What may the demo use?

import type { Core } from '../../core/core.ts'
import type { RulesDoor } from '../../rules/room.ts'

export interface DemoNeeds extends Core {
  rules: RulesDoor
}
