// Is somebody asking the same right now? Then wait for that answer instead of asking again.

interface Flight {
  answer: Promise<unknown>
  controller: AbortController
  waiting: number
  landed: boolean
}

export interface SingleFlight {
  /**
   * The answer of the call under way for `key`, or of `ask`. Each caller leaves at its own `signal`;
   * the signal given to `ask` is aborted when the last one has left.
   */
  join<T>(key: string, signal: AbortSignal, ask: (signal: AbortSignal) => Promise<T>): Promise<T>
}

export function singleFlight(): SingleFlight {
  const flights = new Map<string, Flight>()

  function takeOff(key: string, ask: (signal: AbortSignal) => Promise<unknown>): Flight {
    const controller = new AbortController()
    const flight: Flight = { answer: ask(controller.signal), controller, waiting: 0, landed: false }
    const land = () => {
      flight.landed = true
      if (flights.get(key) === flight) flights.delete(key)
    }
    flight.answer.then(land, land)
    flights.set(key, flight)
    return flight
  }

  return {
    async join<T>(key: string, signal: AbortSignal, ask: (signal: AbortSignal) => Promise<T>) {
      signal.throwIfAborted()
      const flight = flights.get(key) ?? takeOff(key, ask)
      flight.waiting++
      const { promise: left, reject } = Promise.withResolvers<never>()
      const leave = () => reject(signal.reason)
      signal.addEventListener('abort', leave, { once: true })
      try {
        return (await Promise.race([flight.answer, left])) as T
      } finally {
        signal.removeEventListener('abort', leave)
        flight.waiting--
        if (flight.waiting === 0 && !flight.landed) {
          // Nobody waits any more: a later caller must not join a call that is being given up.
          if (flights.get(key) === flight) flights.delete(key)
          flight.controller.abort(new DOMException('nobody waits for the answer any more', 'AbortError'))
        }
      }
    },
  }
}
