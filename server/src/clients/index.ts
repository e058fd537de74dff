import { feature } from '../core/feature.ts'
import { keyring } from '../servers/index.ts'
import { Credentials } from './credentials.ts'

export const clients = feature({
  name: 'clients',
  needs: [keyring],
  open: ({ database, clock, log }, doors) => new Credentials({ database, keyring: doors.keyring, clock, log }),
})
