// What do ordinary customers do in four weeks? They return, buy phones, travel, share devices and pay; nobody is an attacker.

import { scenarioOf } from '@ringfence/sandbox'
import { addressIn, type NetworkName } from '../../../server/src/accounts/testing/world.ts'
import type { SimulatedDevice } from '../recognition/device.ts'
import type { Population } from '../recognition/population.ts'
import type { Random } from '../recognition/random.ts'
import { browserOf, type StoryBrowser } from './browser.ts'
import { type Circumstance, dayMs, hourMs, type Payment, type StorySession, storyDays } from './session.ts'

export interface Customer {
  readonly userId: string
  readonly phoneNumber: string
  readonly card: string
  /** At home. */
  readonly address: string
  readonly network: NetworkName
  readonly device: SimulatedDevice
  readonly browser: StoryBrowser
  /** In the order of their time. */
  readonly sessions: StorySession[]
}

export interface Sources {
  readonly random: Random
  readonly population: Population
}

/** In four weeks, on average. */
const sessionsEach = 13
export const merchants = Array.from({ length: 30 }, (_, index) => `shop-${index}`)
const landlord = 'p-landlord'
const tenants = 12
const counters = 2
const customersOfCounter = 8

/** Any IP address of a network. */
export const anyAddress = (network: NetworkName, { below }: Random): string =>
  addressIn(network).replace(/\.0\.1$/, `.${1 + below(250)}.${1 + below(250)}`)

/** Valid numbers with nothing to find: their last digits are no scenario of the sandbox. */
export function numbersFrom(first: number): () => string {
  let next = first
  return () => {
    while (scenarioOf(`${next}`)) next++
    return `${next++}`
  }
}

export function customersOf(count: number, sources: Sources): Customer[] {
  const { random, population } = sources
  const newNumber = numbersFrom(917_020_200_000)
  const customers: Customer[] = []
  while (customers.length < count) {
    const household = population.newHousehold()
    const network = random.one(['home', 'home', 'neighbour', 'office'] as const)
    const address = anyAddress(network, random)
    const shared = browserOf(population.newDevice(household))
    const members = Math.min(random.one([1, 1, 2, 3, 4]), count - customers.length)
    for (let member = 0; member < members; member++) {
      const index = customers.length
      const device = population.newDevice(household)
      const who = { userId: `c-${index}`, phoneNumber: newNumber(), card: `card-c${index}` }
      const customer = { ...who, address, network, device, browser: browserOf(device), sessions: [] }
      live(customer, { shared, second: browserOf(population.newDevice(household)) }, sources)
      customers.push(customer)
    }
  }
  payRent(customers, random)
  visitCounters(customers, sources)
  for (const { sessions } of customers) sessions.sort((a, b) => a.at - b.at)
  return customers
}

interface Trip {
  readonly from: number
  readonly to: number
  readonly network: NetworkName
}

/** What happens to a customer in these weeks. Days of the story; absent: it does not happen. */
interface Fate {
  readonly sessionsPerDay: number
  readonly joinsOn: number
  readonly newPhoneOn?: number
  readonly newSimOn?: number
  readonly trip?: Trip
  readonly isForwarding: boolean
  readonly hasSecond: boolean
  readonly usesVpn: boolean
  readonly login: 'code' | 'password'
}

function fateOf({ chance, below, next, one }: Random): Fate {
  const newPhoneOn = chance(0.08) ? 1 + below(storyDays - 1) : undefined
  const newSimOn = newPhoneOn !== undefined && chance(0.3) ? newPhoneOn : chance(0.005) ? below(storyDays) : undefined
  const from = 2 + below(storyDays - 8)
  const network = one(['hotelInDelhi', 'hotelInDelhi', 'hotelInDelhi', 'paris'] as const)
  return {
    sessionsPerDay: (sessionsEach / storyDays) * (0.4 + 1.2 * next()),
    joinsOn: chance(0.25) ? below(storyDays - 4) : 0,
    ...(newPhoneOn !== undefined && { newPhoneOn }),
    ...(newSimOn !== undefined && { newSimOn }),
    ...(chance(0.12) && { trip: { from, to: from + 2 + below(4), network } }),
    isForwarding: chance(0.01),
    hasSecond: chance(0.4),
    usesVpn: chance(0.04),
    login: chance(0.5) ? 'code' : 'password',
  }
}

interface Devices {
  readonly shared: StoryBrowser
  readonly second: StoryBrowser
}

function live(customer: Customer, devices: Devices, { random, population }: Sources): void {
  const { chance, next } = random
  const fate = fateOf(random)
  const { sessionsPerDay, joinsOn, newPhoneOn = storyDays, newSimOn = storyDays, trip } = fate
  let own = customer.browser
  let hasNewSim = false
  for (let day = joinsOn; day < storyDays; day++) {
    const isInTheAir = trip && (day === trip.from - 1 || day === trip.to + 1)
    if (isInTheAir) continue
    for (let often = sessionsPerDay; often > 0; often--) {
      if (!chance(often)) continue
      const isFirst = customer.sessions.length === 0
      const isNewPhone = !isFirst && day >= newPhoneOn && own === customer.browser
      if (isNewPhone) own = browserOf(population.newDevice())
      const isAway = trip !== undefined && day >= trip.from && day <= trip.to
      const where = whereIs(customer, { isAway, isFirst, fate }, random)
      const used = isFirst || isNewPhone || isAway ? undefined : usedBy(fate, devices, random)
      const clearsStorage = !isFirst && !isNewPhone && !used && chance(0.03)
      const hasChanged: boolean = day >= newSimOn && !hasNewSim
      hasNewSim ||= hasChanged
      customer.sessions.push({
        ...ordinary(customer, random),
        at: day * dayMs + next() * 15 * hourMs,
        circumstance: circumstanceOf({ isFirst, isNewPhone, isAway, clearsStorage, used, isVpn: where.isVpn }),
        address: where.address,
        browser: used?.browser ?? own,
        clearsStorage,
        login: isFirst ? 'code' : fate.login,
        ...((hasChanged || (isFirst && fate.isForwarding)) && {
          line: { ...(hasChanged && { simChangedHoursAgo: 2 }), isForwarding: fate.isForwarding },
        }),
        ...(chance(0.4) && { payment: paymentOf(customer, random) }),
      })
    }
  }
}

interface Used {
  readonly browser: StoryBrowser
  readonly circumstance: Circumstance
}

/** Another device than the own one. */
function usedBy({ hasSecond }: Fate, { shared, second }: Devices, { chance }: Random): Used | undefined {
  if (chance(0.12)) return { browser: shared, circumstance: 'device of the family' }
  return hasSecond && chance(0.2) ? { browser: second, circumstance: 'second device' } : undefined
}

function whereIs(
  { address, network }: Customer,
  { isAway, isFirst, fate }: { isAway: boolean; isFirst: boolean; fate: Fate },
  random: Random,
): { address: string; isVpn: boolean } {
  if (isAway) return { address: anyAddress(fate.trip!.network, random), isVpn: false }
  if (!isFirst && fate.usesVpn && random.chance(0.25)) return { address: addressIn('vpn'), isVpn: true }
  const isMobile = network !== 'office' && random.chance(0.25)
  return { address: isMobile ? anyAddress('mobileInMumbai', random) : address, isVpn: false }
}

function circumstanceOf({
  isFirst,
  isNewPhone,
  isAway,
  clearsStorage,
  used,
  isVpn,
}: Record<'isFirst' | 'isNewPhone' | 'isAway' | 'clearsStorage' | 'isVpn', boolean> & {
  used: Used | undefined
}): Circumstance {
  if (isFirst) return 'first visit'
  if (isNewPhone) return 'new phone'
  if (isAway) return 'travelling'
  if (clearsStorage) return 'storage cleared'
  return used?.circumstance ?? (isVpn ? 'over a VPN' : 'usual device')
}

const ordinary = (
  { userId, phoneNumber }: Customer,
  { chance, next }: Random,
): Pick<StorySession, 'who' | 'userId' | 'phoneNumber' | 'receives' | 'label'> => ({
  ...{ who: 'ordinary', userId, phoneNumber, receives: ['MOBILE', 'EMAIL'] },
  ...(chance(0.3) && { label: { outcome: 'legitimate', afterMs: (7 + 3 * next()) * dayMs } }),
})

/** Most payments are small; one of eight goes to another customer, one of sixteen buys a gift card. */
export function paymentOf({ card }: Pick<Customer, 'card'>, { chance, below, next, one }: Random): Payment {
  const isGift = chance(1 / 16)
  const amount = isGift ? 10 + below(140) : Math.round(20 * 120 ** next())
  const payee = !isGift && chance(1 / 8) ? `p-${below(500)}` : one(merchants)
  return { amount, card, payee, item: isGift ? 'gift-card' : 'goods' }
}

/** Many pay one private person within days, who is no mule. */
function payRent(customers: readonly Customer[], random: Random): void {
  const due = 5 * dayMs
  for (const customer of customers.filter(({ sessions }) => sessions[0] && sessions[0].at < due).slice(0, tenants)) {
    const { address, browser, card, sessions } = customer
    const payment: Payment = { amount: 900 + random.below(90), card, payee: landlord, item: 'goods' }
    const at = due + random.next() * 3 * dayMs
    sessions.push({ ...ordinary(customer, random), at, circumstance: 'rent', address, browser, payment })
  }
}

/** On market days, customers log in on the device of a shop. */
function visitCounters(customers: readonly Customer[], { random, population }: Sources): void {
  const visitors = Math.min(customersOfCounter, Math.floor(customers.length / 4))
  for (let counter = 0; counter < counters; counter++) {
    const browser = browserOf(population.newDevice())
    const address = anyAddress('home', random)
    for (let day = 6; day < storyDays; day += 7) {
      for (let visitor = 0; visitor < visitors; visitor++) {
        const customer = random.one(customers)
        const at = day * dayMs + visitor * (hourMs / 2)
        const session = { ...ordinary(customer, random), at, address, browser, login: 'password' as const }
        if (customer.sessions[0] && customer.sessions[0].at < at) {
          customer.sessions.push({ ...session, circumstance: 'counter of a shop' })
        }
      }
    }
  }
}
