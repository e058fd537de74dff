// Which part of the world does a map show? All places with room around them, in the units of the land's path.

export interface Spot {
  readonly latitude: number
  readonly longitude: number
}

interface Frame {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Ten units are a degree: x from 180° west, y from 90° north. */
const unitsPerDegree = 10
export const xOf = (longitude: number) => (longitude + 180) * unitsPerDegree
export const yOf = (latitude: number) => (90 - latitude) * unitsPerDegree

/** Width to height. */
const aspect = 2.2
/** A place alone is shown with its continent: a map of one town would pretend to know more. */
const leastWidth = 1000
const world: Frame = { x: 0, y: 60, width: 3600, height: 3600 / aspect }

/** The world without places. */
export function frameOf(spots: readonly Spot[]): Frame {
  if (spots.length === 0) return world
  const xs = spots.map(({ longitude }) => xOf(longitude))
  const ys = spots.map(({ latitude }) => yOf(latitude))
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const width = Math.min(world.width, Math.max(leastWidth, (right - left) * 1.4, (bottom - top) * 1.5 * aspect))
  const height = width / aspect
  return {
    x: within((left + right) / 2 - width / 2, world.x, world.x + world.width - width),
    y: within((top + bottom) / 2 - height / 2, world.y, world.y + world.height - height),
    width,
    height,
  }
}

const within = (value: number, from: number, to: number) => Math.max(from, Math.min(to, value))
