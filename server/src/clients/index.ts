import { feature } from '../core/feature.ts'
import { keyring } from '../core/servers/index.ts'
import { dropAssertions } from './assertion-retention.ts'
import { Credentials } from './credentials.ts'

export const clients = feature({
  name: 'clients',
  needs: [keyring],
  open: ({ database, clock, log }, doors) => new Credentials({ database, keyring: doors.keyring, clock, log }),
}).with({
  upkeep: {
    'assertions of clients': dropAssertions,
  },
})
