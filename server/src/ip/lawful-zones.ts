// Which time zones may a device have where its IP address is? Those around the place, and those of places with several clocks.

import zoneAt from '@photostructure/tz-lookup'
import type { Network } from '@ringfence/contract'
import { clocksOfPlaces } from '../core/dated-data/clocks-of-places.ts'
import { currentTimeZoneName } from '../core/places/time-zone-name.ts'
import { zonesOfCountry } from '../core/places/zones-of-country.ts'
import { isMobileNetwork } from './mobile-network.ts'

/** With a larger radius, the IP address may be anywhere in its country. */
const vagueRadiusKm = 500
/** A city is known to about this distance, so people across the border of a zone have its IP addresses too. */
const leastRadiusKm = 50
const kmPerDegree = 111.2

/** IANA names. Zones around a place are those of its country: the clock of another country is not lawful there. */
export function lawfulZones(network: Network): readonly string[] {
  const { timezone, ipLocation } = network
  const { accuracyRadius = 0, country, subdivisions } = ipLocation
  const ofCountry = country ? zonesOfCountry(country.code) : []
  const isVague = accuracyRadius > vagueRadiusKm || isMobileNetwork(network)
  const around = isVague ? ofCountry : zonesAround(network).filter((zone) => ofCountry.includes(zone))
  const zones = new Set([...(timezone === undefined ? [] : [timezone]), ...around].map(currentTimeZoneName))
  const region = [subdivisions?.code, subdivisions?.name]
  for (const { at, regions, clocks } of clocksOfPlaces.current().places) {
    if (regions && !regions.some((each) => region.includes(each))) continue
    if (at.some((zone) => zones.has(zone))) for (const clock of clocks) zones.add(clock)
  }
  return [...zones]
}

/** The zones at the place, and at eight points around it. */
function zonesAround({ ipLocation }: Network): string[] {
  const { latitude, longitude, accuracyRadius = 0 } = ipLocation
  if (latitude === undefined || longitude === undefined) return []
  const radius = Math.max(accuracyRadius, leastRadiusKm) / kmPerDegree
  const points = Array.from({ length: 8 }, (_, eighth) => {
    const angle = (eighth * Math.PI) / 4
    const north = Math.max(-90, Math.min(90, latitude + radius * Math.sin(angle)))
    const east = longitude + (radius * Math.cos(angle)) / Math.max(0.01, Math.cos((latitude * Math.PI) / 180))
    return [north, ((east + 540) % 360) - 180] as const
  })
  return [[latitude, longitude] as const, ...points].map(([north, east]) => zoneAt(north, east))
}
