import { feature } from '../../core/feature.ts'
import { dropOldBacktests } from './retention.ts'
import type { RuleChangesDoor } from './room.ts'
import { runningBacktests } from './running-backtests.ts'

export const ruleChanges = feature({
  name: 'ruleChanges',
  needs: [],
  open({ atClose }): RuleChangesDoor {
    const running = runningBacktests()
    atClose(running.close)
    return { running }
  },
}).with({
  upkeep: {
    backtests: dropOldBacktests,
  },
})
