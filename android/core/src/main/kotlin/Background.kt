// On which threads does the SDK work? On its own: never on the caller's.
package ringfence.core

import java.util.concurrent.ExecutionException
import java.util.concurrent.Executor
import java.util.concurrent.Executors
import java.util.concurrent.FutureTask
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.ThreadFactory
import java.util.concurrent.ThreadPoolExecutor
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException
import kotlin.coroutines.resume
import kotlin.coroutines.suspendCoroutine

private val daemonThreads = ThreadFactory { work ->
  Thread(work, "ringfence").apply { isDaemon = true }
}

/** For results, so that an app may block in its callback; and for work with a time limit. */
private val threads = Executors.newCachedThreadPool(daemonThreads)

/** Runs at most `size` works at once. More of them wait; a thread without work ends. */
internal fun threadPool(size: Int): Executor =
  ThreadPoolExecutor(size, size, 10, TimeUnit.SECONDS, LinkedBlockingQueue(256), daemonThreads)
    .apply { allowCoreThreadTimeOut(true) }

/**
 * Work of the SDK, one piece after the other or a few at once. No call waits for it, and `run`
 * never throws.
 */
internal class Background(size: Int, private val log: (String) -> Unit) {
  private val pool = threadPool(size)

  /** Throws RejectedExecutionException when too much work is waiting. */
  fun execute(work: Runnable): Unit = pool.execute(work)

  /** Calls `done` once, on a background thread. */
  fun <Value> run(work: () -> Value, done: (Result<Value>) -> Unit) {
    orLog {
      try {
        pool.execute {
          val result = runCatching(work)
          orLog { threads.execute { done(result) } }
        }
      } catch (error: Throwable) { // too much work is waiting, or the system has no more threads
        threads.execute { done(Result.failure(error)) }
      }
    }
  }

  /** The same for coroutines. A cancelled one does not wait, and the work can ask for that. */
  suspend fun <Value> await(work: (isCancelled: () -> Boolean) -> Value): Result<Value> =
    if (areCancellable) CancellableCoroutines.await(this, work)
    else suspendCoroutine { continuation -> run({ work { false } }) { continuation.resume(it) } }

  private fun orLog(work: () -> Unit) {
    try {
      work()
    } catch (error: Throwable) {
      log("no thread for a result: $error")
    }
  }
}

/**
 * The result of the work, or its error. Throws TimeoutException after the limit; the work is not
 * stopped.
 */
internal fun <Value> within(limitMillis: Long, work: () -> Value): Value =
  FutureTask(work).also { threads.execute(it) }.await(limitMillis)

/** As `within`, for work that has begun. */
internal fun <Value> FutureTask<Value>.await(limitMillis: Long): Value =
  try {
    get(maxOf(0, limitMillis), TimeUnit.MILLISECONDS)
  } catch (error: ExecutionException) {
    throw error.cause ?: error
  }

/** The result of the work, or null after the limit or when it fails. */
internal fun <Value> withinOrNull(limitMillis: Long, work: () -> Value?): Value? =
  try {
    within(limitMillis, work)
  } catch (_: TimeoutException) {
    null
  }
