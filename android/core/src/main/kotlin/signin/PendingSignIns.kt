// Which sign-ins has this app started? It finishes no others: an attacker's URL would sign the
// person in as the attacker.
package ringfence.signin

import java.util.concurrent.FutureTask
import kotlin.math.abs
import ringfence.core.Clock
import ringfence.core.ForgivingStorage

/**
 * A sign-in. `codeVerifier` must come with the code of its return URL. `owner`: the app and service
 * of it. `fingerprint`: the dfrId of an ASYNC one; null in it, if there was no fingerprint. In
 * another process the service finds that of its session.
 */
internal class PendingSignIn(
  val transactionId: String,
  val codeVerifier: String,
  val startedAt: Long,
  val owner: String,
  val fingerprint: FutureTask<String?>?,
)

/**
 * The last few sign-ins, in the order in which they were started. They outlive the process, because
 * Android may end it while the person is in the browser.
 */
internal class PendingSignIns(private val storage: ForgivingStorage, private val clock: Clock) {
  /** Those of this process do not age: the clock may be set before the person is back. */
  private val ofProcess = HashMap<String, PendingSignIn>()

  /** What a full disk, for example, did not take. Those that it has are older. */
  private var unstored: List<PendingSignIn>? = null

  /** The sign-in of the owner with this id, or without an id the last one. */
  @Synchronized
  fun of(transactionId: String?, owner: String): PendingSignIn? =
    all().lastOrNull {
      it.owner == owner && (transactionId == null || it.transactionId == transactionId)
    }

  @Synchronized
  fun add(
    transactionId: String,
    codeVerifier: String,
    owner: String,
    fingerprint: FutureTask<String?>?,
  ) {
    val signIn = PendingSignIn(transactionId, codeVerifier, clock.now(), owner, fingerprint)
    ofProcess[transactionId] = signIn
    replace(transactionId, listOf(signIn))
  }

  @Synchronized fun forget(transactionId: String) = replace(transactionId, emptyList())

  /** Under a lock, because other processes of the app add and forget theirs. */
  private fun replace(transactionId: String, by: List<PendingSignIn>) =
    storage.locked(NAME) {
      val others = all().filter { it.transactionId != transactionId }
      val signIns = (others + by).takeLast(MAX_COUNT)
      ofProcess.keys.retainAll(signIns.map { it.transactionId }.toSet())
      val lines =
        signIns.map { "${it.transactionId} ${it.codeVerifier} ${it.startedAt} ${it.owner}" }
      unstored = signIns.takeUnless { storage.store(NAME, lines.joinToString("\n")) }
    }

  private fun all(): List<PendingSignIn> = unstored ?: read()

  private fun read(): List<PendingSignIn> =
    storage.text(NAME).orEmpty().split('\n').mapNotNull { line ->
      val parts = line.split(' ', limit = 4)
      val startedAt = parts.getOrNull(2)?.toLongOrNull()
      if (startedAt == null || parts.size < 4) null
      else
        ofProcess[parts[0]]
          ?: PendingSignIn(parts[0], parts[1], startedAt, parts[3], null).takeIf {
            abs(clock.now() - startedAt) < LIFETIME_MILLIS
          }
    }
}

private const val NAME = "signIns"
private const val MAX_COUNT = 5

/** No sign-in takes longer. */
private const val LIFETIME_MILLIS = 86_400_000L
