// Which fields of the report and of secure info has something shown? One row for each cause, with its source.

import { androidCauses } from './android.ts'
import { browserCauses } from './browsers.ts'
import type { Cause } from './cause.ts'
import { iosCauses } from './ios.ts'
import { networkCauses } from './networks.ts'

/** Every cause by its name. */
export const causes: Readonly<Record<string, Cause>> = {
  ...browserCauses,
  ...networkCauses,
  ...iosCauses,
  ...androidCauses,
}
export type { Cause } from './cause.ts'
