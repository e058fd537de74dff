package ringfence

import java.io.IOException
import java.util.concurrent.CopyOnWriteArrayList
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import ringfence.core.Clock
import ringfence.core.Environment
import ringfence.core.IntelligenceClient
import ringfence.core.IntelligenceError
import ringfence.core.Storage
import ringfence.core.SystemClock
import ringfence.core.TemporaryStorage
import ringfence.core.UpdateInfo
import ringfence.core.calls.HttpRequest
import ringfence.core.calls.HttpResponse
import ringfence.core.calls.Transport
import ringfence.core.calls.UrlConnectionTransport
import ringfence.core.facts.SimpleFact
import ringfence.core.json.JsonObject
import ringfence.core.json.readJson
import ringfence.core.proof.InstallationKey

class RealServiceTest {
  private fun client(
    packageName: String = started("PACKAGE_NAME"),
    clock: Clock = SystemClock,
    facts: JsonObject = emptyMap(),
    transport: Transport = UrlConnectionTransport(),
    storage: Storage = TemporaryStorage(),
    key: InstallationKey? = null,
  ) =
    IntelligenceClient(
      Environment(
        packageName,
        clock,
        transport,
        storage = storage,
        key = key,
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
  fun `a phone whose clock is wrong by a year, or at 1970, gets its report as the same device, with a valid proof`() {
    val year = 365L * 86_400_000
    val key = SoftwareKey()
    val storage = TemporaryStorage()
    val id = "%016x".format(System.nanoTime())
    val devices =
      listOf(0, year, -year, -System.currentTimeMillis(), 1_000 * year).map { offset ->
        val clock = QuickClock(offset)
        val facts =
          mapOf(
            "androidId" to id,
            "bootTime" to clock.now() / 1_000 - 3_600,
            "appIntegrity" to contract("samples/android-facts.everything")["appIntegrity"],
          )
        val client = initialized(client(clock = clock, facts = facts, key = key, storage = storage))
        val report = reportOf(blocking { client.fetch() }.getOrThrow().dfrId)
        assertEquals(false, report["appTampering"], "$offset")
        report["deviceId"]
      }
    assertEquals(1, devices.toSet().size, "$devices")
    assertEquals(1, key.challenges.size)
  }

  /** A network that loses the first answer of each call, after the service has got the call. */
  private class Losing : Transport {
    val answers = CopyOnWriteArrayList<Pair<String, HttpResponse>>()
    private val transport = UrlConnectionTransport()

    override fun send(request: HttpRequest): HttpResponse {
      val answer = transport.send(request)
      val name = request.url.path.substringAfterLast('/')
      answers.add(name to answer)
      if (answers.count { it.first == name } == 1) throw IOException("the network is gone")
      return answer
    }
  }

  @Test
  fun `a call whose answer was lost is sent again, and gets the same answer and dfrId, not a second report`() {
    val network = Losing()
    val client = initialized(client(transport = network, clock = QuickClock(), key = SoftwareKey()))
    val intelligence = blocking { client.fetch() }.getOrThrow()
    val answers = network.answers.groupBy({ it.first }) { readJson(it.second.text).members() }
    assertEquals(setOf("config", "intelligence", "device-fingerprint"), answers.keys)
    for ((name, both) in answers) {
      assertEquals(2, both.size, name)
      if (name == "config") assertNotEquals(both[0]["sessionId"], both[1]["sessionId"])
      else assertEquals(both[0] - "analysis", both[1] - "analysis", name) // sealed anew
    }
    assertEquals(answers.getValue("device-fingerprint")[0]["dfrId"], intelligence.dfrId)
    assertEquals(intelligence.requestId, reportOf(intelligence.dfrId)["requestId"])
    val cookies = network.answers.mapNotNull { it.second.headers["set-cookie"] }
    assertEquals(emptyList<String>(), cookies, "the service gives the app none")
  }

  @Test
  fun `a process that dies between engine call and push leaves no report, and the next one gets its own as the same device`() {
    val key = SoftwareKey()
    val storage = TemporaryStorage()
    val sent = CopyOnWriteArrayList<Pair<String, Any?>>()
    val network = UrlConnectionTransport()
    var isDying = true
    val transport =
      object : Transport {
        override fun send(request: HttpRequest): HttpResponse {
          val name = request.url.path.substringAfterLast('/')
          request.body?.let { sent.add(name to readJson(String(it)).members()["requestId"]) }
          if (isDying && name == "device-fingerprint") throw IOException("the process ends")
          return network.send(request)
        }
      }
    val id = "%016x".format(System.nanoTime())
    fun launched() =
      initialized(
        client(
          clock = QuickClock(),
          transport = transport,
          facts = mapOf("androidId" to id),
          key = key,
          storage = storage,
        )
      )
    val died = failureOf(launched()) as IntelligenceError.Failed
    isDying = false
    val (first, second) = List(2) { reportOf(blocking { launched().fetch() }.getOrThrow().dfrId) }
    assertEquals(first["deviceId"], second["deviceId"])
    assertEquals(listOf(true, false), listOf(first["newDevice"], second["newDevice"]))
    val ids = sent.filter { it.first == "intelligence" }.map { it.second }
    assertEquals(3, ids.toSet().size, "each engine call once")
    assertEquals(
      List(4) { died.requestId } + ids.drop(1),
      sent.filter { it.first != "intelligence" }.map { it.second },
    )
  }

  @Test
  fun `concurrent fetches each get a report`() {
    val client = initialized(client())
    val fetches = List(3) { calling { client.fetch(null, null, it) } }.map { it.get() }
    assertEquals(3, fetches.map { it.dfrId }.toSet().size)
  }
}
