// Which facts does a call send? Those that the service wants and the device has in time.
package ringfence.core.facts

import java.util.concurrent.Executor
import java.util.concurrent.FutureTask
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException
import ringfence.core.await
import ringfence.core.json.jsonObjectOf
import ringfence.core.threadPool

/** Facts by name, and why others are missing. */
internal class Collected(val facts: Map<String, Any?>, val missing: Map<String, MissingFact>)

private const val MAX_THREADS = 8

/** Reads facts a few at a time. A fact that hangs holds one thread, however often it is read. */
internal class FactReader(
  private val facts: List<Fact>,
  private val pool: Executor = threadPool(MAX_THREADS),
) {
  private val reading = HashMap<String, FutureTask<Any?>>()

  /** Facts that are false in `collect` are not read. */
  fun read(collect: Map<String, Boolean>): Collected {
    val began = System.nanoTime()
    val started = facts.filter { collect[it.name] != false }.map { it to start(it) }
    val found = LinkedHashMap<String, Any?>()
    val missing = LinkedHashMap<String, MissingFact>()
    for ((fact, task) in started) {
      val elapsed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began)
      try {
        val value = task.await(fact.limitMillis - elapsed)
        val read = jsonObjectOf(mapOf(fact.name to value))
        if (value == null || read.isEmpty()) missing[fact.name] = MissingFact.UNAVAILABLE
        else found += read
      } catch (_: TimeoutException) {
        missing[fact.name] = MissingFact.TIMED_OUT
      } catch (_: SecurityException) {
        missing[fact.name] = MissingFact.REFUSED
      } catch (_: Throwable) { // a maker's change of the system may throw anything, also an Error
        missing[fact.name] = MissingFact.UNAVAILABLE
      }
    }
    return Collected(found, missing)
  }

  private fun start(fact: Fact): FutureTask<Any?> {
    synchronized(reading) {
      reading[fact.name]
        ?.takeUnless { it.isDone }
        ?.let {
          return it
        }
      val task = FutureTask { fact.read() }
      try {
        pool.execute(task)
      } catch (error: Throwable) { // the system has no memory for another thread
        return FutureTask<Any?> { throw error }.apply { run() }
      }
      reading[fact.name] = task
      return task
    }
  }
}
