// Who receives webhooks in a promise? Receivers that fail in every way, and remember what they accepted and in which order.

import { createServer, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { bodyOf } from '../../../../server/src/testing/body-of.ts'
import type { Judge, RunOptions } from '../../promise.ts'
import { listening } from '../local-server.ts'

/** How a receiver treats a delivery. `accept`: 200. */
export type Mood = 'accept' | 'slow' | 'hang' | 'reset' | '500' | '410' | 'redirect' | 'garbage'

export interface MoodyReceiver {
  readonly name: string
  readonly url: string
  /** Accepted events: the numbers of each key, in the order of acceptance, repetitions included. */
  readonly accepted: ReadonlyMap<string, readonly number[]>
  readonly deliveries: number
  readonly repeated: number
}

interface Script {
  readonly name: string
  /** Called for each delivery. */
  mood(key: string, n: number): Mood
  /** Runs when a delivery has arrived, and when it was answered: the steps at which a server may die. */
  readonly at?: (step: 'arrived' | 'answered') => void
}

export async function startReceiver(
  { name, mood, at }: Script,
  run: Pick<RunOptions, 'after'>,
): Promise<MoodyReceiver> {
  const accepted = new Map<string, number[]>()
  const counts = { deliveries: 0, repeated: 0 }
  const server = createServer(async (request, response) => {
    const { version: n, by: key } = JSON.parse(await bodyOf(request)).data as { version: number; by: string }
    counts.deliveries++
    at?.('arrived')
    const chosen = mood(key, n)
    const accept = () => {
      const ofKey = accepted.get(key) ?? []
      accepted.set(key, ofKey)
      if (ofKey.includes(n)) counts.repeated++
      ofKey.push(n)
      response.end(() => at?.('answered'))
    }
    if (chosen === 'accept') accept()
    else if (chosen === 'slow') setTimeout(accept, 50 + Math.random() * 300)
    else fail(chosen, response, request.socket)
  })
  return {
    name,
    url: `${await listening(server, run)}/${name}`,
    accepted,
    get deliveries() {
      return counts.deliveries
    },
    get repeated() {
      return counts.repeated
    },
  }
}

function fail(mood: Exclude<Mood, 'accept' | 'slow'>, response: ServerResponse, socket: Socket): void {
  switch (mood) {
    case 'hang':
      return
    case 'reset':
      socket.resetAndDestroy()
      return
    case 'garbage':
      socket.end('no HTTP\r\n\r\n')
      return
    case 'redirect':
      response.writeHead(302, { location: '/elsewhere' }).end()
      return
    default:
      response.writeHead(Number(mood)).end('not now')
  }
}

/** Nothing that was acknowledged is missing, and no event of a key was accepted before an earlier one. */
export function checkReceiver(
  { name, accepted }: Pick<MoodyReceiver, 'name' | 'accepted'>,
  written: ReadonlyMap<string, { readonly certain: ReadonlySet<number> }>,
  complaints: Judge,
): { lost: number; overtaken: number } {
  const found = { lost: 0, overtaken: 0 }
  for (const [key, { certain }] of written) {
    const order = accepted.get(key) ?? []
    const seen = new Set(order)
    for (const n of certain) {
      if (!seen.has(n)) found.lost++
      complaints.unless(seen.has(n), () => `${name}: event ${n} of ${key} was lost`)
    }
    // A repetition may come at any time; what counts is when an event was accepted first.
    const firsts = [...seen]
    for (const [i, n] of firsts.entries()) {
      const isInOrder = i === 0 || firsts[i - 1]! < n
      if (!isInOrder) found.overtaken++
      complaints.unless(isInOrder, () => `${name}: event ${n} of ${key} came after ${firsts[i - 1]}`)
    }
  }
  return found
}
