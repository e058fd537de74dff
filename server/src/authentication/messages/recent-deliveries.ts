// How long did gateways take lately? A start that sends nothing takes as long, so that its time does not show what the telecom gate found.

import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'

export interface RecentDeliveries {
  note(channel: string, ms: number, isAccepted: boolean): void
  /** Takes as long as one of the latest deliveries of the channel did. @returns whether that one was accepted */
  imitate(channel: string): Promise<boolean>
}

interface Delivery {
  readonly ms: number
  readonly isAccepted: boolean
}

const remembered = 32

export function recentDeliveries(): RecentDeliveries {
  const ofChannel = new Map<string, Delivery[]>()
  return {
    note(channel, ms, isAccepted) {
      const latest = ofChannel.getOrInsert(channel, [])
      latest.push({ ms, isAccepted })
      if (latest.length > remembered) latest.shift()
    },
    async imitate(channel) {
      const latest = ofChannel.get(channel)
      if (!latest) return true
      const { ms, isAccepted } = latest[randomInt(latest.length)]!
      await wait(ms)
      return isAccepted
    },
  }
}
