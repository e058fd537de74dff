// What may the handlers of accounts use?

import type { Core } from '../core/core.ts'

export type AccountsNeeds = Core
