package ringfence

import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import ringfence.core.Environment
import ringfence.core.IntelligenceClient
import ringfence.core.IntelligenceError
import ringfence.core.calls.Transport
import ringfence.core.calls.UrlConnectionTransport

/** How an app becomes ready. (specification 3) */
class InitializeTest {
  private val log = Log()

  private fun environment(transport: Transport = UrlConnectionTransport()) =
    Environment("com.example.shop", QuickClock(), transport, log = log)

  @Test
  fun `initialize returns false when the service is down, slow or refuses, and can be called again`() {
    val faults =
      Faults.planned(
        "device-fingerprint/config" to listOf("hangs", "html", 500, "redirect", 401, 404)
      )
    val client = IntelligenceClient(environment(ImpatientTransport()))
    for (reason in listOf("HTTP status 307", "The test asked for 401", "The test asked for 404")) {
      assertFalse(blocking { client.initialize("rfa_test", faults.url) })
      assertFalse(client.isInitialized)
      assertTrue(log.lines.last().contains(reason), "${log.lines}")
    }
    assertTrue(blocking { client.initialize("rfa_test", faults.url) })
    assertTrue(client.isInitialized)
    val names = faults.calls().map { it.name }
    assertEquals(7, names.size, "four failures, two refusals, a session")
    assertEquals(setOf("device-fingerprint/config"), names.toSet(), "redirects are not followed")
    assertFalse(
      blocking { IntelligenceClient(environment()).initialize("rfa_test", "http://127.0.0.1:1") }
    )
  }

  @Test
  fun `a second initialize returns true for the same app, false for another or another URL, and changes nothing`() {
    val faults = Faults.planned("device-fingerprint/config" to listOf("held"))
    val client = IntelligenceClient(environment())
    val other = Faults.planned()
    fun initializing(appId: String, url: String) =
      CompletableFuture<Boolean>().also { done ->
        client.initialize(appId, url) { done.complete(it) }
      }
    val first = initializing("rfa_test", faults.url)
    faults.waitForCall("device-fingerprint/config") // calls of one moment have no order
    val apps =
      listOf(
        first,
        initializing("rfa_test", faults.url),
        initializing("rfa_other", faults.url),
        initializing("rfa_test", other.url),
      )
    assertFalse(client.isInitialized)
    faults.release()
    assertEquals(listOf(true, true, false, false), apps.map { it.get(60, TimeUnit.SECONDS) })
    assertEquals(2, log.lines.count { it.contains("another app id or base URL is already in use") })
    assertEquals(emptyList<Call>(), other.calls())
    assertEquals(1, faults.calls().size)
    blocking { client.fetch() }.getOrThrow()
    assertEquals("rfa_test", faults.calls("device-fingerprint").first().body["appId"])
  }

  @Test
  fun `3 - a fetch before and during initialize is NotConfigured`() {
    val faults = Faults.planned("device-fingerprint/config" to listOf("held"))
    val client = IntelligenceClient(environment())
    assertInstanceOf(IntelligenceError.NotConfigured::class.java, failureOf(client))
    val initializing = CompletableFuture<Boolean>()
    client.initialize("rfa_test", faults.url) { initializing.complete(it) }
    faults.waitForCall("device-fingerprint/config")
    val during = calling { client.fetch(null, null, it) }
    assertEquals(Called(false, null, null, "SDK not initialised"), during.get(60, TimeUnit.SECONDS))
    assertEquals(2, log.lines.count { it.startsWith("SDK not initialised: call initialize first") })
    faults.release()
    assertTrue(initializing.get(60, TimeUnit.SECONDS))
    assertTrue(blocking { client.fetch() }.isSuccess)
  }

  @Test
  fun `initialize without a usable URL or app id returns false without a request, and the log says why`() {
    for (url in listOf("", "ringfence.example", "file:///tmp", "https://")) {
      assertFalse(blocking { IntelligenceClient(environment()).initialize("rfa_test", url) }, url)
    }
    assertEquals(3, log.lines.count { it.contains("set baseUrl") }, "${log.lines}")
    val faults = Faults.planned()
    for (appId in listOf("", "rfa_\r\nx-a: b", "https://ringfence.example/ü", "a".repeat(10_000))) {
      assertFalse(
        blocking { IntelligenceClient(environment()).initialize(appId, faults.url) },
        appId,
      )
    }
    assertEquals(emptyList<Call>(), faults.calls())
  }
}
