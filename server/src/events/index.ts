import { feature, given } from '../core/feature.ts'
import { dropExpiredEvents, keepEventDays } from './retention.ts'
import type { DeliveryDoor } from './room.ts'

export const delivery = given<DeliveryDoor>().as('delivery')

export const eventLog = feature({ name: 'eventLog', needs: [] }).with({
  upkeep: { events: dropExpiredEvents, eventDays: keepEventDays },
})
