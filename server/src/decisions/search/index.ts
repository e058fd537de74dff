import { endpoints } from '@ringfence/contract'
import { feature } from '../../core/feature.ts'
import { handle } from '../../core/rows.ts'
import { compression } from '../../device/store/index.ts'
import { searchEvents } from './search-events.ts'

export const search = feature({
  name: 'search',
  needs: [compression],
}).with({ rows: [handle(endpoints.searchEvents, searchEvents)] })
