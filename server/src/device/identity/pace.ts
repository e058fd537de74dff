// Did a network make new devices too fast? A script that invents devices does; people of one network are new one after the other.

import { parseAddress } from '../../core/address/address.ts'
import { isPublic } from '../../core/address/public-address.ts'
import type { Settings } from '../../core/config/settings.ts'
import type { BatchStatement, Queryable } from '../../core/storage/database.ts'
import { isMobileNetwork } from '../../ip/mobile-network.ts'
import type { Evidence } from '../analysis/evidence.ts'
import { countNewDevices, unlessNewDevices } from '../store/installations.ts'

/** How many new devices a network may make, and within how long. */
export interface Pace {
  readonly most: number
  readonly windowMs: number
  /** Visits show it. Behind a proxy that is not configured, everybody has one private address. */
  readonly isPublic: boolean
}

/** A network of a mobile operator has its own limit: thousands of people share an IP address there. */
export function paceOf(network: Evidence['network'], settings: Settings): Pace {
  const { newDevicesPerNetwork, newDevicesPerMobileNetwork, newDevicesWindowHours } = settings
  const address = network && parseAddress(network.ip)
  return {
    most: isMobileNetwork(network) ? newDevicesPerMobileNetwork : newDevicesPerNetwork,
    windowMs: newDevicesWindowHours * 3_600_000,
    isPublic: address !== undefined && isPublic(address),
  }
}

const youngMs = 86_400_000

/** For a day, a device says how fast its network was when it was new: else its second visit would be above suspicion. */
export const isYoung = (firstSeenAt: number, now: number) => now - firstSeenAt < youngMs

/**
 * Whether the network had made too many when this device was new.
 * @param network a keyed hash
 * @param isStored whether the device is among those that are counted
 */
export async function isOverPace(
  database: Queryable,
  { network, firstSeenAt, isStored }: { network: number; firstSeenAt: number; isStored: boolean },
  { most, windowMs }: Pace,
): Promise<boolean> {
  const others = most + (isStored ? 1 : 0)
  const within = { network, since: firstSeenAt - windowMs, until: firstSeenAt, most: others }
  return (await countNewDevices(database, within)) >= others
}

/** A condition of the commit that stores a new device: its network is within its pace, also with those that were stored meanwhile. */
export const unlessOverPace = (
  { network, at }: { network: number; at: number },
  { most, windowMs }: Pace,
  now: number,
): BatchStatement => unlessNewDevices({ network, since: at - windowMs, until: now, most })
