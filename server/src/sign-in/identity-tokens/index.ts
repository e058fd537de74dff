import { feature } from '../../core/feature.ts'
import { page } from '../../core/rows.ts'
import { addresses, keyring } from '../../core/servers/index.ts'
import { authorizationPage, authorizationPath, discoveryPage, discoveryPath, keysPage, keysPath } from './discovery.ts'
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
}).with({
  rows: [
    page(discoveryPath, 'anyone', discoveryPage),
    page(keysPath, 'anyone', keysPage),
    page(authorizationPath, 'anyone', authorizationPage),
  ],
  upkeep: {
    'signing keys': ({ idTokens }) => idTokens.signingKeys.rotateWhenDue(),
  },
})
