// How often do devices change? Rates for fitting, and different ones for judging the result.

import type { NetworkHabits } from './networks.ts'

/** Probabilities of a change within 180 days, and habits that show at each visit. */
export interface Rates {
  readonly canvas: number
  readonly resolution: number
  readonly language: number
  readonly renderer: number
  readonly fonts: number
  readonly voices: number
  readonly osVersion: number
  readonly media: number
  readonly zone: number
  readonly permissions: number
  readonly coresOrMemory: number
  /** Devices that install every browser version, one in 28 days. */
  readonly evergreen: number
  readonly secondScreen: number
  /** Visits on the second screen, of devices that have one. */
  readonly secondScreenVisits: number
  /** Laptops with a second graphics card, which one visit in eight uses. */
  readonly secondCard: number
  readonly zoomedVisits: number
  readonly journeys: number
  /** Visits of a Mac with so many open programs that its Dock is smaller. */
  readonly fullDocks: number
  /** A fact that timed out or failed, per fact and visit. */
  readonly missing: number
  /** Visits on a machine so slow that one, several or most facts time out. */
  readonly slowVisits: number
  /** Desktops of a shop or a fleet, with the same machine, fonts, languages and IP address. */
  readonly fleet: number
  /** Windows desktops with their company's image or a cloned disk: its fonts, languages, version and office on many models. */
  readonly images: number
  /** Desktops that get another card, processor and memory within 180 days, and keep their disk. */
  readonly rebuilt: number
  /** Devices that share their home and languages with devices that came before. */
  readonly households: number
  readonly networks: NetworkHabits
}

/**
 * For fitting. Address, resolution, canvas, zone, graphics card and languages follow the changes within nine days of FP-STALKER's
 * public pairs (figures.ts compares them); leases follow Mishra et al., "Don't Count Me Out" (WWW 2020); the card of a device and
 * its drivers follow Andriamilanto et al. (ACM TWEB 16, 2022). The others have no published figure: they are our estimates.
 */
export const fittingRates: Rates = {
  canvas: 0.11,
  resolution: 0.16,
  language: 0.11,
  renderer: 0.009,
  fonts: 0.06,
  voices: 0.08,
  osVersion: 0.3,
  media: 0.05,
  zone: 0.03,
  permissions: 0.05,
  coresOrMemory: 0.004,
  evergreen: 0.85,
  secondScreen: 0.3,
  secondScreenVisits: 0.3,
  secondCard: 0.06,
  zoomedVisits: 0.04,
  journeys: 0.026,
  fullDocks: 0.1,
  missing: 0.01,
  slowVisits: 0.02,
  fleet: 0.006,
  images: 0.06,
  rebuilt: 0.003,
  households: 0.5,
  networks: {
    leaseDays: 215,
    staysInNetwork: 0.7,
    homesPerDevice: 1.5,
    mobileVisits: 0.3,
    visitsElsewhere: 0.075,
  },
}

/**
 * For judging: alternately half as much again and two thirds of the fitting rates, so that nothing is as the weights expect,
 * with shorter IP leases and more mobile networks.
 */
export const judgingRates: Rates = {
  canvas: 0.16,
  resolution: 0.11,
  language: 0.16,
  renderer: 0.006,
  fonts: 0.09,
  voices: 0.055,
  osVersion: 0.45,
  media: 0.035,
  zone: 0.045,
  permissions: 0.035,
  coresOrMemory: 0.006,
  evergreen: 0.92,
  secondScreen: 0.3,
  secondScreenVisits: 0.25,
  secondCard: 0.05,
  zoomedVisits: 0.06,
  journeys: 0.017,
  fullDocks: 0.15,
  missing: 0.015,
  slowVisits: 0.02,
  fleet: 0.009,
  images: 0.09,
  rebuilt: 0.002,
  households: 0.35,
  networks: { leaseDays: 145, staysInNetwork: 0.6, homesPerDevice: 1.2, mobileVisits: 0.35, visitsElsewhere: 0.06 },
}
