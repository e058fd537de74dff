// Which source of randomness makes made-up traffic repeatable? A generator with a seed.

export interface Random {
  /** From 0 up to 1, as Math.random. */
  next(): number
  /** A whole number below `limit`. */
  below(limit: number): number
  /** True with this probability. */
  chance(probability: number): boolean
  /** One of the values, all equally likely. */
  one<T>(values: readonly T[]): T
}

/** mulberry32 (Tommy Ettinger, public domain): 32 bits of state, sufficient for a simulation. */
export function randomOf(seed: number): Random {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { next, below, chance: (probability) => next() < probability, one: (values) => values[below(values.length)]! }
}
