// How does a sign-in get its device fingerprint? From device intelligence, if the app uses it.
// (specification 4.7, rule 5)
package ringfence.signin

import java.util.concurrent.FutureTask
import java.util.concurrent.TimeoutException
import ringfence.core.FetchInput
import ringfence.core.IntelligenceClient
import ringfence.core.await
import ringfence.core.threadPool

/**
 * The fingerprints of sign-ins. None fails: a sign-in continues without a dfrId, and the log says
 * why.
 */
internal class Fingerprints(
  private val client: IntelligenceClient?,
  private val limitMillis: Long,
  private val log: (String) -> Unit,
) {
  private val pool = threadPool(2)

  /** Takes a fingerprint in the background. Null: too many are in flight. */
  fun begin(request: SignInRequest): FutureTask<String?>? =
    try {
      FutureTask { take(request) }.also(pool::execute)
    } catch (error: Throwable) {
      none(error.toString())
      null
    }

  /** Waits for a fingerprint. */
  fun take(request: SignInRequest): String? {
    if (client == null) return none("device intelligence is not linked")
    if (!client.isInitialized) return none("device intelligence is not initialised")
    return try {
      client.begin(FetchInput(request.params, request.updateInfo)).await(limitMillis).dfrId
    } catch (_: TimeoutException) {
      none("it took longer than $limitMillis ms")
    } catch (error: Throwable) {
      none(error.message ?: error.toString())
    }
  }

  private fun none(reason: String): String? {
    log("signing in without a device fingerprint: $reason")
    return null
  }
}
