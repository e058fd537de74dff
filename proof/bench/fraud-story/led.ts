// Who pays in an Android app while somebody leads them, and who only looks like it? Callers, people with remote access for work, users of
// accessibility services, and customers who are talked through a payment by a thief.

import type { AndroidFacts } from '@ringfence/contract'
import type { Random } from '../recognition/random.ts'
import { anyAddress, merchants, numbersFrom } from './customers.ts'
import { type StoryPhone, storyPhone } from './phone.ts'
import { type Circumstance, dayMs, hourMs, type Payment, type StorySession, storyDays } from './session.ts'

interface AppCustomer {
  readonly userId: string
  readonly phoneNumber: string
  readonly address: string
  readonly phone: StoryPhone
  /** What is always on the phone. */
  readonly installed: AndroidFacts
  readonly joinsOn: number
  readonly paymentsPerDay: number
  /** Share of payments during which they phone, as some always do. */
  readonly phones: number
}

const phoneCall: AndroidFacts = { audioMode: 2 }
const callOfApp: AndroidFacts = { audioMode: 3 }
const sharedScreen: AndroidFacts = { screenCapture: { isMirrored: false, isRecorded: true } }
const remoteAccess: AndroidFacts = { remoteAccessApps: ['com.example.remote'] }
const passwordManager: AndroidFacts = { accessibilityServices: ['com.example.passwords'] }

const customersOfApp = 200
const paymentsEach = 10

/** Ordinary customers of an app, and those of them who are led. `scale`: 1 is the whole story. */
export function ledStory(random: Random, scale: number): { customers: number; sessions: StorySession[] } {
  const newNumber = numbersFrom(917_020_800_000)
  const customers = Array.from(
    { length: Math.max(16, Math.round(customersOfApp * scale)) },
    (_, index): AppCustomer => {
      const isLoud = random.chance(0.3)
      return {
        ...{ userId: `a-${index}`, phoneNumber: newNumber(), phone: storyPhone(`a-${index}`) },
        address: anyAddress(random.one(['home', 'neighbour', 'mobileInMumbai'] as const), random),
        installed: {
          ...(random.chance(0.06) && remoteAccess),
          ...(random.chance(0.12) && passwordManager),
        },
        joinsOn: random.below(8),
        paymentsPerDay: (paymentsEach / storyDays) * (0.5 + random.next()),
        phones: isLoud ? 0.25 : 0.02,
      }
    },
  )
  const sessions = [
    ...customers.flatMap((customer) => ordinaryPayments(customer, random)),
    ...led(customers, random, scale),
  ]
  return { customers: customers.length, sessions }
}

const visitOf = ({
  userId,
  phoneNumber,
  address,
}: AppCustomer): Pick<StorySession, 'userId' | 'phoneNumber' | 'address' | 'receives'> => ({
  ...{ userId, phoneNumber, address, receives: ['MOBILE', 'EMAIL'] },
})

function ordinaryPayments(customer: AppCustomer, random: Random): StorySession[] {
  const { phone, installed, joinsOn, paymentsPerDay, phones } = customer
  const first: StorySession = {
    ...{ ...visitOf(customer), who: 'ordinary', circumstance: 'first visit', login: 'code' },
    ...{ at: (joinsOn + random.next() / 2) * dayMs, browser: phone.during(installed) },
  }
  const sessions = [first]
  for (let day = joinsOn + 1; day < storyDays; day++) {
    if (!random.chance(paymentsPerDay)) continue
    const isPhoning = random.chance(phones)
    // A tablet on a stand, a presentation, a recording of a game.
    const isShown = random.chance(0.01)
    const during = { ...installed, ...(isPhoning && random.one([phoneCall, callOfApp])), ...(isShown && sharedScreen) }
    sessions.push({
      ...{ ...visitOf(customer), who: 'ordinary', browser: phone.during(during) },
      at: day * dayMs + random.next() * 15 * hourMs,
      circumstance: circumstanceOf(during),
      payment: paymentOf(customer, random, isPhoning),
    })
  }
  return sessions
}

function circumstanceOf({
  audioMode,
  remoteAccessApps,
  accessibilityServices,
  screenCapture,
}: AndroidFacts): Circumstance {
  if (screenCapture) return 'in the app, screen shown'
  if (audioMode !== undefined)
    return remoteAccessApps ? 'in the app, on a call, remote access for work' : 'in the app, on a call'
  if (remoteAccessApps) return 'in the app, remote access for work'
  return accessibilityServices ? 'in the app, accessibility service' : 'in the app'
}

/** Who reads out an account number on the phone pays somebody new more often. */
function paymentOf({ userId }: AppCustomer, { chance, below, one }: Random, isPhoning: boolean): Payment {
  const newPayee = chance(isPhoning ? 0.3 : 0.1)
  const unusualAmount = chance(0.04)
  return {
    ...{ card: `card-${userId}`, item: 'goods', payee: newPayee ? `p-${below(100_000)}` : one(merchants) },
    amount: unusualAmount ? 1500 + below(4000) : 10 + below(400),
    ...(newPayee && { newPayee }),
    ...(unusualAmount && { unusualAmount }),
  }
}

/** How a thief leads. Most take more than their victim usually pays; where he is on another phone, nothing shows but that. */
const ways = [
  { who: 'led by a call', sessions: 30, during: phoneCall, takesMuch: 0.8 },
  {
    who: 'led with remote access',
    sessions: 30,
    during: { ...callOfApp, ...sharedScreen, ...remoteAccess },
    takesMuch: 0.8,
  },
  { who: 'led over another phone', sessions: 15, during: {}, takesMuch: 0.8 },
] as const

/** Once each, on the own phone, to an account of the thief. The victim passes a challenge, as the thief says so. */
function led(customers: readonly AppCustomer[], random: Random, scale: number): StorySession[] {
  return ways.flatMap(({ who, sessions, during, takesMuch }, way) =>
    Array.from({ length: Math.max(5, Math.round(sessions * scale)) }, (_, index): StorySession => {
      const victim = random.one(customers)
      const unusualAmount = random.chance(takesMuch)
      const isSeen = Object.keys(during).length > 0
      const isReviewed =
        isSeen && (unusualAmount || 'remoteAccessApps' in during || victim.installed.remoteAccessApps !== undefined)
      return {
        ...{ ...visitOf(victim), who, browser: victim.phone.during({ ...victim.installed, ...during }) },
        at: (10 + random.next() * (storyDays - 11)) * dayMs,
        payment: {
          ...{ card: `card-${victim.userId}`, item: 'goods', payee: `p-led-${way}-${index}`, newPayee: true },
          amount: unusualAmount ? 2000 + random.below(6000) : 200 + random.below(200),
          ...(unusualAmount && { unusualAmount }),
        },
        ...(isSeen && { claimedBy: [isReviewed ? 'led-payment' : 'payment-during-call'] }),
      }
    }),
  )
}
