// What do attackers do in four weeks? Each attack as sessions, with the rules of the guides that claim to catch them.

import { browserOf, recordedBrowser, type StoryBrowser } from './browser.ts'
import { anyAddress, type Customer, merchants, numbersFrom, type Sources } from './customers.ts'
import { dayMs, hourMs, minuteMs, type Payment, type StorySession, storyDays } from './session.ts'

export interface Attacked extends Sources {
  readonly customers: readonly Customer[]
  /** 1: the whole story. Less: fewer attackers. */
  readonly scale: number
}

/** All sessions of attackers, in any order. */
export function attacksOn(attacked: Attacked): StorySession[] {
  const newNumber = numbersFrom(917_020_700_000)
  let created = 0
  const world: World = {
    ...attacked,
    count: (whole, least = 1) => Math.max(least, Math.round(whole * attacked.scale)),
    newBrowser: () => browserOf(attacked.population.newDevice()),
    newAccount: () => ({ userId: `n-${created++}`, phoneNumber: newNumber() }),
    victimAt: (at) =>
      attacked.random.one(attacked.customers.filter(({ sessions: [first] }) => first !== undefined && first.at < at)),
    address: () =>
      anyAddress(attacked.random.one(['home', 'neighbour', 'office', 'mobileInMumbai'] as const), attacked.random),
    label: (outcome) =>
      attacked.random.chance(0.9) ? { label: { outcome, afterMs: (1 + 6 * attacked.random.next()) * dayMs } } : {},
  }
  return [
    simSwaps(world, 'SIM swap'),
    simSwaps(world, 'SIM swap, used after eleven days'),
    forwardedCalls(world),
    credentialStuffing(world),
    automatedBrowsers(world),
    cardTesting(world),
    travels(world),
    stolenSessions(world),
    deviceFarms(world),
    muleAccounts(world, 'mule account'),
    muleAccounts(world, 'slow mule account'),
    giftCards(world),
    ownNumbers(world),
  ].flat()
}

interface World extends Attacked {
  count(whole: number, least?: number): number
  newBrowser(): StoryBrowser
  newAccount(): Pick<StorySession, 'userId' | 'phoneNumber'>
  /** A customer who came before: else there is no account, session or device to take. */
  victimAt(at: number): Customer
  address(): string
  /** Nine of ten are reported, within a week. */
  label(outcome: 'fraud' | 'chargeback' | 'accountTakeover' | 'abuse'): Pick<StorySession, 'label'>
}

const hasSessionBefore = ({ sessions }: Customer, at: number): boolean =>
  sessions.some((session) => session.at < at - hourMs && session.login === 'code')

const stolen = (amount: number, { random }: World, card: string): Payment => ({
  ...{ amount, card, payee: random.one(merchants), item: 'goods' },
})

/** The thief has the number, not the mailbox, and comes twice. */
function simSwaps(world: World, who: 'SIM swap' | 'SIM swap, used after eleven days'): StorySession[] {
  const { random, count, newBrowser, victimAt, address, label } = world
  const isLate = who !== 'SIM swap'
  return Array.from({ length: isLate ? count(6) : count(24, 4) }, () => {
    const swappedAt = (4 + random.next() * (storyDays - 18)) * dayMs
    const { userId, phoneNumber, card } = victimAt(swappedAt)
    const browser = newBrowser()
    const from = address()
    return [1 + random.next() * 8, 20 + random.next() * 20].map((hours, attempt): StorySession => {
      const hoursAgo = hours + (isLate ? 11 * 24 : 0)
      return {
        ...{ who, userId, phoneNumber, browser, address: from, receives: ['MOBILE'] },
        at: swappedAt + hoursAgo * hourMs,
        // The second time in a session that is open, so that only the payment is decided.
        ...(attempt === 0 && { login: 'code', line: { simChangedHoursAgo: hoursAgo } }),
        payment: stolen(1200 + random.below(3000), world, card),
        ...(!isLate && {
          claimedBy: [
            ...['swapped-sim', 'large-payment-after-swap'],
            ...(attempt === 0 ? ['swapped-sim-new-device'] : []),
          ],
        }),
        ...label('accountTakeover'),
      }
    })
  }).flat()
}

/** Codes by call reach the thief. */
function forwardedCalls(world: World): StorySession[] {
  const { random, count, newBrowser, victimAt, address, label } = world
  return Array.from({ length: count(16, 2) }, () => {
    const at = (6 + random.next() * (storyDays - 8)) * dayMs
    const victim = victimAt(at)
    const { userId, phoneNumber, card } = victim
    const browser = newBrowser()
    const from = address()
    return [0, 1 + random.next() * 20].map(
      (hours, attempt): StorySession => ({
        ...{ who: 'forwarded calls', userId, phoneNumber, browser, address: from, login: 'code' },
        ...{ at: at + hours * hourMs, receives: ['MOBILE'] },
        line: { isForwarding: true },
        payment: stolen(300 + random.below(3000), world, card),
        // The first sign-in confirms the browser of the thief, so the second one is not new.
        claimedBy: [
          'calls-forwarded',
          ...(attempt === 0 && hasSessionBefore(victim, at) ? ['new-device-for-account'] : []),
        ],
        ...label('accountTakeover'),
      }),
    )
  }).flat()
}

const accountsTried = 50
/** So many that one visit without fonts, which is another device, does not decide how many the rule catches. */
const fewestTried = 30

/** A program tries stolen passwords, over addresses of homes, with its storage cleared each time. */
function credentialStuffing(world: World): StorySession[] {
  const { random, count, newBrowser, newAccount, victimAt, address, label } = world
  return Array.from({ length: count(4) }, () => {
    const browser = newBrowser()
    const begins = (7 + random.next() * (storyDays - 9)) * dayMs
    return Array.from({ length: count(accountsTried, fewestTried) }, (_, tried): StorySession => {
      const at = begins + tried * 4 * minuteMs
      const victim = random.chance(0.6) ? victimAt(at) : undefined
      return {
        ...{ who: 'credential stuffing', at, browser, clearsStorage: true, address: address(), login: 'password' },
        ...(victim ? { userId: victim.userId, phoneNumber: victim.phoneNumber } : newAccount()),
        receives: [],
        ...(victim && { payment: stolen(200 + random.below(700), world, victim.card) }),
        claimedBy: [
          ...(tried >= 5 ? ['many-users-on-device'] : []),
          ...(victim && hasSessionBefore(victim, at) ? ['new-device-for-account'] : []),
        ],
        ...label('accountTakeover'),
      }
    })
  }).flat()
}

const automated = [
  'chromium-headless',
  'chromedriver-plain',
  'playwright-headed',
  'playwright-stealth-plugin',
  'chromedriver-patched',
  'firefox-marionette',
]

/** Each with new accounts: few enough for a velocity not to count. */
function automatedBrowsers(world: World): StorySession[] {
  const { random, count, newAccount, address, label } = world
  return Array.from({ length: count(30, 4) }, (_, index) => {
    const begins = (1 + random.next() * (storyDays - 3)) * dayMs
    const from = address()
    return Array.from({ length: 4 }, (_, step): StorySession => {
      const card = `card-b${index}-${step}`
      return {
        ...{ who: 'automated browser', ...newAccount(), at: begins + step * 26 * hourMs, address: from },
        browser: recordedBrowser(automated[index % automated.length]!),
        ...{ login: 'password', receives: [], payment: stolen(40 + random.below(60), world, card) },
        claimedBy: ['bad-bot'],
        ...label('abuse'),
      }
    })
  }).flat()
}

const cardsTested = 20

/** Small payments show which stolen cards work. A week later, others buy with them. */
function cardTesting(world: World): StorySession[] {
  const { random, count, newBrowser, newAccount, address, label } = world
  return Array.from({ length: count(5) }, (_, tester) => {
    const browser = newBrowser()
    const account = newAccount()
    const from = address()
    const begins = (2 + random.next() * (storyDays - 16)) * dayMs
    const tests = Array.from({ length: cardsTested }, (_, index): StorySession => {
      const card = `card-s${tester}-${index}`
      return {
        ...{ who: 'card testing', ...account, browser, address: from, receives: ['MOBILE', 'EMAIL'] },
        at: begins + index * 11 * minuteMs,
        ...(index === 0 && { login: 'code' }),
        payment: stolen(1 + random.below(5), world, card),
        ...(index >= 3 && { claimedBy: ['card-testing'] }),
        ...label('chargeback'),
      }
    })
    const purchases = tests.slice(0, 5).map(({ payment, label: reported }): StorySession => {
      const at = begins + (4 + 5 * random.next()) * dayMs
      const isListed = reported !== undefined && begins + hourMs + reported.afterMs < at
      return {
        ...{ who: 'purchase with a stolen card', ...newAccount(), browser: newBrowser(), address: address(), at },
        ...{ login: 'code', receives: ['MOBILE', 'EMAIL'] },
        payment: stolen(300 + random.below(900), world, payment!.card),
        ...(isListed && { claimedBy: ['stolen-card'] }),
        ...label('chargeback'),
      }
    })
    return [...tests, ...purchases]
  }).flat()
}

/** Others than the victims of mules: a reported payment changes what the account can learn. */
const isOfTravels = (_: Customer, index: number): boolean => index % 3 === 0

/** An hour after the customer was at home, somebody logs in from Paris with the stolen password. */
function travels(world: World): StorySession[] {
  const { random, customers, count, newBrowser, label } = world
  const atHome = customers.filter(isOfTravels).flatMap((customer) => {
    const first = customer.sessions[0]
    return customer.sessions
      .filter(({ address, circumstance }) => address === customer.address && circumstance === 'usual device')
      .filter(({ at, login }) => first && login === 'code' && at > first.at + dayMs)
      .map(({ at }) => ({ customer, at }))
  })
  return Array.from({ length: count(20, 3) }, (): StorySession => {
    const { customer, at } = random.one(atHome)
    const { userId, phoneNumber, card } = customer
    return {
      ...{
        who: 'stolen password, from another country',
        userId,
        phoneNumber,
        browser: newBrowser(),
        login: 'password',
      },
      ...{ at: at + hourMs, address: anyAddress('paris', random), receives: [] },
      payment: stolen(300 + random.below(900), world, card),
      claimedBy: ['impossible-travel', 'new-device-for-account'],
      ...label('accountTakeover'),
    }
  })
}

/** Malware copies the session and the facts of the browser, but not its key, and pays from the same town. */
function stolenSessions(world: World): StorySession[] {
  const { random, count, victimAt, label } = world
  return Array.from({ length: count(15, 2) }, (): StorySession => {
    const at = (5 + random.next() * (storyDays - 6)) * dayMs
    const { userId, phoneNumber, card, device, network } = victimAt(at)
    return {
      ...{ who: 'stolen session, copied browser', userId, phoneNumber, at, receives: [] },
      ...{ browser: browserOf(device), address: anyAddress(network, random) },
      payment: stolen(300 + random.below(900), world, card),
      ...label('accountTakeover'),
    }
  })
}

/** One phone, many accounts, each with a first order at half the price. */
function deviceFarms(world: World): StorySession[] {
  const { random, count, newBrowser, newAccount, address, label } = world
  return Array.from({ length: count(3) }, (_, farm) => {
    const browser = newBrowser()
    const from = address()
    const begins = (1 + random.next() * (storyDays - 9)) * dayMs
    return Array.from({ length: 12 }, (_, index): StorySession => {
      const card = `card-f${farm}-${index % 3}`
      return {
        ...{ who: 'device farm', ...newAccount(), browser, clearsStorage: true, address: from },
        ...{ at: begins + index * 12 * hourMs, login: 'code', receives: ['MOBILE', 'EMAIL'] },
        payment: stolen(30 + random.below(40), world, card),
        ...label('abuse'),
      }
    })
  }).flat()
}

/** Victims are talked into paying, each on the usual device. The slow one takes a payment in two days. */
function muleAccounts(world: World, who: 'mule account' | 'slow mule account'): StorySession[] {
  const { random, customers, count, label } = world
  const everyHours = who === 'mule account' ? 7 : 50
  const victims = who === 'mule account' ? 12 : 8
  return Array.from({ length: count(3) }, (_, mule) => {
    const begins = (5 + 2 * random.next()) * dayMs
    const joined = customers.filter(
      (customer, index) => !isOfTravels(customer, index) && customer.sessions[0] && customer.sessions[0].at < begins,
    )
    return Array.from({ length: Math.min(victims, joined.length) }, (_, index): StorySession => {
      const victim = joined[(index * 7 + mule * 101 + random.below(5)) % joined.length]!
      const { userId, phoneNumber, card, browser, address } = victim
      const payee = `p-${who === 'mule account' ? 'mule' : 'slow'}-${mule}`
      return {
        ...{ who, userId, phoneNumber, browser, address, receives: ['MOBILE', 'EMAIL'] },
        at: begins + index * everyHours * hourMs,
        payment: { amount: 400 + random.below(500), card, payee, item: 'goods' },
        ...(who === 'mule account' && index >= 4 && { claimedBy: ['mule-account'] }),
        ...label('fraud'),
      }
    })
  }).flat()
}

/** The planted pattern: no rule of a guide reads it, `rules suggest` must find it. */
function giftCards(world: World): StorySession[] {
  const { random, count, newBrowser, newAccount, address, label } = world
  return Array.from(
    { length: count(60, 6) },
    (_, index): StorySession => ({
      ...{ who: 'gift cards with a new account', ...newAccount(), browser: newBrowser(), address: address() },
      ...{ at: (1 + random.next() * (storyDays - 2)) * dayMs, login: 'code', receives: ['MOBILE', 'EMAIL'] },
      payment: {
        amount: 250 + random.below(250),
        card: `card-g${index}`,
        payee: random.one(merchants),
        item: 'gift-card',
      },
      ...label('chargeback'),
    }),
  )
}

/** A thief knows password and user id, and proves a number: his own. The backend must not take him for the customer. */
function ownNumbers(world: World): StorySession[] {
  const { random, count, newBrowser, newAccount, victimAt, address, label } = world
  return Array.from({ length: count(20, 3) }, (): StorySession => {
    const at = (6 + random.next() * (storyDays - 8)) * dayMs
    const { userId, phoneNumber, card } = victimAt(at)
    return {
      ...{ who: 'stolen password, number of his own', userId, phoneNumber, browser: newBrowser(), address: address() },
      ...{ at, login: 'code', codesTo: newAccount().phoneNumber },
      receives: ['MOBILE'],
      payment: stolen(300 + random.below(900), world, card),
      ...label('accountTakeover'),
    }
  })
}
