// What is a step of a request? It adds to what is known of it, or refuses it; some wait for others.

import type { Connections } from '../connections/bounds.ts'
import type { Admission } from '../credentials/admission.ts'
import type { Traffic } from '../overload/traffic.ts'
import type { Progress } from '../progress.ts'
import type { HttpNeeds } from '../room.ts'
import type { Rows } from '../rows.ts'
import type { OpenStreams } from '../streams/event-stream.ts'
import type { Lines } from '../streams/lines.ts'

/** What the requests of a server share. */
export interface Serving {
  readonly needs: HttpNeeds
  readonly rows: Rows
  readonly traffic: Traffic
  readonly admission: Admission
  readonly connections: Connections
  readonly streams: OpenStreams
  readonly lines: Lines
}

/** Throws a Refusal, or anything else for a failure that is unexpected. */
export type Step = (progress: Progress, serving: Serving) => void | Promise<void>

export type StepAtOnce = (progress: Progress, serving: Serving) => void

/** Until the first step that throws. Without a wait between steps that need none. */
export async function take(steps: readonly Step[], progress: Progress, serving: Serving): Promise<void> {
  for (const step of steps) {
    const waiting = step(progress, serving)
    if (waiting) await waiting
  }
}
