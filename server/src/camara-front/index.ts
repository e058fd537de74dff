import { camaraTokenEndpoint } from '@ringfence/contract'
import { apps } from '../apps/index.ts'
import { bots } from '../bots/index.ts'
import { clientAssertions } from '../clients/client-assertions.ts'
import { clients } from '../clients/index.ts'
import { feature } from '../core/feature.ts'
import { heavyWork } from '../core/heavy-work/index.ts'
import { addresses, keyring } from '../core/servers/index.ts'
import { telemetry } from '../core/telemetry/index.ts'
import { device } from '../device/index.ts'
import { compression } from '../device/store/index.ts'
import { ip } from '../ip/index.ts'
import { rules } from '../rules/index.ts'
import { signIn } from '../sign-in/authentication/index.ts'
import { idTokens } from '../sign-in/identity-tokens/index.ts'
import { telecom } from '../telecom/index.ts'
import { accessTokens as openAccessTokens } from './access-tokens.ts'
import { camaraSurface } from './camara-surface.ts'
import type { CamaraFrontDoor } from './room.ts'

export const camaraFront = feature({
  name: 'camaraFront',
  needs: [
    keyring,
    addresses,
    telemetry,
    heavyWork,
    ip,
    bots,
    clients,
    apps,
    telecom,
    rules,
    compression,
    device,
    idTokens,
    signIn,
  ],
  open({ database, clock }, doors): CamaraFrontDoor {
    const authAddress = doors.addresses.auth
    const accessTokens = openAccessTokens({ authAddress, keys: doors.idTokens.signingKeys, clock })
    const audiences = () => [accessTokens.issuer(), authAddress() + camaraTokenEndpoint.path]
    return {
      accessTokens,
      assertions: clientAssertions({ database, credentials: doors.clients, clock, audiences }),
    }
  },
}).with({ rows: camaraSurface })
