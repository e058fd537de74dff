import { apps } from '../apps/index.ts'
import { feature } from '../feature.ts'
import { telecom } from '../telecom/index.ts'
import { ruleChecks } from './editing/rule-checks.ts'
import { listLookUps } from './lists/list-look-ups.ts'
import { lists } from './lists/lists.ts'
import type { RulesDoor } from './room.ts'
import { readTelecom, ruleSets } from './rule-sets.ts'

export const rules = feature({
  name: 'rules',
  needs: [apps, telecom],
  open(opening, doors): RulesDoor {
    const { database, tenantKeyring, clock, log, metrics, settings, events, atClose } = opening
    const sets = ruleSets({ database, tenantKeyring, clock, log, events })
    const checks = ruleChecks()
    const lookUps = listLookUps({
      ...{ database, tenantKeyring, clock, log, metrics },
      mostBytes: settings.listsMemoryMb * 1_000_000,
    })
    atClose(lookUps.close)
    atClose(checks.close)
    doors.telecom.answers.keptFor(async (tenantId) => {
      if (settings.telecomKnownSeconds === 0 || !(await doors.apps.tenantHasApps(tenantId))) return 0
      return readTelecom(await sets.current(tenantId)) ? settings.telecomKnownSeconds : 0
    })
    return { ...sets, checks, lookUps, lists: lists({ database, tenantKeyring, clock, events }) }
  },
})
