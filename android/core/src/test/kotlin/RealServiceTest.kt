package ringfence

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import ringfence.core.Clock
import ringfence.core.Environment
import ringfence.core.IntelligenceClient
import ringfence.core.SystemClock
import ringfence.core.UpdateInfo
import ringfence.core.facts.SimpleFact
import ringfence.core.json.JsonObject

class RealServiceTest {
  private fun client(
    packageName: String = started("PACKAGE_NAME"),
    clock: Clock = SystemClock,
    facts: JsonObject = emptyMap(),
  ) =
    IntelligenceClient(
      Environment(
        packageName,
        clock,
        facts = facts.map { (name, value) -> SimpleFact(name) { value } },
        log = Log(),
      )
    )

  private fun initialized(client: IntelligenceClient) =
    client.also { assertTrue(blocking { it.initialize(started("APP_ID"), started("URL")) }) }

  @Test
  fun `4_7 - fetch returns a dfrId after initialize, and a backend opens its report`() {
    val client = client(facts = contract("samples/android-facts.everything"))
    assertFalse(client.isInitialized)
    initialized(client)
    assertTrue(client.isInitialized)
    val first = blocking { client.fetch() }.getOrThrow()
    assertTrue(Regex("[0-9a-f]{32}").matches(first.dfrId), first.dfrId)
    assertNull(first.report, "the app does not reveal its reports")
    val params = mapOf("orderId" to "A-1", "größe" to 3, "empty" to "", "requestId" to "mine")
    val second = blocking { client.fetch(params, UpdateInfo(userId = "u1")) }.getOrThrow()
    assertNotEquals(first.dfrId, second.dfrId)
    val report = reportOf(second.dfrId)
    assertEquals(second.requestId, report["requestId"])
    assertTrue((report["deviceId"] as String).isNotEmpty())
    assertEquals("google", report["deviceMeta", "brand"])
  }

  @Test
  fun `4_7 - the callback gets dfrId and requestId`() {
    val client = initialized(client())
    val info = UpdateInfo.of(mapOf("userEventType" to "LOGIN", "unknown" to 1))
    val called = called { client.fetch(null, info, it) }
    assertTrue(called.success)
    assertEquals(32, called.dfrId?.length)
    assertEquals(setOf("dfrId", "requestId"), called.response?.keys)
    assertEquals(called.dfrId, called.response?.get("dfrId"))
    assertNull(called.errorMessage)
  }

  @Test
  fun `2_7 - the callback gets the report that the app reveals`() {
    val report = mapOf("deviceRiskScore" to 12.5, "dfrId" to "of the report", "vpn" to false)
    val faults =
      Faults.planned("device-fingerprint" to listOf(mapOf("intelligenceResponse" to report)))
    val client = initialized(faults, Environment("com.example.shop", log = Log()))
    val called = called { client.fetch(null, null, it) }
    assertEquals(called.dfrId, called.response?.get("dfrId"))
    assertEquals(called.dfrId, "dfr-of-${called.response?.get("requestId")}")
    assertEquals(12.5, called.response?.get("deviceRiskScore"))
    assertEquals(false, called.response?.get("vpn"))
  }

  @Test
  fun `7_4 - initialize returns false for an unknown app and for a package that the app does not list`() {
    val places =
      listOf(
        "rfa_" to started("PACKAGE_NAME"),
        started("APP_ID") to "com.example.other",
        started("APP_ID") to "",
      )
    for ((appId, packageName) in places) {
      val client = client(packageName)
      assertFalse(blocking { client.initialize(appId, started("URL")) })
      assertFalse(client.isInitialized)
    }
  }

  @Test
  fun `a phone whose clock is wrong by a year, or at 1970, gets its report`() {
    val year = 365L * 86_400_000
    for (offset in listOf(year, -year, -System.currentTimeMillis(), 1_000 * year)) {
      val client = initialized(client(clock = QuickClock(offset)))
      assertTrue(blocking { client.fetch() }.isSuccess, "$offset")
    }
  }

  @Test
  fun `concurrent fetches each get a report`() {
    val client = initialized(client())
    val fetches = List(3) { calling { client.fetch(null, null, it) } }.map { it.get() }
    assertEquals(3, fetches.map { it.dfrId }.toSet().size)
  }
}
