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
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.coroutines.Continuation
import kotlin.coroutines.resume
import kotlin.coroutines.suspendCoroutine
import ringfence.core.calls.ServiceException
import ringfence.core.calls.withCause

private val daemonThreads =
  object : ThreadFactory {
    override fun newThread(work: Runnable) = Thread(work, "ringfence").apply { isDaemon = true }
  }

/** A class of its own, so that a caller does not load it. */
private object Threads {
  /** For results, so that an app may block in its callback; and for work with a time limit. */
  val all: Executor = Executors.newCachedThreadPool(daemonThreads)
}

/** Runs at most `size` works at once. More of them wait; a thread without work ends. */
internal fun threadPool(size: Int): Executor =
  ThreadPoolExecutor(size, size, 10, TimeUnit.SECONDS, LinkedBlockingQueue(256), daemonThreads)
    .apply { allowCoreThreadTimeOut(true) }

/**
 * Work of the SDK, one piece after the other or a few at once. No call waits for it, and `run`
 * never throws. All that a caller does is to add the work to a queue: it may draw the screen.
 */
internal class Background(
  private val pool: Executor,
  private val environment: Lazy<Environment>,
  private val results: Lazy<Executor> = lazy { Threads.all },
) {
  /** Throws RejectedExecutionException when too much work is waiting. */
  fun execute(work: Runnable): Unit = pool.execute(work)

  /**
   * Calls `done` once: on a background thread, or on the one at hand when there is no memory for
   * one.
   */
  fun <Value> run(work: () -> Value, done: (Result<Value>) -> Unit) {
    val isOpen = AtomicBoolean(true)
    try {
      pool.execute { if (isOpen.getAndSet(false)) deliver(runCatching(work), done) }
    } catch (error: Throwable) { // too much work is waiting, or there is no thread for what waits
      if (isOpen.getAndSet(false)) deliver(Result.failure(error), done)
    }
  }

  /** The same for coroutines. A cancelled one does not wait, and the work can ask for that. */
  suspend fun <Value> await(work: (isCancelled: () -> Boolean) -> Value): Result<Value> =
    if (areCancellable) CancellableCoroutines.await(this, work)
    else suspendCoroutine { begin(work, it) }

  private fun <Value> begin(
    work: (isCancelled: () -> Boolean) -> Value,
    waiting: Continuation<Result<Value>>,
  ): Unit = resume({ work { false } }, waiting)

  fun <Value> resume(work: () -> Value, waiting: Continuation<Result<Value>>): Unit =
    run(work) { waiting.resume(it) }

  /** Never throws. */
  fun log(line: String) {
    try {
      environment.value.log(line)
    } catch (_: Throwable) {} // the call has failed with this error
  }

  /** What `initialize` returns. False when it failed, and the log says why. */
  fun initialized(result: Result<Boolean>): Boolean =
    result.getOrElse {
      val id = (it as? ServiceException)?.let { " (requestId ${it.requestId ?: "none"})" }.orEmpty()
      log("not initialised: ${withCause(it)}$id")
      false
    }

  private fun <Value> deliver(result: Result<Value>, done: (Result<Value>) -> Unit) {
    try {
      results.value.execute { done(result) }
    } catch (error: Throwable) {
      log("no thread for a result: $error")
      done(result)
    }
  }
}

/** Work that nobody waits for, and whose failure costs nothing. */
internal fun inBackground(work: () -> Unit) {
  runCatching { Threads.all.execute { runCatching(work) } }
}

/**
 * The result of the work, or its error. Throws TimeoutException after the limit; the work is not
 * stopped.
 */
internal fun <Value> within(limitMillis: Long, work: () -> Value): Value =
  FutureTask(work).also { Threads.all.execute(it) }.await(limitMillis)

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
