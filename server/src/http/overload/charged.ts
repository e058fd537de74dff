// Who pays for the time that a request takes? Its flow, when reading the body and starting the work took longer than most.

import { type Step, take } from '../steps/step.ts'

/** Most requests take less, and nobody looks whose they are. */
const chargedMs = 1

/** Steps as one, which is measured until the first of them waits for something. */
export const charged =
  (...steps: readonly Step[]): Step =>
  (progress, serving) => {
    const { traffic, needs } = serving
    const from = performance.now()
    const taken = take(steps, progress, serving)
    const ms = performance.now() - from
    if (ms > chargedMs) needs.heavyWork.overload.charge(traffic.flowOf(progress.row, progress.request), ms)
    return taken
  }
