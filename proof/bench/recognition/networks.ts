// From which IP address does a device come? Mostly from home; sometimes from work, a mobile network or elsewhere.

import { type Random, zipf } from './random.ts'

/** How devices are spread over networks, and how long addresses last. */
export interface NetworkHabits {
  /** Days after which 63 % of homes have a new address (87 % of users keep one for over a month: Mishra 2020, so 215). */
  readonly leaseDays: number
  /** Share of new addresses in the same network as the old one (Mishra 2020: mostly only the last octet changes). */
  readonly staysInNetwork: number
  /** Homes per device; below 1 people share them. */
  readonly homesPerDevice: number
  /** Share of a phone's visits over a mobile network, where very many devices share an address. */
  readonly mobileVisits: number
  /** Share of all visits from a place where the device has never been: hotels, friends, VPNs. */
  readonly visitsElsewhere: number
}

interface Home {
  network: number
  host: number
  since: number
}

export interface Networks {
  /** IPv4 address of a visit on this day. `carrier` is set for phones, `office` for machines that are sometimes at work. */
  addressOf(visit: { home: number; office?: number; region?: number; day: number }, random: Random): string
  readonly homes: number
}

export function makeNetworks(devices: number, habits: NetworkHabits, random: Random): Networks {
  const homeCount = Math.max(1, Math.round(devices * habits.homesPerDevice))
  // 24-bit networks of a country's ISPs, some much fuller than others.
  const pickNetwork = zipf(60_000, 0.5)
  const homes: (Home | undefined)[] = []
  const text = (network: number, host: number) =>
    `${20 + (network >> 16)}.${(network >> 8) & 255}.${network & 255}.${host}`
  const newHome = (day: number): Home => ({ network: pickNetwork(random), host: 1 + random.below(254), since: day })

  const atHome = (index: number, day: number): Home => {
    let home = homes[index] ?? newHome(day)
    if (random.next() > Math.exp(-Math.max(0, day - home.since) / habits.leaseDays)) {
      // An ISP assigns another address of the same network or region; a change of ISP is rare.
      const network = random.chance(habits.staysInNetwork) ? home.network : (home.network & ~255) | random.below(256)
      home = random.chance(0.05) ? newHome(day) : { network, host: 1 + random.below(254), since: day }
    }
    homes[index] = { ...home, since: day }
    return home
  }

  return {
    homes: homeCount,
    addressOf({ home, office, region, day }, visit) {
      if (visit.chance(habits.visitsElsewhere)) return text(65_536 + visit.below(60_000), 1 + visit.below(254))
      // A carrier serves a region from few networks, with hundreds of devices per address.
      if (region !== undefined && visit.chance(habits.mobileVisits))
        return text(131_072 + region * 256 + visit.below(16), 1 + visit.below(254))
      if (office !== undefined && visit.chance(0.4)) return text(262_144 + office, 1)
      const { network, host } = atHome(home, day)
      return text(network, host)
    },
  }
}
