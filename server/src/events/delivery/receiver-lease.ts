// May this server deliver to a receiver now? While it has the lease, and long enough for an attempt to end in time.

import type { Clock } from '../../core/clock.ts'
import type { Database } from '../../core/storage/database.ts'
import { takeLease } from '../store/leases.ts'
import { attemptTimeoutMs } from '../webhooks/send.ts'

/** Another server takes over so long after this one has died. */
const leaseMs = 20_000
const renewBeforeMs = 16_000
/** An attempt ends before the lease, also when the clocks of two servers differ by what store-clock.ts tolerates. */
const reserveMs = attemptTimeoutMs + 3000

export interface ReceiverLease {
  /** Takes or renews it when that is due. False while another server has it. @throws StorageUnavailable */
  take(): Promise<boolean>
  /** Whether an attempt may begin. */
  isHeld(): boolean
}

/** The embedded store has one server, which needs no lease. */
export function receiverLease(
  receiverId: string,
  serverId: string,
  { database, clock }: { database: Database; clock: Clock },
): ReceiverLease {
  if (database.engine === 'sqlite') return { take: async () => true, isHeld: () => true }
  /** On the clock of performance.now(), which nobody sets. */
  let endsAt = Number.NEGATIVE_INFINITY
  return {
    async take() {
      const asked = performance.now()
      if (endsAt - asked > renewBeforeMs) return true
      const now = clock.now()
      if (await takeLease(database, { receiverId, serverId, until: now + leaseMs }, now)) endsAt = asked + leaseMs
      return this.isHeld()
    },
    isHeld: () => endsAt - performance.now() > reserveMs,
  }
}
