package ringfence

import java.util.concurrent.CompletableFuture
import java.util.concurrent.CountDownLatch
import java.util.concurrent.Executor
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import ringfence.core.Background
import ringfence.core.Environment
import ringfence.core.facts.Fact
import ringfence.core.facts.FactReader
import ringfence.core.facts.MissingFact
import ringfence.core.facts.SimpleFact
import ringfence.core.threadPool

/** Phones without memory, and facts that take all of it. */
class LowMemoryTest {
  private fun endless(depth: Int): Int = endless(depth + 1) + 1

  @Test
  fun `a fact that throws any error costs itself, and not the report or another fact`() {
    val broken =
      listOf<() -> Any?>(
        { throw OutOfMemoryError("Java heap space") },
        { endless(0) },
        { throw NoClassDefFoundError("android/media/MediaDrm") },
        { throw ExceptionInInitializerError("of a maker") },
        { throw UnsatisfiedLinkError("libmediadrm.so") },
        { throw IncompatibleClassChangeError() },
        { throw AssertionError() },
        { throw InterruptedException() },
        { throw java.util.concurrent.CancellationException() },
        { throw Throwable("neither exception nor error") },
      )
    val facts = broken.mapIndexed { index, read -> SimpleFact("broken$index", read) }
    val quick = SimpleFact("quick") { 1 }
    val faults = Faults.planned()
    val client = initialized(faults, Environment("x", facts = facts + quick, log = Log()))
    repeat(2) { blocking { client.fetch() }.getOrThrow() }
    for (call in faults.calls("intelligence")) {
      assertEquals(mapOf("quick" to 1L), call.body["facts"])
      assertEquals(facts.associate { it.name to "unavailable" }, call.body["factsMissing"])
    }
  }

  @Test
  fun `facts that never return hold eight threads, over 100 fetches`() {
    val reads = AtomicInteger()
    val end = CountDownLatch(1)
    class Hanging(override val name: String) : Fact {
      override val limitMillis = 10L

      override fun read(): Any {
        reads.incrementAndGet()
        end.await()
        return ""
      }
    }
    val hanging = List(20) { Hanging("hanging$it") }
    val faults = Faults.planned()
    val client = initialized(faults, Environment("x", facts = hanging, log = Log()))
    repeat(100) { blocking { client.fetch() }.getOrThrow() }
    until { reads.get() == 8 }
    assertEquals(8, threadsIn(Hanging::class.java.name))
    until { threadsIn("ringfence.core.facts.FactReader") == 0 } // no other thread waits for them
    end.countDown()
    val missing = hanging.associate { it.name to "timedOut" }
    assertEquals(
      setOf<Any?>(missing),
      faults.calls("intelligence").map { it.body["factsMissing"] }.toSet(),
    )
  }

  /** How many threads are in `read` of a class. */
  private fun threadsIn(className: String) =
    Thread.getAllStackTraces().values.count { stack ->
      stack.any { it.className == className && it.methodName == "read" }
    }

  /** A system that has no memory for the next threads. */
  private class Poor(private val pool: Executor) : Executor {
    @Volatile var failures = 0

    override fun execute(work: Runnable) {
      if (failures-- > 0) throw OutOfMemoryError("unable to create native thread")
      pool.execute(work)
    }
  }

  @Test
  fun `a system without memory for a thread costs the facts, and the next fetch has them`() {
    val pool = Poor(threadPool(2))
    val reader = FactReader(List(3) { SimpleFact("fact$it") { 1 } }, pool)
    pool.failures = 2
    val poor = reader.read(emptyMap())
    assertEquals(setOf("fact2"), poor.facts.keys)
    assertEquals(List(2) { "fact$it" }.associateWith { MissingFact.UNAVAILABLE }, poor.missing)
    val rich = reader.read(emptyMap())
    assertEquals(3, rich.facts.size)
    assertEquals(emptyMap<String, MissingFact>(), rich.missing)
  }

  @Test
  fun `a call that waits for a thread which the system does not have fails once, and never runs`() {
    val waiting = LinkedBlockingQueue<Runnable>()
    val pool = Executor {
      waiting.add(it)
      throw OutOfMemoryError("unable to create native thread")
    }
    val onThisThread = lazyOf(Executor { it.run() })
    val background = Background(pool, lazyOf(Environment("x", log = Log())), onThisThread)
    val results = mutableListOf<Result<Int>>()
    val ran = AtomicInteger()
    background.run({ ran.incrementAndGet() }) { results.add(it) }
    waiting.take().run() // by the thread of a later call
    assertEquals(listOf(false), results.map { it.isSuccess })
    assertEquals(0, ran.get())
  }

  @Test
  fun `a call has its result also when the system has no memory for a thread`() {
    val (pool, results) = List(2) { Poor(threadPool(1)) }
    val background = Background(pool, lazyOf(Environment("x", log = Log())), lazyOf(results))
    for ((ofPool, ofResults) in listOf(0 to 1, 1 to 0, 1 to 1, 0 to 0)) {
      pool.failures = ofPool
      results.failures = ofResults
      val done = CompletableFuture<Result<Int>>()
      background.run({ 1 }) { assertTrue(done.complete(it)) }
      assertEquals(ofPool == 0, done.get(60, TimeUnit.SECONDS).isSuccess)
    }
    pool.failures = 1
    assertFalse(blocking { background.await { 1 } }.isSuccess)
    assertTrue(blocking { background.await { 1 } }.isSuccess)
  }
}
