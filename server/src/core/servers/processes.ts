// How many processes share the port of this service?

import { availableParallelism } from 'node:os'
import type { Settings } from '../config/settings.ts'

/** `auto`: one of each core. */
export const processesOf = ({ workers }: Pick<Settings, 'workers'>): number =>
  workers === 'auto' ? availableParallelism() : Number(workers)
