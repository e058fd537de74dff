// How much of the area in which a phone may be is within another circle?

import type { Place } from './subscriber.ts'

const earthRadiusM = 6_371_008

/** The share of the first circle that the second one covers: 1 all of it, 0 nothing. `accuracy`: their radius in metres. */
export function circleOverlap(one: Place, other: Place): number {
  const [r, radius] = [one.accuracy, other.accuracy]
  const d = distanceM(one, other)
  if (d + r <= radius) return 1
  if (d >= r + radius) return 0
  if (d + radius <= r) return (radius / r) ** 2
  return (
    (segment(r, (d * d + r * r - radius * radius) / (2 * d)) +
      segment(radius, (d * d + radius * radius - r * r) / (2 * d))) /
    (Math.PI * r * r)
  )
}

/** Area of the part of a circle beyond a chord that is this far from its centre. */
function segment(radius: number, chord: number): number {
  const c = Math.max(-radius, Math.min(radius, chord))
  return radius * radius * Math.acos(c / radius) - c * Math.sqrt(radius * radius - c * c)
}

function distanceM(one: Place, other: Place): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const [from, to] = [radians(one.latitude), radians(other.latitude)]
  const half = (angle: number) => Math.sin(radians(angle) / 2) ** 2
  const h = half(other.latitude - one.latitude) + Math.cos(from) * Math.cos(to) * half(other.longitude - one.longitude)
  return 2 * earthRadiusM * Math.asin(Math.sqrt(Math.min(1, h)))
}
