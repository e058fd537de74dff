package ringfence

import java.io.Closeable
import java.io.IOException
import java.util.Base64
import java.util.concurrent.Callable
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.Executors
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotNull
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import ringfence.core.Environment
import ringfence.core.IntelligenceClient
import ringfence.core.Storage
import ringfence.core.TemporaryStorage
import ringfence.core.calls.HttpRequest
import ringfence.core.calls.HttpResponse
import ringfence.core.calls.Transport
import ringfence.core.calls.UrlConnectionTransport
import ringfence.core.facts.SimpleFact
import ringfence.core.json.JsonObject
import ringfence.core.json.readJson

/**
 * A key like one in hardware, of a phone of its own. Its certificates come from an authority that
 * the service trusts.
 */
private class AttestedKey(private val changed: (ByteArray) -> ByteArray = { it }) : SoftwareKey() {
  val androidId = "%016x".format(System.nanoTime())
  private val chains = ConcurrentHashMap<String, List<ByteArray>>()

  override fun make(name: String, challenge: ByteArray) {
    super.make(name, challenge)
    val encode = Base64.getEncoder()::encodeToString
    val values =
      mapOf("publicKey" to encode(pair!!.public.encoded), "challenge" to encode(changed(challenge)))
    chains[name] =
      (outside("attest", values)["chain"] as List<*>).map {
        Base64.getDecoder().decode(it as String)
      }
  }

  override fun certificates(name: String) = chains[name].orEmpty()
}

/** A network that loses engine calls: on their way to the service, or its answers. */
private class LosingTransport : Transport {
  enum class Loss {
    NOTHING,
    CALLS,
    ANSWERS,
  }

  @Volatile var loses = Loss.NOTHING
  val engineCalls = CopyOnWriteArrayList<JsonObject>()
  private val transport = UrlConnectionTransport()

  override fun send(request: HttpRequest): HttpResponse {
    if (!request.url.path.endsWith("/intelligence")) return transport.send(request)
    engineCalls.add(readJson(String(request.body!!)).members())
    if (loses == Loss.CALLS) throw IOException("no network")
    val answer = transport.send(request)
    if (loses == Loss.ANSWERS) throw IOException("the network is gone")
    return answer
  }
}

class AttestedTest {
  private val log = Log()
  private val network = LosingTransport()

  /** An app as after its launch. */
  private fun launched(key: AttestedKey, storage: Storage): IntelligenceClient {
    val integrity = contract("samples/android-facts.everything")["appIntegrity"]
    val environment =
      Environment(
        started("PACKAGE_NAME"),
        QuickClock(),
        network,
        storage = storage,
        key = key,
        log = log,
        facts =
          listOf(
            SimpleFact("appIntegrity") { integrity },
            SimpleFact("androidId") { key.androidId },
          ),
      )
    environment.proofLimitMillis = 60_000 // here a key asks a service for its certificates
    return IntelligenceClient(environment).also { client ->
      assertTrue(blocking { client.initialize(started("APP_ID"), started("URL")) })
    }
  }

  private fun report(client: IntelligenceClient): JsonObject =
    reportOf(blocking { client.fetch() }.getOrThrow().dfrId)

  private fun levelIn(report: JsonObject): Any? =
    report["signals", "appAttestation", "verdict", "result"]

  @Test
  fun `the service verifies the certificates of the first call, and knows the key in later ones`() {
    val client = launched(AttestedKey(), TemporaryStorage())
    val (first, later) = List(2) { report(client) }
    assertEquals("hardware", levelIn(first))
    assertEquals(false, first["appTampering"], "${first["signals", "appTampering"]}")
    assertEquals("hardware", levelIn(later))
    assertEquals(first["deviceId"], later["deviceId"])
    assertTrue((first["deviceId"] as String).isNotEmpty())
    assertNull(network.engineCalls.last()["attestation"])
    assertEquals(emptyList<String>(), log.lines)
  }

  @Test
  fun `a key whose first call or its answer was lost is attested by a later call, also of the next process`() {
    for (loss in listOf(LosingTransport.Loss.CALLS, LosingTransport.Loss.ANSWERS)) {
      val key = AttestedKey()
      val storage = TemporaryStorage()
      network.loses = loss
      failureOf(launched(key, storage))
      network.loses = LosingTransport.Loss.NOTHING
      val client = launched(key, storage)
      val report = report(client)
      assertNotNull(network.engineCalls.last()["attestation", "madeFor"], "$loss")
      assertEquals("hardware", levelIn(report), "$loss")
      assertEquals(false, report["appTampering"], "$loss")
      assertEquals("hardware", levelIn(report(client)), "$loss")
      assertNull(network.engineCalls.last()["attestation"], "$loss")
      assertEquals(1, key.challenges.size, "$loss")
    }
  }

  @Test
  fun `certificates that were made for another call are refused`() {
    val report = report(launched(AttestedKey { it.reversedArray() }, TemporaryStorage()))
    assertEquals("refused", levelIn(report))
    assertEquals(true, report["appTampering"])
  }

  @Test
  fun `a service that forgot the key asks for its certificates, and gets them within the fetch`() {
    val key = AttestedKey()
    val client = launched(key, TemporaryStorage())
    val first = report(client)
    outside("forget-keys", emptyMap())
    val levels =
      List(3) { report(client) }.onEach { assertEquals(first["deviceId"], it["deviceId"]) }
    assertEquals(listOf("hardware", "hardware", "hardware"), levels.map(::levelIn))
    val sent = network.engineCalls.map { it["attestation"] != null }
    assertEquals(listOf(true, false, true, false, false), sent)
    assertEquals(listOf(false, false, false), levels.map { it["appTampering"] })
    assertEquals(1, key.challenges.size)
  }

  @Test
  fun `a process that started before the phone was unlocked is the phone that it was`() {
    var isLocked = false
    val files = TemporaryStorage()
    val storage =
      object : Storage by files {
        override fun text(name: String) = if (isLocked) null else files.text(name)

        override fun store(name: String, text: String?) =
          if (isLocked) throw IOException("locked") else files.store(name, text)
      }
    val key = AttestedKey()
    val first = report(launched(key, storage))
    isLocked = true
    val early = launched(key, storage)
    val locked = report(early)
    isLocked = false
    val reports = listOf(locked, report(early), report(launched(key, storage)))
    assertEquals(List(3) { first["deviceId"] }, reports.map { it["deviceId"] })
    val ids = network.engineCalls.map { it["inId"] }
    assertEquals(listOf(ids[0], ids[0]), ids.drop(2))
  }

  /** The reports of eight processes that start at once. */
  private fun reportsOfAll(key: AttestedKey, storage: Storage): List<JsonObject> {
    val threads = Executors.newFixedThreadPool(8)
    try {
      return threads.invokeAll(List(8) { Callable { report(launched(key, storage)) } }).map {
        it.get()
      }
    } finally {
      threads.shutdown()
    }
  }

  @Test
  fun `processes that start at once use one key and one id, and each is attested`() {
    val key = AttestedKey()
    val reports = reportsOfAll(key, TemporaryStorage())
    assertEquals(setOf<Any?>("hardware"), reports.map(::levelIn).toSet())
    assertEquals(setOf<Any?>(false), reports.map { it["appTampering"] }.toSet())
    assertEquals(1, key.challenges.size)
    assertEquals(1, network.engineCalls.map { it["proof", "publicKey"] }.toSet().size)
    assertEquals(1, network.engineCalls.map { it["inId"] }.toSet().size)
  }

  @Test
  fun `where files cannot be locked, processes that start at once may make several keys, and none is refused`() {
    val key = AttestedKey()
    val storage =
      object : Storage by TemporaryStorage() {
        override fun lock(name: String): Closeable = throw IOException("no locks")
      }
    val reports = reportsOfAll(key, storage)
    assertEquals(setOf<Any?>(false), reports.map { it["appTampering"] }.toSet())
    assertEquals("hardware", levelIn(report(launched(key, storage))))
    assertEquals(1, reports.map { it["deviceId"] }.toSet().size)
  }
}
