import { endpoints } from '@ringfence/contract'
import { apps } from '../apps/index.ts'
import { feature } from '../core/feature.ts'
import { heavyWork } from '../core/heavy-work/index.ts'
import { handle } from '../core/rows.ts'
import { ip } from '../ip/index.ts'
import { telecom } from '../telecom/index.ts'
import { RuleChecks } from './editing/rule-checks.ts'
import {
  addListEntries,
  createList,
  deleteList,
  describeLists,
  lookUpList,
  readList,
  removeListEntries,
} from './lists/list-calls.ts'
import { ListLookUps } from './lists/list-look-ups.ts'
import { Lists } from './lists/lists.ts'
import { dropEndedEntries } from './lists/retention.ts'
import type { RulesDoor } from './room.ts'
import { RuleSets, readTelecom } from './rule-sets.ts'
import { dropVelocityCounts } from './velocities/velocity-retention.ts'

export const rules = feature({
  name: 'rules',
  needs: [apps, telecom, heavyWork, ip],
  open(opening, doors): RulesDoor {
    const { database, tenantKeyring, clock, log, metrics, settings, events, atClose } = opening
    const sets = new RuleSets({ database, tenantKeyring, clock, log, events })
    const checks = new RuleChecks()
    const lookUps = new ListLookUps({
      ...{ database, tenantKeyring, clock, log, metrics },
      mostBytes: settings.listsMemoryMb * 1_000_000,
    })
    atClose(() => lookUps.memory.close())
    atClose(() => checks.close())
    doors.telecom.answers.keptFor(async (tenantId) => {
      if (settings.telecomKnownSeconds === 0 || !(await doors.apps.tenantHasApps(tenantId))) return 0
      return readTelecom(await sets.current(tenantId)) ? settings.telecomKnownSeconds : 0
    })
    const lists = new Lists({ database, tenantKeyring, clock, events })
    return Object.assign(sets, { checks, lookUps, lists })
  },
}).with({
  rows: [
    handle(endpoints.createList, createList),
    handle(endpoints.describeLists, describeLists),
    handle(endpoints.deleteList, deleteList),
    handle(endpoints.addListEntries, addListEntries),
    handle(endpoints.removeListEntries, removeListEntries),
    handle(endpoints.lookUpList, lookUpList),
    handle(endpoints.readList, readList),
  ],
  upkeep: {
    lists: dropEndedEntries,
    velocities: dropVelocityCounts,
  },
})
