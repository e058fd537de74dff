// What do other rooms learn of apps and their sessions?

import type { Apps } from './apps.ts'
import type { StorageBudget } from './storage-budget.ts'

export interface AppsDoor extends Apps {
  /** How much the SDK calls of an app may store. */
  storageBudget: StorageBudget
}
