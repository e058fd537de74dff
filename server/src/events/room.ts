// Who learns what happened? What other rooms may know of receivers.

import type { Core } from '../core/core.ts'
import type { Receivers } from './receivers.ts'
import type { EventStream } from './streams/index.ts'

export interface DeliveryDoor {
  receivers: Receivers
  /** By receiver id. */
  streams: ReadonlyMap<string, EventStream>
}

export interface EventsNeeds extends Core {
  delivery: DeliveryDoor
}
