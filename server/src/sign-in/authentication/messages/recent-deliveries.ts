// How long did gateways take lately? A start that sends nothing takes as long, so that its time does not show what the telecom gate found.

import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'

export interface RecentDeliveries {
  /** `ms`: from the decision of the telecom gate until the gateway had answered. */
  note(channel: string, ms: number, isAccepted: boolean): void
  /**
   * Waits until one of the latest deliveries of the channel would have ended, had it been decided at `since` (performance.now()).
   * @returns whether that one was accepted
   */
  imitate(channel: string, since: number): Promise<boolean>
}

interface Delivery {
  readonly ms: number
  readonly isAccepted: boolean
}

const remembered = 32
/** Before the first delivery after a start: what gateways usually take. An answer at once would show that nothing was sent. */
const assumedMs = { from: 100, to: 500 }

export function recentDeliveries(): RecentDeliveries {
  const ofChannel = new Map<string, Delivery[]>()
  return {
    note(channel, ms, isAccepted) {
      const latest = ofChannel.getOrInsert(channel, [])
      latest.push({ ms, isAccepted })
      if (latest.length > remembered) latest.shift()
    },
    async imitate(channel, since) {
      const latest = ofChannel.get(channel)
      const { ms, isAccepted } = latest?.[randomInt(latest.length)] ?? {
        ms: randomInt(assumedMs.from, assumedMs.to),
        isAccepted: true,
      }
      await wait(Math.max(0, since + ms - performance.now()))
      return isAccepted
    },
  }
}
