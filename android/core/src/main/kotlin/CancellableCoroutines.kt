// Does anybody still wait for a result? A coroutine of kotlinx can be cancelled. The SDK does not
// depend on it, and an app without it has none.
package ringfence.core

import java.util.concurrent.CancellationException
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.suspendCancellableCoroutine

/** False: the app does not have kotlinx.coroutines. */
internal val areCancellable: Boolean =
  try {
    CancellableCoroutines.isThere
  } catch (_: LinkageError) {
    false
  }

/** A class of its own, because it cannot be loaded without kotlinx.coroutines. */
internal object CancellableCoroutines {
  val isThere: Boolean = CancellableContinuation::class.java.isInterface

  suspend fun <Value> await(
    background: Background,
    work: (isCancelled: () -> Boolean) -> Value,
  ): Result<Value> = suspendCancellableCoroutine { begin(background, work, it) }

  private fun <Value> begin(
    background: Background,
    work: (isCancelled: () -> Boolean) -> Value,
    waiting: CancellableContinuation<Result<Value>>,
  ) {
    val isCancelled = { waiting.isCancelled }
    background.resume({ throwIfCancelled(isCancelled).let { work(isCancelled) } }, waiting)
  }
}

/** Before something that a person would notice. Nobody sees the exception. */
internal fun throwIfCancelled(isCancelled: () -> Boolean) {
  if (isCancelled()) throw CancellationException("the app waits no longer")
}
