// Which features has the service? In the order in which they are opened.

import { accounts } from './accounts/index.ts'
import { doctor } from './admin/doctor/index.ts'
import { admin } from './admin/index.ts'
import { apps } from './apps/index.ts'
import { bots } from './bots/index.ts'
import { camaraFront } from './camara-front/index.ts'
import { clients } from './clients/index.ts'
import type { Upkeep } from './core/feature.ts'
import { heavyWork } from './core/heavy-work/index.ts'
import type { Row } from './core/rows.ts'
import { addresses } from './core/servers/index.ts'
import { telemetry } from './core/telemetry/index.ts'
import { decisions } from './decisions/index.ts'
import { ruleChanges } from './decisions/rule-changes/index.ts'
import { search } from './decisions/search/index.ts'
import { device } from './device/index.ts'
import { compression } from './device/store/index.ts'
import { deviceReport } from './device-report/index.ts'
import { eventLog } from './events/index.ts'
import { site } from './http/index.ts'
import { described } from './http/surface.ts'
import { ip } from './ip/index.ts'
import { legacyApi } from './legacy-api/index.ts'
import { rules } from './rules/index.ts'
import { signIn } from './sign-in/authentication/index.ts'
import { idTokens } from './sign-in/identity-tokens/index.ts'
import { persons } from './sign-in/persons/index.ts'
import { tokens } from './sign-in/tokens/index.ts'
import { telecom } from './telecom/index.ts'
import { upstreams } from './upstream/index.ts'

export const features = [
  ...[telemetry, addresses, heavyWork, upstreams],
  ...[ip, bots, clients, apps, eventLog],
  ...[telecom, compression, device, rules, accounts, deviceReport],
  ...[tokens, idTokens, signIn, persons, legacyApi, decisions, ruleChanges, search],
  ...[doctor, admin, camaraFront, site],
] as const

/** Every endpoint and page, with the paths that are always the same. */
export const rows = features.flatMap((each): readonly Row<never>[] => ('rows' in each ? (each.rows ?? []) : []))

/** What they do every minute, by name. */
export const upkeep: Upkeep<never> = Object.assign({}, ...features.map((each) => ('upkeep' in each ? each.upkeep : {})))

/** What the rows say, without who answers. */
export const surface = described(rows)
