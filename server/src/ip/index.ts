import { feature } from '../core/feature.ts'
import { clientAddressBehind } from './client-address.ts'
import { connectionFingerprints } from './connection-fingerprint.ts'
import { crawlerCheck } from './crawlers/crawler-check.ts'
import { hostNames as openHostNames } from './crawlers/host-names.ts'
import { openAddressListLookUp } from './lists/address-list-look-up.ts'
import { openIpLookUp } from './look-up.ts'
import type { IpDoor } from './room.ts'

export const ip = feature({
  name: 'ip',
  needs: [],
  open({ settings, clock, log, atClose }): IpDoor {
    const hostNames = openHostNames(settings)
    atClose(() => hostNames.close())
    return {
      ...openIpLookUp({ settings, log, clock }),
      lists: openAddressListLookUp({ dataFolder: settings.dataFolder, clock, log }),
      crawlers: crawlerCheck({ hostNames, clock, budgetMs: settings.crawlerBudgetMs }),
      clientAddress: clientAddressBehind(settings),
      connectionFingerprint: connectionFingerprints(settings),
    }
  },
})
