import { apps } from '../apps/index.ts'
import { bots } from '../bots/index.ts'
import { clients } from '../clients/index.ts'
import { feature, given } from '../core/feature.ts'
import { heavyWork } from '../core/heavy-work/index.ts'
import { addresses, keyring, servers } from '../core/servers/index.ts'
import { telemetry } from '../core/telemetry/index.ts'
import { ruleChanges } from '../decisions/rule-changes/index.ts'
import { device } from '../device/index.ts'
import { compression } from '../device/store/index.ts'
import { delivery } from '../events/index.ts'
import { ip } from '../ip/index.ts'
import { rules } from '../rules/index.ts'
import { signIn } from '../sign-in/authentication/index.ts'
import { idTokens } from '../sign-in/identity-tokens/index.ts'
import { telecom } from '../telecom/index.ts'
import { upstreams } from '../upstream/index.ts'
import { adminSurface } from './admin-surface.ts'
import { audit as openAudit } from './audit/audit.ts'
import type { AuditedDatabase } from './audit/audited-database.ts'
import { dropEndedCalls } from './changes/idempotent-call.ts'
import { removeRequestedDemos } from './demo/remove-demo.ts'
import { doctor } from './doctor/index.ts'
import { liveStreams as openLiveStreams } from './live/live-streams.ts'
import { dropOldActivity } from './overview/count-activity.ts'
import { Passkeys } from './passkeys/passkeys.ts'
import { People } from './people/people.ts'
import { dropEndedSessions } from './people/retention.ts'
import type { AdminDoor } from './room.ts'
import { ssoProviders } from './sso/provider.ts'

/** The store whose changes have their audit line in the same transaction. */
export const auditing = given<AuditedDatabase>().as('auditing')

export const admin = feature({
  name: 'admin',
  needs: [
    auditing,
    keyring,
    servers,
    addresses,
    telemetry,
    heavyWork,
    upstreams,
    delivery,
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
    ruleChanges,
    doctor,
  ],
  open({ tenantKeyring, clock, log, settings, atClose }, doors): AdminDoor {
    const database = doors.auditing
    const { requestCounts } = doors.servers
    const audit = openAudit({ database, tenantKeyring, clock })
    const sso = ssoProviders({ clock, settings, requestCounts })
    atClose(sso.close)
    const liveStreams = openLiveStreams({ database, tenantKeyring, clock, log })
    atClose(liveStreams.close)
    return {
      audit,
      people: new People({ database, keyring: doors.keyring, clock, audit, requestCounts }),
      passkeys: new Passkeys({
        database,
        keyring: doors.keyring,
        clock,
        requestCounts,
        baseAddress: doors.addresses.base,
      }),
      sso,
      liveStreams,
    }
  },
}).with({
  rows: adminSurface,
  upkeep: {
    activity: dropOldActivity,
    'console sessions': dropEndedSessions,
    'calls of the admin API': dropEndedCalls,
    demo: removeRequestedDemos,
  },
})
