package ringfence

import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertNotNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import ringfence.core.Clock
import ringfence.core.Environment
import ringfence.core.IntelligenceClient
import ringfence.core.IntelligenceError
import ringfence.core.Storage
import ringfence.core.TemporaryStorage
import ringfence.core.calls.HttpRequest
import ringfence.core.calls.HttpResponse
import ringfence.core.calls.Transport
import ringfence.core.calls.UrlConnectionTransport
import ringfence.core.facts.SimpleFact

/** A network connection that a test can cut. */
private class CuttableTransport : Transport {
  @Volatile var isCut: (HttpRequest) -> Boolean = { false }
  private val transport = UrlConnectionTransport()

  override fun send(request: HttpRequest): HttpResponse {
    val url = if (isCut(request)) java.net.URL("http://127.0.0.1:1") else request.url
    return transport.send(HttpRequest(url, request.headers, request.body))
  }
}

class FaultTest {
  private val clock = QuickClock()
  private val log = Log()

  private fun environment(
    transport: Transport = UrlConnectionTransport(60_000),
    clock: Clock = this.clock,
  ) = Environment("com.example.shop", clock = clock, transport = transport, log = log)

  private fun initialized(faults: Faults) = initialized(faults, environment())

  private fun dfrIdOf(client: IntelligenceClient): String =
    blocking { client.fetch() }.getOrThrow().dfrId

  private fun failed(error: IntelligenceError) =
    assertInstanceOf(IntelligenceError.Failed::class.java, error)

  @Test
  fun `4_7 rule 3 - each call is attempted at 0, 500, 1500 and 3500 ms`() {
    val faults = Faults.planned("intelligence" to listOf(503, 503, 503, 503))
    val clock = RecordingClock()
    val client = initialized(faults, environment(clock = clock))
    assertEquals("The test asked for 503", failureOf(client).message)
    val times = faults.calls("intelligence").map { it.atMillis }
    val since = times.map { it - times[0] }
    println("attempts after $since ms")
    assertEquals(4, since.size)
    // A busy machine makes an attempt late, and never early.
    for ((measured, wanted) in since.zip(listOf(0, 500, 1_500, 3_500))) {
      assertTrue(measured >= wanted - 5, "$since")
    }
    assertEquals(listOf(500L, 1_000L, 2_000L), clock.waits)
  }

  @Test
  fun `4_7 rule 3 - a response without dfrId is a failure and is retried`() {
    val faults =
      Faults.planned("device-fingerprint" to listOf("no dfrId", "empty dfrId", "no dfrId"))
    val client = initialized(faults)
    val intelligence = blocking { client.fetch() }.getOrThrow()
    assertTrue(intelligence.dfrId.startsWith("dfr-of-"))
    assertEquals(listOf(500L, 1_000L, 2_000L), clock.waits)
    val pushes = faults.calls("device-fingerprint")
    assertEquals(4, pushes.size)
    assertEquals(1, pushes.map { it.body }.toSet().size, "each attempt has the same body")
    assertEquals(1, faults.calls("intelligence").size)
    assertEquals(12.5, intelligence.report?.get("deviceRiskScore"))
  }

  @Test
  fun `7_4 - a missing dfrId after all attempts is an intelligence error with the requestId`() {
    val faults = Faults.planned("device-fingerprint" to List(4) { "empty dfrId" })
    val client = initialized(faults)
    val error = failed(failureOf(client))
    assertEquals(faults.calls("intelligence").first().body["requestId"], error.requestId)
    assertEquals("The response has no dfrId", error.message)
    assertTrue(client.isInitialized)
  }

  @Test
  fun `an unusable response is a failure and is retried`() {
    for (fault in
      listOf<Any>(
        "html",
        "list",
        "redirect",
        "huge",
        "deep",
        "breaks",
        "hangs",
        500,
        502,
        429,
        408,
      )) {
      val faults =
        Faults.planned(
          "intelligence" to listOf(fault),
          "device-fingerprint" to listOf(fault, fault, fault),
        )
      val client = initialized(faults, environment(ImpatientTransport()))
      assertTrue(dfrIdOf(client).startsWith("dfr-of-"), "$fault")
      val names = faults.calls().map { it.name }
      assertEquals(2, names.count { it == "intelligence" }, "$fault")
      assertEquals(4, names.count { it == "device-fingerprint" }, "$fault")
    }
  }

  @Test
  fun `a captive portal that answers every call with HTML is an intelligence error, and the next fetch works`() {
    val portal = List(4) { "html" }
    val faults = Faults.planned("device-fingerprint/config" to portal, "intelligence" to portal)
    val client = IntelligenceClient(environment())
    assertFalse(blocking { client.initialize("rfa_test", faults.url) })
    assertTrue(log.lines.last().contains("The response is not a JSON object"), "${log.lines}")
    assertTrue(blocking { client.initialize("rfa_test", faults.url) })
    assertEquals("The response is not a JSON object", failed(failureOf(client)).message)
    assertTrue(dfrIdOf(client).startsWith("dfr-of-"))
  }

  @Test
  fun `a slow response is awaited without a retry`() {
    val slow = listOf("slow")
    val faults =
      Faults.planned(
        "device-fingerprint/config" to slow,
        "intelligence" to slow,
        "device-fingerprint" to slow,
      )
    assertTrue(dfrIdOf(initialized(faults)).startsWith("dfr-of-"))
    assertEquals(3, faults.calls().size)
  }

  @Test
  fun `a fetch fails after four attempts while there is no network, and works when there is one again`() {
    val faults = Faults.planned()
    val network = CuttableTransport()
    val client = initialized(faults, environment(network))
    network.isCut = { true }
    val error = failed(failureOf(client))
    assertEquals("The service could not be reached", error.message)
    assertEquals(java.net.ConnectException::class.java, error.cause?.javaClass)
    assertNotNull(error.requestId)
    assertEquals(listOf(500L, 1_000L, 2_000L), clock.waits)
    network.isCut = { false }
    assertTrue(dfrIdOf(client).startsWith("dfr-of-"))
  }

  @Test
  fun `after a process that died between engine call and push, the next one gets a dfrId as the same installation`() {
    val faults = Faults.planned()
    val storage = TemporaryStorage()
    val network = CuttableTransport()
    fun launched() =
      initialized(
        faults,
        Environment("com.example.shop", clock, network, storage = storage, log = log),
      )
    network.isCut = { it.url.path.endsWith("/device-fingerprint") }
    failureOf(launched())
    network.isCut = { false }
    assertTrue(dfrIdOf(launched()).startsWith("dfr-of-"))
    val calls = faults.calls("intelligence")
    assertEquals(1, calls.map { it.body["inId"] }.toSet().size)
    for (name in listOf("tsId", "requestId", "challenge")) assertEquals(
      2,
      calls.map { it.body[name] }.toSet().size,
      name,
    )
  }

  @Test
  fun `on a full disk a phone gets its reports as one installation until its process ends`() {
    val full =
      object : Storage {
        override fun text(name: String): String? = throw java.io.IOException("full")

        override fun store(name: String, text: String?) = throw java.io.IOException("full")

        override fun lock(name: String) = throw java.io.IOException("full")
      }
    val faults = Faults.planned()
    val key = SoftwareKey()
    val client =
      initialized(
        faults,
        Environment("com.example.shop", clock, storage = full, key = key, log = log),
      )
    repeat(2) { dfrIdOf(client) }
    assertEquals(1, faults.calls("intelligence").map { it.body["inId"] }.toSet().size)
    assertEquals(1, key.challenges.size)
    assertTrue(log.lines.all { it.startsWith("the storage failed: ") }, "${log.lines}")
  }

  @Test
  fun `7_4 - an unexpected state is Unknown, and no other type of error reaches the app`() {
    val broken =
      object : Clock {
        override fun now() = 0L

        override fun sleep(millis: Long) = throw IllegalStateException("no sleep")
      }
    val faults = Faults.planned("intelligence" to listOf(503, 503))
    val client = initialized(faults, environment(clock = broken))
    assertEquals(
      "Unknown intelligence error",
      assertInstanceOf(IntelligenceError.Unknown::class.java, failureOf(client)).message,
    )
    assertEquals("Unknown intelligence error", called { client.fetch(null, null, it) }.errorMessage)
  }

  @Test
  fun `7_4 - the callback gets the message and the log the requestId`() {
    val refused = mapOf("dfrId" to "", "errorMessage" to "The push was refused")
    val faults = Faults.planned("device-fingerprint" to List(4) { refused })
    val client = initialized(faults)
    val called = called { client.fetch(null, null, it) }
    assertEquals(Called(false, null, null, "The push was refused"), called)
    val requestId = faults.calls("intelligence").first().body["requestId"]
    assertEquals(listOf("no dfrId: The push was refused (requestId $requestId)"), log.lines)
  }

  @Test
  fun `7_4 - a refused call is not retried, and its message is returned`() {
    val refusals =
      listOf(
        "intelligence" to 400,
        "intelligence" to 403,
        "intelligence" to 404,
        "intelligence" to 413,
        "device-fingerprint" to 400,
        "device-fingerprint" to 404,
      )
    for ((name, status) in refusals) {
      val faults = Faults.planned(name to listOf(status))
      val client = initialized(faults)
      val error = failed(failureOf(client))
      assertEquals("The test asked for $status", error.message)
      assertEquals("request-of-fault", error.requestId)
      assertEquals(1, faults.calls(name).size)
      assertTrue(dfrIdOf(client).startsWith("dfr-of-"), "the next fetch is a new one")
    }
    assertEquals(emptyList<Long>(), clock.waits)
  }

  @Test
  fun `a 401 renews the session once, without a log line`() {
    for (name in listOf("intelligence", "device-fingerprint")) {
      val faults = Faults.planned(name to listOf(401))
      assertTrue(dfrIdOf(initialized(faults)).startsWith("dfr-of-"))
      assertEquals(2, faults.calls("device-fingerprint/config").size)
      val (first, second) = faults.calls("intelligence").map { it.body }
      for (changed in listOf("tsId", "requestId")) assertNotEquals(first[changed], second[changed])
      assertEquals(first["inId"], second["inId"])
    }
    val client = initialized(Faults.planned("intelligence" to listOf(401, 401)))
    assertEquals(401, (failed(failureOf(client)).message.filter { it.isDigit() }).toInt())
    assertTrue(client.isInitialized)
    assertEquals(emptyList<String>(), log.lines)
  }

  @Test
  fun `concurrent fetches renew an expired session and each gets a dfrId`() {
    val faults = Faults.planned("intelligence" to listOf(401))
    val client = initialized(faults)
    val fetches =
      List(3) { calling { client.fetch(null, null, it) } }.map { it.get(60, TimeUnit.SECONDS) }
    assertEquals(3, fetches.map { it.dfrId }.toSet().size)
    assertEquals(2, faults.calls("device-fingerprint/config").size)
  }

  @Test
  fun `no call blocks its thread while the service hangs, and callbacks come on another thread`() {
    val faults = Faults.planned("intelligence" to listOf("held"))
    val client = initialized(faults)
    val order = Log()
    val called = CompletableFuture<Boolean>()
    val thread = CompletableFuture<Thread>()
    val millis = workedMillis {
      client.initialize("rfa_test", faults.url) {}
      client.fetch(null, null) { success, _, _, _ ->
        order("called back")
        thread.complete(Thread.currentThread())
        called.complete(success)
      }
    }
    order("returned")
    assertTrue(millis < 100, "$millis ms")
    faults.waitForCall("intelligence")
    faults.release()
    assertTrue(called.get(60, TimeUnit.SECONDS))
    assertEquals(listOf("returned", "called back"), order.lines)
    assertNotEquals(Thread.currentThread(), thread.get())
  }

  @Test
  fun `a fetch reads the facts of its moment, and initialize returns, while an earlier fetch waits for the network`() {
    val faults = Faults.planned("intelligence" to listOf("held 503"))
    val call = AtomicInteger()
    val read = CompletableFuture<Int>()
    val fact = SimpleFact("audioMode") { call.get().also { if (it > 0) read.complete(it) } }
    val patient = UrlConnectionTransport(60_000)
    val environment =
      Environment("com.example.shop", transport = patient, facts = listOf(fact), log = log)
    val client = initialized(faults, environment)
    val first = calling { client.fetch(null, null, it) }
    faults.waitForCall("intelligence")
    call.set(2)
    val second = calling { client.fetch(null, null, it) }
    assertEquals(2, read.get(60, TimeUnit.SECONDS))
    call.set(3) // the call ended before its facts were sent
    assertTrue(blocking { client.initialize("rfa_test", faults.url) })
    assertFalse(first.isDone)
    faults.release()
    assertTrue(first.get(60, TimeUnit.SECONDS).success && second.get(60, TimeUnit.SECONDS).success)
    val modes = faults.calls("intelligence").map { it.body["facts", "audioMode"] }
    assertEquals(listOf<Any?>(0L, 0L, 2L), modes, "the first was sent twice")
  }

  @Test
  fun `a callback may wait for another fetch`() {
    val client = initialized(Faults.planned())
    val nested = CompletableFuture<String>()
    client.fetch(null, null) { _, _, _, _ -> nested.complete(dfrIdOf(client)) }
    assertTrue(nested.get(60, TimeUnit.SECONDS).startsWith("dfr-of-"))
  }
}
