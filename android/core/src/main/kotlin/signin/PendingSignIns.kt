// Which sign-ins has this app started? It finishes no others: an attacker's URL would sign the
// person in as the attacker.
package ringfence.signin

import java.util.concurrent.FutureTask
import ringfence.core.Clock
import ringfence.core.ForgivingStorage

/**
 * A sign-in. `codeVerifier` must come with the code of its return URL. `fingerprint`: the dfrId of
 * an ASYNC one; null in it, if there was no fingerprint. In another process the service finds that
 * of its session.
 */
internal class PendingSignIn(
  val transactionId: String,
  val codeVerifier: String,
  val startedAt: Long,
  val fingerprint: FutureTask<String?>?,
)

/**
 * The last few sign-ins, in the order in which they were started. They outlive the process, because
 * Android may end it while the person is in the browser.
 */
internal class PendingSignIns(private val storage: ForgivingStorage, private val clock: Clock) {
  private var known: List<PendingSignIn>? = null

  /** The sign-in with this id, or without an id the last one. */
  @Synchronized
  fun of(transactionId: String?): PendingSignIn? =
    others(null).lastOrNull { transactionId == null || it.transactionId == transactionId }

  @Synchronized
  fun add(transactionId: String, codeVerifier: String, fingerprint: FutureTask<String?>?) {
    val signIn = PendingSignIn(transactionId, codeVerifier, clock.now(), fingerprint)
    store((others(transactionId) + signIn).takeLast(MAX_COUNT))
  }

  @Synchronized fun forget(transactionId: String) = store(others(transactionId))

  private fun others(transactionId: String?): List<PendingSignIn> =
    (known ?: read()).filter {
      it.transactionId != transactionId && clock.now() - it.startedAt < LIFETIME_MILLIS
    }

  private fun store(signIns: List<PendingSignIn>) {
    known = signIns
    val text =
      signIns.joinToString("\n") { "${it.transactionId} ${it.codeVerifier} ${it.startedAt}" }
    storage.store(NAME, text)
  }

  private fun read(): List<PendingSignIn> =
    storage.text(NAME).orEmpty().split('\n').mapNotNull { line ->
      val parts = line.split(' ')
      val startedAt = parts.getOrNull(2)?.toLongOrNull()
      startedAt?.let { PendingSignIn(parts[0], parts[1], it, null) }
    }
}

private const val NAME = "signIns"
private const val MAX_COUNT = 5

/** No sign-in takes longer. */
private const val LIFETIME_MILLIS = 86_400_000L
