// Which sign-ins are in progress in this process?
package ringfence.signin

import java.util.concurrent.FutureTask

/** A sign-in. `fingerprint`: the dfrId of an ASYNC one; null in it, if there was no fingerprint. */
internal class PendingSignIn(
  val transactionId: String,
  val fingerprint: FutureTask<String?>? = null,
)

private const val MAX_COUNT = 5

/** The last few sign-ins, in the order in which they were started. */
internal class PendingSignIns {
  private val signIns = ArrayList<PendingSignIn>()

  /**
   * The sign-in with this id, or without an id the last one. A sign-in that another process started
   * has no fingerprint here: the service finds that of its session.
   */
  @Synchronized
  fun of(transactionId: String?): PendingSignIn? =
    if (transactionId == null) signIns.lastOrNull()
    else signIns.findLast { it.transactionId == transactionId } ?: PendingSignIn(transactionId)

  @Synchronized
  fun add(signIn: PendingSignIn) {
    forget(signIn.transactionId)
    signIns.add(signIn)
    if (signIns.size > MAX_COUNT) signIns.removeAt(0)
  }

  @Synchronized
  fun forget(transactionId: String) {
    signIns.filter { it.transactionId == transactionId }.forEach(signIns::remove)
  }
}
