// What do changes of rules give to other rooms, and what may their handlers use?

import type { Compression } from '../../device/store/compression/compression.ts'
import type { RulesNeeds } from '../../rules/room.ts'
import type { RunningBacktests } from './running-backtests.ts'

export interface RuleChangesDoor {
  running: RunningBacktests
}

export interface RuleChangesNeeds extends RulesNeeds {
  compression: Compression
  ruleChanges: RuleChangesDoor
}
