// What do ordinary customers do in a month? They return at their hours, buy phones, travel and pay; nobody is an attacker.

import { scenarioOf } from '@ringfence/sandbox'
import type { DemoBrowser } from './browsers.ts'
import { addressIn, cities, mobileNear, type Place } from './places.ts'
import type { Random } from './random.ts'
import { type DemoPerson, type DemoSession, dayMs, demoDays, hourMs, type Payment } from './session.ts'

export interface Customer extends DemoPerson {
  readonly card: string
  readonly city: (typeof cities)[number]
  /** At home. */
  readonly address: string
  readonly browser: DemoBrowser
  readonly sessions: DemoSession[]
}

export interface Sources {
  readonly random: Random
  readonly newBrowser: (kind: 'phone' | 'desktop' | 'automated') => DemoBrowser
}

const customers = 110
const firstNames =
  'Aarav Aditi Ananya Arjun Bhavna Chitra Deepak Divya Farhan Gauri Harish Ishaan Jaya Kabir Kavya Lakshmi Manish Meera Nikhil Pooja Priya Rahul Riya Rohan Sana Shreya Sunil Tara Varun Vikram Yusuf Zoya'.split(
    ' ',
  )
const lastNames =
  'Agarwal Banerjee Chopra Das Desai Fernandes Ghosh Iyer Jain Kapoor Khan Kulkarni Mehta Menon Nair Patel Rao Reddy Shah Sharma Singh Verma'.split(
    ' ',
  )
export const merchants =
  'lotus-books monsoon-music saffron-kitchen blue-kite-toys banyan-fashion cricket-corner metro-pharmacy chai-and-co nila-electronics garden-of-spices'.split(
    ' ',
  )

/** Valid numbers with nothing to find: their last digits are no scenario of the sandbox. */
export function numbersFrom(first: number): () => string {
  let next = first
  return () => {
    next += 7
    while (scenarioOf(`${next}`)) next++
    return `${next}`
  }
}

export const cardOf = ({ below }: Random): string => `card-${(0x100000 + below(0xefffff)).toString(16)}`

export function customersOf(sources: Sources): Customer[] {
  const { random, newBrowser } = sources
  const newNumber = numbersFrom(917_020_210_000)
  const names = new Set<string>()
  while (names.size < customers) names.add(`${random.one(firstNames)}.${random.one(lastNames)}`.toLowerCase())
  return [...names].map((userId) => {
    const city = random.one(cities)
    const customer: Customer = {
      ...{ userId, phoneNumber: newNumber(), email: `${userId}@mail.example`, card: cardOf(random) },
      ...{ city, address: addressIn(city, random), sessions: [] },
      browser: newBrowser(random.chance(0.6) ? 'phone' : 'desktop'),
    }
    live(customer, sources)
    customer.sessions.sort((a, b) => a.at - b.at)
    return customer
  })
}

interface Trip {
  readonly from: number
  readonly to: number
  readonly place: Place
}

function live(customer: Customer, { random, newBrowser }: Sources): void {
  const { chance, below, next, one } = random
  const perDay = (4 + 12 * next() * next()) / demoDays
  const joinsOn = chance(0.2) ? 1 + below(demoDays - 6) : 0
  const newPhoneOn = chance(0.07) ? 5 + below(demoDays - 6) : demoDays
  const from = 8 + below(14)
  const place = one(['paris', 'dubai', 'london', 'dubai'] as const)
  const trip: Trip | undefined = chance(0.12) ? { from, to: from + 3 + below(4), place } : undefined
  const second = chance(0.3) ? newBrowser('desktop') : undefined
  const isOnWeekends = chance(0.7)
  /** The hour of the day at which this person usually comes. */
  const hour = one([8, 9, 12, 13, 18, 19, 20, 21])
  const signsInBy = chance(0.6) ? 'code' : 'password'
  let own = customer.browser
  for (let day = joinsOn; day < demoDays; day++) {
    const isWeekend = day % 7 >= 5
    const isFirst = customer.sessions.length === 0
    const isAway = !isFirst && trip !== undefined && day >= trip.from && day <= trip.to
    // People use more of a shop's app on a journey.
    if (!chance(isAway ? 0.5 : perDay * (isWeekend && !isOnWeekends ? 0.2 : 1))) continue
    const isNewPhone = day >= newPhoneOn && own === customer.browser && !isFirst
    if (isNewPhone) own = newBrowser('phone')
    customer.sessions.push({
      ...ordinary(customer, random),
      at: day * dayMs + hour * hourMs + (next() + next() - 1) * 2.5 * hourMs,
      address: whereIs(customer, isAway ? trip : undefined, random),
      browser: !isFirst && !isAway && second && chance(0.3) ? second : own,
      login: isFirst ? 'code' : signsInBy,
      ...(isFirst && joinsOn > 0 && { isSignUp: true }),
      ...(!isFirst && chance(0.03) && { clearsStorage: true }),
      // A new phone often comes with a new SIM.
      ...(isNewPhone && chance(0.4) && { line: { simChangedHoursAgo: 5 } }),
      ...(chance(0.45) && { payment: paymentOf(customer, random) }),
    })
  }
}

const whereIs = ({ address, city }: Customer, trip: Trip | undefined, random: Random): string =>
  trip ? addressIn(trip.place, random) : random.chance(0.25) ? addressIn(mobileNear(city), random) : address

const ordinary = (
  { userId, phoneNumber, email }: Customer,
  { chance, next }: Random,
): Pick<DemoSession, 'who' | 'receives' | 'label'> => ({
  who: { userId, phoneNumber, email },
  receives: ['MOBILE', 'EMAIL'],
  ...(chance(0.25) && { label: { outcome: 'legitimate' as const, afterMs: (5 + 4 * next()) * dayMs } }),
})

/** Most payments are small; one of eight is a transfer to a person. */
export function paymentOf({ card }: Pick<Customer, 'card'>, { chance, below, next, one }: Random): Payment {
  const amount = Math.round(150 * 350 ** next())
  if (chance(1 / 8)) return { amount, currency: 'INR', card, payee: `person-${below(400)}`, item: 'transfer' }
  return { amount, currency: 'INR', card, payee: one(merchants), item: chance(1 / 15) ? 'gift-card' : 'goods' }
}
