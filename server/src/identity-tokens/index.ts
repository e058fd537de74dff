import { keyring } from '../crypto/index.ts'
import { feature } from '../feature.ts'
import { addresses } from '../servers/index.ts'
import { idTokens as openIdTokens } from './id-token.ts'
import type { IdTokensDoor } from './room.ts'
import { SigningKeys } from './signing-keys.ts'

export const idTokens = feature({
  name: 'idTokens',
  needs: [keyring, addresses],
  open({ database, clock, settings }, doors): IdTokensDoor {
    const signingKeys = new SigningKeys({ database, keyring: doors.keyring, clock, settings })
    return { ...openIdTokens({ issuer: doors.addresses.auth, keys: signingKeys, clock }), signingKeys }
  },
})
