import { feature } from '../feature.ts'
import { Overload } from './overload.ts'
import type { HeavyWorkDoor } from './room.ts'
import { Slices } from './slices.ts'
import { turns } from './turns.ts'

export const heavyWork = feature({
  name: 'heavyWork',
  needs: [],
  open({ settings }): HeavyWorkDoor {
    const overload = new Overload({ delayMs: settings.overloadDelayMs })
    return {
      overload,
      answerTurns: turns(1, overload),
      slices: new Slices({ requestsWaiting: () => overload.waiting() }),
    }
  },
})
