// Which numbers can a device report? A number outside these bounds is invented, and may not fit into a backend's column.

import Type from 'typebox'

/** The maximum of a WebIDL `long`. */
const maximum = 2 ** 31 - 1

/** Size of the page or the screen. */
export const pixels = (description?: string) =>
  Type.Integer({ minimum: 0, maximum, ...(description !== undefined && { description }) })

/** Pixels from the corner of the first of several screens. */
export const position = () => Type.Integer({ minimum: -maximum, maximum })

/** Display pixels per CSS pixel; with browser zoom about 20 at most. */
export const ratio = (description: string) => Type.Number({ description, minimum: 0, maximum: 100 })

/** Of a time zone: at most a day from UTC. */
export const offsetMinutes = (description: string) => Type.Integer({ description, minimum: -1440, maximum: 1440 })

/** Exact in every language. */
export const bytes = (description: string) =>
  Type.Integer({ description: `${description}, in bytes`, minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

/** A location as phones report it. */
export const whereabouts = {
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
  altitude: Type.Number({ description: 'Metres' }),
  accuracyMeters: Type.Number(),
  ageSeconds: Type.Number(),
}
