// What do the attackers of the demo do? Each attack as sessions, with the labels that arrive days later.

import { type Customer, cardOf, merchants, numbersFrom, type Sources } from './customers.ts'
import { addressIn, type Place } from './places.ts'
import { type DemoPerson, type DemoSession, dayMs, hourMs, minuteMs, type Payment } from './session.ts'

export interface Attacked extends Sources {
  readonly customers: readonly Customer[]
}

interface World extends Attacked {
  /** A customer who has come before this time, and is hit by no other attack. */
  victim(before: number): Customer
  newAccount(): DemoPerson
  label(outcome: 'fraud' | 'chargeback' | 'accountTakeover' | 'abuse'): Pick<DemoSession, 'label'>
}

/** All sessions of attackers, in any order. */
export function attacksOn(attacked: Attacked): DemoSession[] {
  const { customers, random } = attacked
  const newNumber = numbersFrom(917_020_710_000)
  const hit = new Set<Customer>()
  let created = 0
  const world: World = {
    ...attacked,
    victim(before) {
      const open = customers.filter((each) => !hit.has(each) && (each.sessions[0]?.at ?? before) < before - dayMs)
      const victim = random.one(open)
      hit.add(victim)
      return victim
    },
    newAccount() {
      created++
      const userId = `new.user.${1000 + created * 7}`
      return { userId, phoneNumber: newNumber(), email: `${userId}@mail.example` }
    },
    label: (outcome) => (random.chance(0.9) ? { label: { outcome, afterMs: (1 + 4 * random.next()) * dayMs } } : {}),
  }
  return [
    ...simSwap(world, 12.4),
    ...simSwap(world, 26.55),
    ...forwardedCalls(world, 19.3),
    ...deviceFarm(world, 9),
    ...passwordStuffing(world, 15.1),
    ...cardTesting(world, 6.6),
    ...cardTesting(world, 22.8),
    ...takeoverFromAbroad(world, 17.2, 'dubai'),
    ...takeoverFromAbroad(world, 28.45, 'london'),
    ...mule(world, 23.9),
    ...giftCards(world),
  ]
}

const personOf = ({ userId, phoneNumber, email }: Customer): DemoPerson => ({ userId, phoneNumber, email })

const stolen = (amount: number, card: string, { random }: World): Payment => ({
  ...{ amount, currency: 'INR', card, payee: random.one(merchants), item: 'goods' },
})

/** The thief has the number, not the mailbox. He comes twice. */
function simSwap(world: World, day: number): DemoSession[] {
  const { random, victim, newBrowser, label } = world
  const at = day * dayMs
  const customer = victim(at)
  const browser = newBrowser('phone')
  const address = addressIn('delhi', random)
  return [2, 5].map((hours, attempt) => ({
    ...{ who: personOf(customer), browser, address, receives: ['MOBILE' as const], at: at + hours * hourMs },
    ...(attempt === 0 && { login: 'code' as const, line: { simChangedHoursAgo: 2 } }),
    payment: stolen(62_000 + random.below(40_000), customer.card, world),
    ...label('accountTakeover'),
  }))
}

/** Codes by call reach the thief. */
function forwardedCalls(world: World, day: number): DemoSession[] {
  const { random, victim, newBrowser, label } = world
  const at = day * dayMs
  const customer = victim(at)
  const at_ = { who: personOf(customer), browser: newBrowser('desktop'), address: addressIn('surat', random), at }
  const payment = stolen(18_500, customer.card, world)
  return [
    { ...at_, login: 'code', receives: ['MOBILE'], line: { isForwarding: true }, payment, ...label('accountTakeover') },
  ]
}

/** One phone, many accounts, each with a first order at half the price. */
function deviceFarm(world: World, day: number): DemoSession[] {
  const { random, newBrowser, newAccount, label } = world
  const browser = newBrowser('phone')
  const address = addressIn('mumbai', random)
  const cards = [cardOf(random), cardOf(random), cardOf(random)]
  return Array.from({ length: 16 }, (_, index) => ({
    ...{ who: newAccount(), browser, clearsStorage: true, address, isSignUp: true },
    ...{ at: day * dayMs + index * 7 * hourMs, login: 'code' as const, receives: ['MOBILE', 'EMAIL'] as const },
    payment: stolen(900 + random.below(600), cards[index % 3]!, world),
    ...label('abuse'),
  }))
}

/** A program tries stolen passwords from a hosting network. */
function passwordStuffing(world: World, day: number): DemoSession[] {
  const { random, customers, newBrowser, label } = world
  const browsers = [newBrowser('automated'), newBrowser('automated')]
  return Array.from({ length: 36 }, (_, tried) => ({
    ...{ who: personOf(random.one(customers)), browser: browsers[tried % 2]!, clearsStorage: true },
    ...{ at: day * dayMs + tried * 3 * minuteMs, address: addressIn('hosting', random), login: 'password' as const },
    ...{ receives: [], ...label('accountTakeover') },
  }))
}

/** Small payments show which stolen cards work. Days later, somebody buys with them. */
function cardTesting(world: World, day: number): DemoSession[] {
  const { random, newBrowser, newAccount, label } = world
  const who = newAccount()
  const [browser, address] = [newBrowser('desktop'), addressIn('chennai', random)]
  const tests = Array.from(
    { length: 14 },
    (_, index): DemoSession => ({
      ...{ who, browser, address, receives: ['MOBILE', 'EMAIL'], at: day * dayMs + index * 9 * minuteMs },
      ...(index === 0 && { login: 'code', isSignUp: true }),
      payment: stolen(10 + random.below(40), cardOf(random), world),
      ...label('chargeback'),
    }),
  )
  const purchases = tests.slice(0, 4).map(
    ({ payment }): DemoSession => ({
      ...{ who: newAccount(), browser: newBrowser('phone'), address: addressIn('delhi', random), login: 'code' },
      ...{ at: (day + 5 + 2 * random.next()) * dayMs, receives: ['MOBILE', 'EMAIL'], isSignUp: true },
      payment: stolen(9_000 + random.below(30_000), payment!.card, world),
      ...label('chargeback'),
    }),
  )
  return [...tests, ...purchases]
}

/** A stolen password, from another country, an hour after the customer was at home. */
function takeoverFromAbroad(world: World, day: number, place: Place): DemoSession[] {
  const { random, victim, newBrowser, label } = world
  const at = day * dayMs
  const customer = victim(at)
  const who = personOf(customer)
  const atHome: DemoSession = {
    ...{ who, browser: customer.browser, address: customer.address, at: at - hourMs, login: 'code' },
    receives: ['MOBILE', 'EMAIL'],
  }
  const browser = newBrowser('desktop')
  const abroad: DemoSession = {
    ...{ who, browser, address: addressIn(place, random), at, login: 'password', receives: [] },
    payment: stolen(35_000, customer.card, world),
    ...label('accountTakeover'),
  }
  return [atHome, abroad]
}

/** Victims are talked into paying one person, each on the usual device. */
function mule(world: World, day: number): DemoSession[] {
  const { random, victim, label } = world
  return Array.from({ length: 11 }, (_, index): DemoSession => {
    const at = day * dayMs + index * 13 * hourMs
    const customer = victim(at)
    const amount = 14_000 + random.below(40_000)
    return {
      ...{ who: personOf(customer), browser: customer.browser, address: customer.address, at },
      receives: ['MOBILE', 'EMAIL'],
      payment: { amount, currency: 'INR', card: customer.card, payee: 'person-8841', item: 'transfer' },
      ...(index < 6 && label('fraud')),
    }
  })
}

/** New accounts that buy gift cards at once. No live rule reads that: `rules suggest` finds it. */
function giftCards(world: World): DemoSession[] {
  const { random, newBrowser, newAccount, label } = world
  return Array.from(
    { length: 12 },
    (_, index): DemoSession => ({
      ...{ who: newAccount(), browser: newBrowser('phone'), address: addressIn('bengaluru', random), isSignUp: true },
      ...{ at: (3 + index * 2.1 + random.next()) * dayMs, login: 'code', receives: ['MOBILE', 'EMAIL'] },
      payment: {
        ...{ amount: 8_000 + random.below(10_000), currency: 'INR', card: cardOf(random) },
        ...{ payee: random.one(merchants), item: 'gift-card' },
      },
      ...label('chargeback'),
    }),
  )
}
