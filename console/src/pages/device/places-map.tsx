// Where did the visits come from? A map with a mark for each place, and the same as a list.

import { land } from 'virtual:land'
import type { ShownPlace } from '../../api/types.ts'
import { country } from '../../parts/values/format.ts'
import { Time } from '../../parts/values/time.tsx'
import { frameOf, xOf, yOf } from './map-frame.ts'
import './device.css'

const placeName = ({ city, country: code }: ShownPlace) =>
  [city, country(code)].filter((part) => part !== undefined).join(', ') || 'Not known'

export function PlacesMap({ places }: { places: readonly ShownPlace[] }) {
  const { x, y, width, height } = frameOf(places)
  const most = Math.max(...places.map(({ visits }) => visits))
  return (
    <>
      <svg className="map" viewBox={`${x} ${y} ${width} ${height}`} role="img" aria-label="Map of the places below">
        <path className="map-land" d={land} />
        {places.toReversed().map((place) => (
          <circle
            key={`${place.latitude} ${place.longitude} ${place.city}`}
            className={place === places[0] ? 'map-spot newest' : 'map-spot'}
            cx={xOf(place.longitude)}
            cy={yOf(place.latitude)}
            r={width * (0.009 + 0.011 * Math.sqrt(place.visits / most))}
          />
        ))}
      </svg>
      <ul className="places">
        {places.map((place) => (
          <li key={`${place.latitude} ${place.longitude} ${place.city}`}>
            <span>{placeName(place)}</span>
            <span className="dim figures">
              {place.visits} {place.visits === 1 ? 'visit' : 'visits'}
            </span>
            <span className="dim">
              <Time at={place.lastSeenAt} />
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
