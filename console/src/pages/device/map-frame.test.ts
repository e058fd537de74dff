import assert from 'node:assert/strict'
import { test } from 'node:test'
import { landPath } from '../../../world-map.ts'
import { frameOf, type Spot, xOf, yOf } from './map-frame.ts'

const mumbai = { latitude: 19.08, longitude: 72.88 }
const paris = { latitude: 48.86, longitude: 2.35 }
const auckland = { latitude: -36.85, longitude: 174.76 }
const anchorage = { latitude: 61.22, longitude: -149.9 }

const isWithin = (spots: readonly Spot[]) => {
  const { x, y, width, height } = frameOf(spots)
  return spots.every(({ latitude, longitude }) => {
    const [left, top] = [xOf(longitude) - x, yOf(latitude) - y]
    return left > 0 && left < width && top > 0 && top < height
  })
}

test('a map shows all its places, and never less than a continent', () => {
  for (const spots of [[mumbai], [paris, mumbai], [auckland], [anchorage, auckland], [mumbai, mumbai]]) {
    assert.ok(isWithin(spots), JSON.stringify(spots))
    assert.ok(frameOf(spots).width >= 1000)
  }
  assert.ok(frameOf([mumbai]).width < frameOf([anchorage, auckland]).width)
})

test('a map without places shows the world', () => {
  assert.equal(frameOf([]).width, 3600)
})

test('the path of the land has India, and not the ocean west of it', () => {
  const rings = landPath().split('z').filter(Boolean).map(points)
  const isLand = ({ latitude, longitude }: Spot) =>
    rings.filter((ring) => contains(ring, xOf(longitude), yOf(latitude))).length % 2 === 1
  assert.equal(isLand({ latitude: 21, longitude: 78 }), true)
  assert.equal(isLand({ latitude: 15, longitude: 65 }), false)
  assert.equal(isLand(paris), true)
})

/** The points of `M1 2l3 4`. */
function points(path: string): [number, number][] {
  let [x, y] = [0, 0]
  return [...path.matchAll(/[Ml](-?\d+) (-?\d+)/g)].map(([, dx, dy]) => {
    x += Number(dx)
    y += Number(dy)
    return [x, y]
  })
}

/** A line from the point to the right crosses the ring an odd number of times. */
function contains(ring: readonly [number, number][], x: number, y: number): boolean {
  let isInside = false
  for (const [index, [x1, y1]] of ring.entries()) {
    const [x2, y2] = ring[(index + 1) % ring.length]!
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) isInside = !isInside
  }
  return isInside
}
