// Which features has the service? In the order in which they are opened.

import { admin } from './admin/index.ts'
import { apps } from './apps/index.ts'
import { signIn } from './authentication/index.ts'
import { bots } from './bots/index.ts'
import { camaraFront } from './camara-front/index.ts'
import { clients } from './clients/index.ts'
import { device } from './device/index.ts'
import { doctor } from './doctor/index.ts'
import { heavyWork } from './heavy-work/index.ts'
import { site } from './http/index.ts'
import { idTokens } from './identity-tokens/index.ts'
import { ip } from './ip/index.ts'
import { ruleChanges } from './rule-changes/index.ts'
import { rules } from './rules/index.ts'
import { addresses } from './servers/index.ts'
import { telecom } from './telecom/index.ts'
import { telemetry } from './telemetry/index.ts'
import { upstreams } from './upstream/index.ts'

export const features = [
  ...[telemetry, addresses, heavyWork, upstreams],
  ...[ip, bots, clients, apps],
  ...[telecom, rules, device],
  ...[idTokens, signIn, ruleChanges],
  ...[doctor, admin, camaraFront, site],
] as const
