// What happens in the month of the demo? All sessions in the order of their time, the same for the same seed.

import { attacksOn } from './attacks.ts'
import { openBrowsers } from './browsers.ts'
import { customersOf } from './customers.ts'
import { randomOf } from './random.ts'
import type { DemoSession } from './session.ts'

export interface Story {
  /** Customers and attackers' accounts. */
  readonly people: number
  readonly sessions: readonly DemoSession[]
}

export function storyOf(seed: number): Story {
  const sources = { random: randomOf(seed), newBrowser: openBrowsers() }
  const customers = customersOf(sources)
  const attacks = attacksOn({ ...sources, customers })
  const sessions = [...customers.flatMap((each) => each.sessions), ...attacks].sort((a, b) => a.at - b.at)
  return { people: new Set(sessions.map(({ who }) => who.userId)).size, sessions }
}
