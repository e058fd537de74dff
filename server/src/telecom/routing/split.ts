// In which order are connectors asked that share their numbers? A stable split: by number and weight, the same on every server.

import { createHash } from 'node:crypto'

interface Weighted {
  readonly name: string
  readonly weight?: number
}

/**
 * Neighbours with a weight are ordered by weighted rendezvous hashing: each is first for its share of the numbers, and a change of one
 * weight moves no number between the others. The rest stays where it is.
 */
export function splitByWeight<Route extends Weighted>(routes: readonly Route[], digits: string): readonly Route[] {
  if (!routes.some(({ weight }) => weight !== undefined)) return routes
  const ordered: Route[] = []
  let group: Route[] = []
  const close = () => {
    const drawn = group.map((route) => ({ route, rank: rankOf(route, digits) }))
    ordered.push(...drawn.sort((a, b) => a.rank - b.rank).map(({ route }) => route))
    group = []
  }
  for (const route of routes) {
    if (route.weight !== undefined) group.push(route)
    else {
      close()
      ordered.push(route)
    }
  }
  close()
  return ordered
}

const hashBits = 48

/** An exponential random variable with the weight as its rate: the smallest of several belongs to each in proportion. */
function rankOf({ name, weight = 1 }: Weighted, digits: string): number {
  const hash = createHash('sha256').update(`${digits}\n${name}`).digest()
  const uniform = (hash.readUIntBE(0, hashBits / 8) + 0.5) / 2 ** hashBits
  return -Math.log(uniform) / weight
}
