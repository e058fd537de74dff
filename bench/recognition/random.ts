// Which source of randomness makes a population repeatable? A generator with a seed.

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

/** Draws values by weight. */
export function weighted<T>(choices: readonly (readonly [T, number])[]): (random: Random) => T {
  const ends: number[] = []
  let sum = 0
  for (const [, weight] of choices) {
    sum += weight
    ends.push(sum)
  }
  return (random) => {
    const at = random.next() * sum
    let low = 0
    for (let high = ends.length - 1; low < high; ) {
      const middle = (low + high) >> 1
      if (ends[middle]! > at) high = middle
      else low = middle + 1
    }
    return choices[low]![0]
  }
}

/** Draws a rank by Zipf's law, from 0: the n-th most frequent of `count` has weight n^−exponent. */
export function zipf(count: number, exponent: number): (random: Random) => number {
  return weighted(Array.from({ length: count }, (_, rank) => [rank, (rank + 1) ** -exponent] as const))
}
