// Which source of randomness makes a population repeatable? A generator with a seed.

import type { Random } from '../../../cli/src/demo/random.ts'

export { type Random, randomOf } from '../../../cli/src/demo/random.ts'

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
