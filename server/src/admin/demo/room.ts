// What may the demo use?

import type { Core } from '../../core/core.ts'

export type DemoNeeds = Pick<Core, 'database' | 'tenantKeyring' | 'clock'>
