// How does a test wait for what happens in the background? For what it does, however slow the machine is.

import assert from 'node:assert/strict'
import { setTimeout as after } from 'node:timers/promises'
import { inspect } from 'node:util'

/** Only what hangs takes longer, on the slowest machine too. */
const hangsAfterMs = 120_000

/** Asks again until the answer holds, and returns that answer. Fails with the last one when it never does. */
export async function until<Answer>(
  ask: () => Answer | Promise<Answer>,
  holds: (answer: Answer) => boolean = Boolean,
): Promise<Answer> {
  for (const giveUpAt = performance.now() + hangsAfterMs; ; await after(10)) {
    const answer = await ask()
    if (holds(answer)) return answer
    if (performance.now() > giveUpAt) assert.fail(`it did not happen: ${inspect(answer)}`)
  }
}
