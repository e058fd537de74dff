// Which devices visit, and what has changed since their last visit? Machines, people and networks, aged by published rates.

import { type SimulatedDevice, simulatedDevice } from './device.ts'
import { type Drawn, type Kind, openGenerator } from './generator.ts'
import { type Mix, type Person, serviceMix } from './mix.ts'
import { makeNetworks } from './networks.ts'
import { type Random, randomOf, weighted, zipf } from './random.ts'
import type { Rates } from './rates.ts'

export interface Population {
  /**
   * Adds a new device, of a household or of a new person.
   * @param like another device, of whose model it is
   */
  newDevice(household?: Household, like?: SimulatedDevice): SimulatedDevice
  newHousehold(): Household
}

/** People who share a home, a language and their devices. */
export interface Household {
  readonly home: number
  readonly person: Person
  readonly region: number
}

const mostOpenHouseholds = 40

/** What an image of a disk brings to any machine. */
const installed = ({ userAgent, fonts, plugins }: Drawn) => ({ userAgent, fonts, plugins })

/** Share of desktops that are no ready-made model (our estimate; it gives the spread of cards in Berke 2025). */
const builtOfParts = 0.2

const models: Record<Kind, readonly [count: number, exponent: number]> = {
  windowsChrome: [700, 1.02],
  windowsEdge: [1500, 1.05],
  windowsFirefox: [1500, 1.05],
  macChrome: [60, 0.6],
  macSafari: [60, 0.6],
  linuxChrome: [1200, 0.7],
  linuxFirefox: [1200, 0.7],
  androidChrome: [1500, 1],
  iphone: [30, 0.5],
}

export function makePopulation(size: number, seed: number, rates: Rates, mix: Mix = serviceMix): Population {
  const random = randomOf(seed)
  const drawn = openGenerator()
  const networks = makeNetworks(size, rates.networks, random)
  const pickKind = weighted(Object.entries(mix.kinds).map(([kind, weight]) => [kind as Kind, weight] as const))
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
  /** Some desktops are built of parts: another card, screen or processor than any model has. */
  const assembled = (machine: Drawn, own: Drawn, kind: Kind, chance: Random): Drawn => {
    const isBuilt = (kind.startsWith('windows') || kind.startsWith('linux')) && chance.chance(builtOfParts)
    const { vendor = '', renderer = '' } = own.gpu ?? {}
    // Virtual cards, remote desktops and boards of which few were sold.
    if (!kind.startsWith('mac') && !kind.startsWith('iphone') && chance.chance(0.035)) {
      return {
        ...machine,
        gpu: { vendor, renderer: renderer.replace(' Direct3D11', ` (0x${chance.below(9000)}) Direct3D11`) },
      }
    }
    if (!isBuilt) return machine
    return { ...machine, gpu: own.gpu, screen: own.screen, cores: own.cores, memory: own.memory }
  }
  const offices = Math.max(1, Math.round(size / 100))
  const pickRegion = zipf(100, 0.6)
  const pickOffice = zipf(offices, 0.6)

  const newHousehold = (): Household => ({
    home: random.below(networks.homes),
    person: mix.people(random),
    region: pickRegion(random),
  })
  const households: Household[] = []
  /** A household with devices, or a new one. */
  const householdOf = (): Household => {
    if (households.length > 0 && random.chance(rates.households)) return random.one(households)
    const its = newHousehold()
    // Homes have few devices: only the latest take more.
    households.push(its)
    if (households.length > mostOpenHouseholds) households.shift()
    return its
  }

  return {
    newHousehold,
    newDevice(household, like) {
      // The machines of a fleet share one draw, so they share everything that it decides.
      const fleet = !like && random.chance(rates.fleet) ? pickOffice(random) : undefined
      const chance = fleet === undefined ? random : randomOf(seed + fleet)
      const kind = like?.kind ?? (fleet === undefined ? pickKind(random) : 'windowsEdge')
      const isPhone = kind === 'androidChrome' || kind === 'iphone'
      const image = !like && fleet === undefined && kind.startsWith('windows') && random.chance(rates.images)
      const worksAt = fleet ?? (image || (!isPhone && random.chance(0.3)) ? pickOffice(random) : undefined)
      const living = household ?? (like ? newHousehold() : householdOf())
      const habits = {
        home: living.home,
        ...(worksAt === undefined ? {} : { office: worksAt }),
        ...(isPhone ? { region: living.region } : {}),
      }
      const model = like?.model ?? pickModel[kind](chance)
      const ofImage = image ? randomOf(seed + 1_000_000 + worksAt!) : undefined
      const own = ofImage ? { ...drawn(kind, chance), ...installed(drawn(kind, ofImage)) } : drawn(kind, chance)
      return simulatedDevice({
        kind,
        machine: assembled(machineOf(kind, model), own, kind, chance),
        model,
        own,
        another: () => drawn(kind, random),
        person: ofImage ? mix.people(ofImage) : fleet === undefined ? living.person : mix.people(chance),
        variants: chance,
        random,
        rates,
        addressOn: (day) => networks.addressOf({ ...habits, day }, random),
      })
    },
  }
}
