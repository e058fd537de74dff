// What may the handlers of persons use?

import type { Core } from '../../core/core.ts'

export type PersonsNeeds = Core
