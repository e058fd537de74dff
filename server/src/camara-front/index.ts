import { camaraTokenEndpoint } from '@ringfence/contract'
import { clientAssertions } from '../clients/client-assertions.ts'
import { clients } from '../clients/index.ts'
import { feature } from '../feature.ts'
import { idTokens } from '../identity-tokens/index.ts'
import { addresses } from '../servers/index.ts'
import { accessTokens as openAccessTokens } from './access-tokens.ts'
import type { CamaraFrontDoor } from './room.ts'

export const camaraFront = feature({
  name: 'camaraFront',
  needs: [clients, idTokens, addresses],
  open({ database, clock }, doors): CamaraFrontDoor {
    const authAddress = doors.addresses.auth
    const accessTokens = openAccessTokens({ authAddress, keys: doors.idTokens.signingKeys, clock })
    const audiences = () => [accessTokens.issuer(), authAddress() + camaraTokenEndpoint.path]
    return {
      accessTokens,
      assertions: clientAssertions({ database, credentials: doors.clients, clock, audiences }),
    }
  },
})
