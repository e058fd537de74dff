// What do rules give to other rooms, and what may their handlers use?

import type { Core } from '../core/core.ts'
import type { HeavyWorkDoor } from '../core/heavy-work/room.ts'
import type { IpLookUp } from '../ip/look-up.ts'
import type { RuleChecks } from './editing/rule-checks.ts'
import type { ListLookUps } from './lists/list-look-ups.ts'
import type { Lists } from './lists/lists.ts'
import type { RuleSets } from './rule-sets.ts'

/** The rules of each tenant. */
export interface RulesDoor extends RuleSets {
  /** Reads rules files in another thread. */
  checks: RuleChecks
  lists: Lists
  /** What rules look up in lists. */
  lookUps: ListLookUps
}

export interface RulesNeeds extends Core {
  rules: RulesDoor
  heavyWork: HeavyWorkDoor
  ip: IpLookUp
}
