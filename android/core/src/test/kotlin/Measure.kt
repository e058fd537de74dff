// What do `initialize` and a first fetch cost? npm run test:android prints it. It runs without
// kotlinx.coroutines, as an app may.
package ringfence

import com.sun.management.ThreadMXBean
import java.lang.management.ManagementFactory
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit
import ringfence.core.Environment
import ringfence.core.IntelligenceClient
import ringfence.core.facts.SimpleFact

/** Of the threads of the SDK; `callerMicros`: how long the longest call held its caller. */
private class Cost(val cpuMillis: Double, val kilobytes: Long, val callerMicros: Long)

private val threads = ManagementFactory.getThreadMXBean() as ThreadMXBean
private val facts =
  contract("samples/android-facts.everything").map { (name, value) -> SimpleFact(name) { value } }

/** A phone makes its keys in hardware, so making one is no cost here. */
private val keyPair = SoftwareKey().also { it.replace(ByteArray(0)) }.pair

private fun ofSdk(): List<Long> =
  threads.dumpAllThreads(false, false).filter { it.threadName == "ringfence" }.map { it.threadId }

private fun total(read: (Long) -> Long): Long = ofSdk().sumOf { maxOf(0, read(it)) }

/** Waits for a call with a callback. Returns its value, and how long the call held its caller. */
private fun <Value> timed(call: ((Value) -> Unit) -> Unit): Pair<Value, Long> {
  val done = CompletableFuture<Value>()
  val began = System.nanoTime()
  call(done::complete)
  val held = System.nanoTime() - began
  return done.get(60, TimeUnit.SECONDS) to held / 1_000
}

private fun costOfFirst(): Cost {
  val key =
    object : SoftwareKey() {
      override fun replace(challenge: ByteArray) {
        pair = keyPair
      }
    }
  val environment =
    Environment(started("PACKAGE_NAME"), facts = facts, key = key, log = { error(it) })
  val client = IntelligenceClient(environment)
  val cpu = total(threads::getThreadCpuTime)
  val bytes = total(threads::getThreadAllocatedBytes)
  val (isInitialized, initializing) =
    timed<Boolean> { done -> client.initialize(started("APP_ID"), started("URL")) { done(it) } }
  check(isInitialized)
  val (dfrId, fetching) =
    timed<String?> { done -> client.fetch(null, null) { _, dfrId, _, _ -> done(dfrId) } }
  checkNotNull(dfrId)
  return Cost(
    (total(threads::getThreadCpuTime) - cpu) / 1e6,
    (total(threads::getThreadAllocatedBytes) - bytes) / 1_000,
    maxOf(initializing, fetching),
  )
}

fun main() {
  val first = costOfFirst()
  val later = List(20) { costOfFirst() }
  fun <Figure : Comparable<Figure>> median(of: (Cost) -> Figure) =
    later.map(of).sorted()[later.size / 2]
  fun text(cost: Cost) =
    "%.1f ms of CPU, %d kB, caller held for %d µs"
      .format(cost.cpuMillis, cost.kilobytes, cost.callerMicros)
  println("initialize and first fetch, in a new process: ${text(first)}")
  val usual = Cost(median { it.cpuMillis }, median { it.kilobytes }, median { it.callerMicros })
  println("the same in a warm one, median of ${later.size}: ${text(usual)}")
}
