// What happens in the fraud story? All sessions of four weeks, in the order of their time; the same for the same seed.

import { type Person, serviceMix } from '../recognition/mix.ts'
import { makePopulation } from '../recognition/population.ts'
import { randomOf, weighted } from '../recognition/random.ts'
import { judgingRates } from '../recognition/rates.ts'
import { attacksOn } from './attacks.ts'
import { customersOf } from './customers.ts'
import { ledStory } from './led.ts'
import { type Circumstance, dayMs, type StorySession } from './session.ts'

export interface StoryOptions {
  readonly seed: number
  /** 1: 10,000 sessions. */
  readonly scale: number
}

export interface Story {
  readonly customers: number
  readonly sessions: readonly StorySession[]
}

const customersOfAll = 776

/** People of one country: a time zone that contradicts the IP address would be a signal. */
export const oneCountry = {
  ...serviceMix,
  people: weighted<Person>(
    (
      [
        [['en-US', 'en'], 33],
        [['en-GB', 'en-US', 'en'], 16],
        [['en-IN', 'en'], 12],
        [['en-IN', 'en-GB', 'en-US', 'en'], 8],
        [['hi-IN', 'hi', 'en-US', 'en'], 12],
        [['ta-IN', 'ta', 'en'], 6],
        [['te-IN', 'te', 'en-US'], 6],
        [['bn-IN', 'bn', 'en-US', 'en'], 7],
      ] as const
    ).map(([languages, weight]) => [['Asia/Kolkata', -330, languages], weight]),
  ),
}

export function storyOf({ seed, scale }: StoryOptions): Story {
  const random = randomOf(seed)
  const population = makePopulation(3000, seed, { ...judgingRates, fleet: 0, journeys: 0 }, oneCountry)
  const count = Math.round(customersOfAll * scale)
  const customers = customersOf(count, { random, population })
  const attacks = attacksOn({ customers, random, population, scale })
  const ordinary = customers.flatMap((customer) => customer.sessions.map((session) => afterAttack(session, attacks)))
  const inApp = ledStory(randomOf(seed + 1), scale)
  const sessions = [...ordinary, ...attacks, ...inApp.sessions].sort((a, b) => a.at - b.at)
  return { customers: count + inApp.customers, sessions }
}

/** Victims are customers, too: what an attack left behind is a separate circumstance. */
function afterAttack(session: StorySession, attacks: readonly StorySession[]): StorySession {
  if (session.circumstance === 'counter of a shop') return session
  const before = attacks.filter(({ userId, at }) => userId === session.userId && at < session.at)
  const swaps = before.filter(({ line }) => line?.simChangedHoursAgo !== undefined)
  const reported = before.filter(
    ({ browser, label, at }) => browser === session.browser && label && at + label.afterMs < session.at,
  )
  const circumstance: Circumstance | undefined = swaps.some(({ at }) => at > session.at - 10 * dayMs)
    ? 'after a SIM swap by a thief'
    : reported.length > 0
      ? 'after a payment reported as fraud'
      : undefined
  return circumstance ? { ...session, circumstance } : session
}
