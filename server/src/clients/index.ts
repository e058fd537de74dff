import { keyring } from '../crypto/index.ts'
import { feature } from '../feature.ts'
import { credentials } from './credentials.ts'

export const clients = feature({
  name: 'clients',
  needs: [keyring],
  open: ({ database, clock, log }, doors) => credentials({ database, keyring: doors.keyring, clock, log }),
})
