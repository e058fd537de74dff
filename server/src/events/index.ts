import { given } from '../core/feature.ts'
import type { DeliveryDoor } from './room.ts'

export const delivery = given<DeliveryDoor>().as('delivery')
