// What did two devices count that turned out to be one? The older one counts what both have counted.

import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { Queryable } from '../../core/storage/database.ts'
import { newLogPlace, takeVelocities, writeVelocities } from '../store/velocity-counts.ts'
import { keyHashOf } from './forget.ts'
import { countsOf } from './of-decision.ts'

/**
 * The counts by the device `from` become those of `into`. Where another key counted both as distinct values, they remain two until they
 * leave their window. In a transaction. `now`: epoch milliseconds.
 */
export async function moveVelocities(
  tx: Queryable,
  { from, into }: { from: string; into: string },
  keys: TenantKeys,
  now: number,
): Promise<void> {
  const keyHash = keyHashOf(keys, `device ${into}`)
  const rows = await takeVelocities(tx, [keyHashOf(keys, `device ${from}`), keyHash])
  const { content, leavesAt } = countsOf(rows, now).folded()
  if (content === '') return
  // An empty log at the same place: the next fold continues from here.
  const folded = { keyHash, folded: newLogPlace(), leavesAt }
  const { sql, params } = writeVelocities(
    [
      { ...folded, part: 0, content: '' },
      { ...folded, part: 1, content },
    ],
    now,
  )
  await tx.query(sql, params)
}
