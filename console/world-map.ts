// Where is land? The outlines of Natural Earth (public domain, by way of world-atlas) as one SVG path, made when the console is built.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

interface Topology {
  readonly transform: { readonly scale: Point; readonly translate: Point }
  readonly arcs: readonly (readonly Point[])[]
  readonly objects: { readonly land: { readonly geometries: readonly { readonly arcs: number[][][] }[] } }
}
type Point = readonly [number, number]

/** Below it is only Antarctica, which has no subscribers. */
const southernmost = -60
/** Units of the path per degree. */
const unitsPerDegree = 10

/** Equirectangular: x is 10 times the longitude from -180 on, y is 10 times the latitude from 90 down. */
export function landPath(): string {
  const file = createRequire(import.meta.url).resolve('world-atlas/land-110m.json')
  const { arcs, transform, objects }: Topology = JSON.parse(readFileSync(file, 'utf8'))
  const lines = arcs.map((arc) => pointsOf(arc, transform))
  const rings = objects.land.geometries.flatMap((geometry) => geometry.arcs.flat())
  return rings
    .map((ring) => ring.flatMap((arc) => (arc < 0 ? lines[~arc]!.toReversed() : lines[arc]!)))
    .filter((ring) => ring.some(([, latitude]) => latitude > southernmost))
    .map(pathOf)
    .join('')
}

/** Arcs of TopoJSON are steps from point to point, in whole numbers. */
function pointsOf(arc: readonly Point[], { scale, translate }: Topology['transform']): Point[] {
  let [x, y] = [0, 0]
  return arc.map(([dx, dy]): Point => {
    x += dx
    y += dy
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]]
  })
}

function pathOf(ring: readonly Point[]): string {
  const points = ring.map(
    ([longitude, latitude]): Point => [
      Math.round((longitude + 180) * unitsPerDegree),
      Math.round((90 - latitude) * unitsPerDegree),
    ],
  )
  const [[startX, startY], ...others] = points as [Point, ...Point[]]
  let [x, y] = [startX, startY]
  let path = `M${x} ${y}`
  for (const [nextX, nextY] of others) {
    if (nextX === x && nextY === y) continue
    path += `l${nextX - x} ${nextY - y}`
    x = nextX
    y = nextY
  }
  return `${path}z`
}
