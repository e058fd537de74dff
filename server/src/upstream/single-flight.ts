// Is the same call already in flight? Then wait for its result instead of calling again.

import { before } from './deadline.ts'

interface Flight {
  result: Promise<unknown>
  controller: AbortController
  waiting: number
  landed: boolean
}

export interface SingleFlight {
  /**
   * Joins the call in flight for `key`, or starts `work`. Each caller stops waiting at its own `signal`. The signal passed to
   * `work` is aborted when the last caller has stopped waiting.
   */
  join<T>(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>
}

export function singleFlight(): SingleFlight {
  const flights = new Map<string, Flight>()

  function takeOff(key: string, work: (signal: AbortSignal) => Promise<unknown>): Flight {
    const controller = new AbortController()
    const flight: Flight = { result: work(controller.signal), controller, waiting: 0, landed: false }
    const land = () => {
      flight.landed = true
      if (flights.get(key) === flight) flights.delete(key)
    }
    flight.result.then(land, land)
    flights.set(key, flight)
    return flight
  }

  return {
    async join<T>(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>) {
      signal.throwIfAborted()
      const flight = flights.get(key) ?? takeOff(key, work)
      flight.waiting++
      try {
        return await before(signal, flight.result as Promise<T>, () => signal.reason)
      } finally {
        flight.waiting--
        if (flight.waiting === 0 && !flight.landed) {
          // A later caller must not join a call that is being aborted.
          if (flights.get(key) === flight) flights.delete(key)
          flight.controller.abort(new DOMException('no caller is waiting for the result', 'AbortError'))
        }
      }
    },
  }
}
