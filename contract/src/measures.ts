// Which numbers can a device tell of itself? What lies outside was made up, and would not fit where backends keep it.

import Type from 'typebox'

/** Of a `long` of WebIDL. */
const maximum = 2 ** 31 - 1

/** Of the page or the screen. */
export const pixels = (description?: string) =>
  Type.Integer({ minimum: 0, maximum, ...(description !== undefined && { description }) })

/** On a desktop of several screens, pixels from the corner of the first. */
export const position = () => Type.Integer({ minimum: -maximum, maximum })

/** Pixels of the display for one of the page; with the zoom of a browser some 20 at most. */
export const ratio = (description: string) => Type.Number({ description, minimum: 0, maximum: 100 })

/** Of a zone: no farther from UTC than a day. */
export const offsetMinutes = (description: string) => Type.Integer({ description, minimum: -1440, maximum: 1440 })

/** Counted exactly by every language. */
export const bytes = (description: string) =>
  Type.Integer({ description: `${description}, bytes`, minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

/** A place, as phones tell it. */
export const whereabouts = {
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
  altitude: Type.Number({ description: 'Metres' }),
  accuracyMeters: Type.Number(),
  ageSeconds: Type.Number(),
}
