// Which columns are sealed with a tenant's data key? Those that each room names; a test compares them with the schema.

import { accountsSealed } from '../../accounts/sealed.ts'
import type { SealedColumn } from '../../core/storage/keys/sealed-column.ts'
import { decisionsSealed } from '../../decisions/sealed.ts'
import { deviceSealed } from '../../device/sealed.ts'
import { eventsSealed } from '../../events/sealed.ts'
import { rulesSealed } from '../../rules/sealed.ts'
import { signInSealed } from '../../sign-in/sealed.ts'
import { telecomSealed } from '../../telecom/sealed.ts'
import { adminSealed } from '../sealed.ts'

export const sealedColumns: readonly SealedColumn[] = [
  ...eventsSealed,
  ...telecomSealed,
  ...deviceSealed,
  ...rulesSealed,
  ...accountsSealed,
  ...signInSealed,
  ...decisionsSealed,
  ...adminSealed,
]
