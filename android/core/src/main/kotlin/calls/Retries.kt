// When is a call retried? (specification 4.7, rule 3)
package ringfence.core.calls

import ringfence.core.Clock

/** Milliseconds between the four attempts. */
private val waits = listOf(500L, 1_000L, 2_000L)

/** At most four attempts. A final refusal of the service is not retried. */
internal fun <Value> withRetries(clock: Clock, attempt: () -> Value): Value {
  for (millis in waits) {
    try {
      return attempt()
    } catch (error: ServiceException) {
      if (error.isFinal) throw error
    }
    clock.sleep(millis)
  }
  return attempt()
}
