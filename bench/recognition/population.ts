// Which devices visit, and what has changed since their last visit? Machines, people and networks, aged by published rates.

import { type SimulatedDevice, simulatedDevice } from './device.ts'
import { type Drawn, type Kind, kinds, openGenerator } from './generator.ts'
import { makeNetworks } from './networks.ts'
import { type Random, randomOf, weighted, zipf } from './random.ts'
import type { Rates } from './rates.ts'

export interface Population {
  /** Adds a new device. */
  newDevice(): SimulatedDevice
}

const models: Record<Kind, readonly [count: number, exponent: number]> = {
  windowsChrome: [1500, 0.9],
  windowsEdge: [1500, 0.9],
  windowsFirefox: [1500, 0.9],
  macChrome: [60, 0.6],
  macSafari: [60, 0.6],
  linuxChrome: [1200, 0.7],
  linuxFirefox: [1200, 0.7],
  androidChrome: [2500, 0.85],
  iphone: [30, 0.5],
}

/** Languages and time zones of the visitors: mostly one country, as for a typical service. */
const people = weighted<readonly [zone: string, offset: number, languages: readonly string[]]>([
  [['Asia/Kolkata', -330, ['en-US', 'en']], 33],
  [['Asia/Kolkata', -330, ['en-GB', 'en-US', 'en']], 14],
  [['Asia/Kolkata', -330, ['en-IN', 'en']], 8],
  [['Asia/Kolkata', -330, ['en-IN', 'en-GB', 'en-US', 'en']], 5],
  [['Asia/Kolkata', -330, ['hi-IN', 'hi', 'en-US', 'en']], 5],
  [['Asia/Kolkata', -330, ['ta-IN', 'ta', 'en']], 2],
  [['Asia/Kolkata', -330, ['te-IN', 'te', 'en-US']], 2],
  [['Asia/Kolkata', -330, ['bn-IN', 'bn', 'en-US', 'en']], 2],
  [['Asia/Kolkata', -330, ['en-US', 'en', 'hi']], 4],
  [['Asia/Dubai', -240, ['en-US', 'en', 'ar']], 3],
  [['Asia/Dubai', -240, ['ar-AE', 'ar', 'en']], 2],
  [['Europe/London', 0, ['en-GB', 'en']], 4],
  [['America/New_York', 300, ['en-US', 'en']], 6],
  [['America/Los_Angeles', 480, ['en-US', 'en']], 3],
  [['Asia/Singapore', -480, ['en-SG', 'en', 'zh']], 2],
  [['Europe/Berlin', -60, ['de-DE', 'de', 'en-US', 'en']], 3],
  [['Australia/Sydney', -600, ['en-AU', 'en']], 2],
])

export function makePopulation(size: number, seed: number, rates: Rates): Population {
  const random = randomOf(seed)
  const drawn = openGenerator()
  const networks = makeNetworks(size, rates.networks, random)
  const pickKind = weighted(Object.entries(kinds).map(([kind, { weight }]) => [kind as Kind, weight] as const))
  const pickModel = Object.fromEntries(
    Object.entries(models).map(([kind, [count, exponent]]) => [kind, zipf(count, exponent)]),
  ) as Record<Kind, (random: Random) => number>
  const machines = new Map<string, Drawn>()
  /** Graphics card, cores, memory and screen belong to a model: drawn once, the same for all its devices. */
  const machineOf = (kind: Kind, model: number): Drawn => {
    const name = `${kind} ${model}`
    const machine = machines.get(name) ?? drawn(kind, random)
    machines.set(name, machine)
    return machine
  }
  const offices = Math.max(1, Math.round(size / 100))
  const pickRegion = zipf(100, 0.6)
  const pickOffice = zipf(offices, 0.6)

  return {
    newDevice() {
      // The machines of a fleet share one draw, so they share everything that it decides.
      const fleet = random.chance(rates.fleet) ? pickOffice(random) : undefined
      const chance = fleet === undefined ? random : randomOf(seed + fleet)
      const kind = fleet === undefined ? pickKind(random) : 'windowsEdge'
      const isPhone = kind === 'androidChrome' || kind === 'iphone'
      const worksAt = fleet ?? (!isPhone && random.chance(0.25) ? pickOffice(random) : undefined)
      const home = random.below(networks.homes)
      const habits = {
        home,
        ...(worksAt === undefined ? {} : { office: worksAt }),
        ...(isPhone ? { region: pickRegion(random) } : {}),
      }
      return simulatedDevice({
        kind,
        machine: machineOf(kind, pickModel[kind](chance)),
        own: drawn(kind, chance),
        another: () => drawn(kind, random),
        person: people(chance),
        variants: chance,
        random,
        rates,
        addressOn: (day) => networks.addressOf({ ...habits, day }, random),
      })
    },
  }
}
