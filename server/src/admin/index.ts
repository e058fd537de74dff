import { keyring } from '../crypto/index.ts'
import { feature, given } from '../feature.ts'
import { addresses, servers } from '../servers/index.ts'
import { audit as openAudit } from './audit/audit.ts'
import type { AuditedDatabase } from './audit/audited-database.ts'
import { liveStreams as openLiveStreams } from './live/live-streams.ts'
import { Passkeys } from './passkeys/passkeys.ts'
import { People } from './people/people.ts'
import type { AdminDoor } from './room.ts'
import { ssoProviders } from './sso/provider.ts'

/** The store whose changes have their audit line in the same transaction. */
export const auditing = given<AuditedDatabase>().as('auditing')

export const admin = feature({
  name: 'admin',
  needs: [auditing, keyring, servers, addresses],
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
})
