// Can one person have been at both places? Distance and speed between two sessions of an account.

import type { RuleInput } from '../rules/language/vocabulary.ts'

export interface Place {
  /** Degrees. */
  readonly latitude: number
  readonly longitude: number
  /** The person is probably within this many kilometres. */
  readonly radiusKm: number
}

/** A place at a time, in epoch milliseconds. */
export interface PlaceAt {
  readonly place: Place
  readonly at: number
}

/** Airliners fly at 900 km/h, and time is lost at both ends. */
const fastestKmh = 1000
/** IP addresses of one town can be located this far apart, whatever their accuracy radius says. */
const nearKm = 300
/** Clocks of two servers differ, and two sessions can begin at once. */
const leastMs = 60_000
const earthRadiusKm = 6371
const hourMs = 3_600_000

type Travel = NonNullable<NonNullable<RuleInput['account']>['travel']>

/**
 * From one session to another, whichever was first: distance less both accuracy radii (km), and the speed that it takes (km/h).
 * `impossible` is absent when `isEstablished`: a device that the account has had for days proves its key, so the IP address is misplaced.
 */
export function travelBetween(before: PlaceAt, here: PlaceAt, { isEstablished }: { isEstablished: boolean }): Travel {
  const apart = greatCircleKm(before.place, here.place) - before.place.radiusKm - here.place.radiusKm
  const distanceKm = Math.max(0, Math.round(apart))
  const speedKmh = Math.round(distanceKm / (Math.max(leastMs, Math.abs(here.at - before.at)) / hourMs))
  return {
    distanceKm,
    speedKmh,
    ...(!isEstablished && { impossible: distanceKm >= nearKm && speedKmh > fastestKmh }),
  }
}

/** The haversine formula, on a sphere. */
function greatCircleKm(one: Omit<Place, 'radiusKm'>, other: Omit<Place, 'radiusKm'>): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const [latitude, otherLatitude] = [radians(one.latitude), radians(other.latitude)]
  const half = (difference: number) => Math.sin(difference / 2) ** 2
  const square =
    half(otherLatitude - latitude) +
    Math.cos(latitude) * Math.cos(otherLatitude) * half(radians(other.longitude - one.longitude))
  return 2 * earthRadiusKm * Math.asin(Math.min(1, Math.sqrt(square)))
}
