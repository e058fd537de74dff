// Which time does an RFC 3339 text of the admin API mean?

import { Refusal } from '../camara/errors.ts'
import { dateTime } from '../lines.ts'

/** The schema accepts a leap second and 30 February, but JavaScript's dates do not. */
export function readDateTime(field: string, text: string): string {
  const epochMs = Date.parse(text)
  if (Number.isNaN(epochMs)) throw new Refusal('invalidArgument', `${field} must be a date that exists.`)
  return dateTime(epochMs)
}
