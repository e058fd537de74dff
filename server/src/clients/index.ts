import { keyring } from '../crypto/index.ts'
import { feature } from '../feature.ts'
import { Credentials } from './credentials.ts'

export const clients = feature({
  name: 'clients',
  needs: [keyring],
  open: ({ database, clock, log }, doors) => new Credentials({ database, keyring: doors.keyring, clock, log }),
})
