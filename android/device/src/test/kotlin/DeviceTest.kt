package ringfence

import android.net.TrafficStats
import android.os.Build
import android.security.keystore.KeyProperties
import java.io.File
import java.io.IOException
import java.net.URL
import java.net.URLConnection
import java.net.URLStreamHandler
import java.security.MessageDigest
import java.security.spec.ECGenParameterSpec
import java.util.Base64
import java.util.concurrent.CopyOnWriteArrayList
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotNull
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import ringfence.core.IntelligenceClient
import ringfence.core.calls.HttpRequest
import ringfence.device.NoBackupStorage
import ringfence.device.deviceEnvironment
import ringfence.device.facts.HookTracesFact
import ringfence.device.facts.TouchFact
import ringfence.device.facts.deviceFacts

class DeviceTest {
  @TempDir lateinit var folder: File

  @BeforeEach fun keystore() = TestKeystore.install()

  private fun phone() = TestPhone(folder)

  /** An app as after its launch. */
  private fun launched(url: String, appId: String = "rfa_test"): IntelligenceClient {
    val client = IntelligenceClient(deviceEnvironment(phone(), TouchFact()))
    assertTrue(blocking { client.initialize(appId, url) })
    return client
  }

  @Test
  fun `reads facts of the contract only`() {
    val known = contract("samples/android-facts.everything").keys
    val names = deviceFacts(phone(), TouchFact()).map { it.name }
    assertEquals(emptyList<String>(), names.filter { it !in known })
    assertEquals(names.size, names.toSet().size)
  }

  @Test
  fun `a phone whose system refuses everything gets its report, and each fact that is missing has its reason`() {
    val client = launched(started("URL"), started("APP_ID"))
    val dfrId = blocking { client.fetch() }.getOrThrow().dfrId
    assertTrue((reportOf(dfrId)["sessionId"] as String).isNotEmpty())
    val faults = Faults.planned()
    blocking { launched(faults.url).fetch() }.getOrThrow()
    val config = faults.calls("device-fingerprint/config").first().body
    assertEquals(Build.VERSION.RELEASE, config["systemVersion"])
    val call = faults.calls("intelligence").first().body
    val facts = call["facts"].members()
    val missing = call["factsMissing"].members()
    for (name in listOf("language", "timezone", "hookTraces", "emulatorTraces")) assertNotNull(
      facts[name],
      name,
    )
    assertEquals("refused", missing["location"])
    for (name in listOf("sim", "proxy", "audioMode", "androidId", "touch")) assertEquals(
      "unavailable",
      missing[name],
      name,
    )
    assertEquals(
      deviceFacts(phone(), TouchFact()).map { it.name }.toSet(),
      facts.keys + missing.keys,
    )
  }

  @Test
  @Tag("since-24")
  fun `the Keystore's key proves the installation, and its certificates attest the first call`() {
    TestKeystore.canAttest = true
    val faults = Faults.planned()
    blocking { launched(faults.url).fetch() }.getOrThrow()
    blocking { launched(faults.url).fetch() }.getOrThrow()
    val (first, second) = faults.calls("intelligence")
    val challenge = MessageDigest.getInstance("SHA-256").digest(first.signedText!!.toByteArray())
    val chain = listOf(challenge, byteArrayOf(1)).map { Base64.getEncoder().encodeToString(it) }
    assertEquals(mapOf("chain" to chain), first.body["attestation"])
    assertNull(second.body["attestation"])
    assertEquals(first.body["proof", "publicKey"], second.body["proof", "publicKey"])
    assertEquals(first.body["inId"], second.body["inId"])
  }

  @Test
  @Tag("since-24")
  fun `the Keystore has one key of the SDK, and those of the app stay`() {
    TestKeystore.canAttest = true
    val pair = java.security.KeyPairGenerator.getInstance("EC").generateKeyPair()
    TestKeystore.entries["ringfenced"] = TestKeystore.Entry(pair.private, null)
    val faults = Faults.planned()
    for (appId in listOf("rfa_sandbox", "rfa_live")) {
      blocking { launched(faults.url, appId).fetch() }.getOrThrow()
    }
    val keys = faults.calls("intelligence").map { it.body["proof", "publicKey"] }
    assertEquals(2, keys.toSet().size)
    val aliases = TestKeystore.entries.keys
    assertEquals(setOf("ringfence.", "ringfenced"), aliases.map { it.take(10) }.toSet())
    assertEquals(2, aliases.size)
  }

  @Test
  @Tag("since-24")
  fun `a phone with a security chip keeps its key there, and one without in its processor`() {
    for (hasChip in listOf(true, false)) {
      TestKeystore.install()
      TestKeystore.canAttest = true
      TestKeystore.hasChip = hasChip
      val faults = Faults.planned()
      val client =
        IntelligenceClient(deviceEnvironment(TestPhone(File(folder, "$hasChip")), TouchFact()))
      assertTrue(blocking { client.initialize("rfa_test", faults.url) })
      blocking { client.fetch() }.getOrThrow()
      assertNotNull(faults.calls("intelligence").single().body["attestation"])
      val asked = TestKeystore.requests.map { it.isStrongBoxBacked }
      assertEquals(if (hasChip) listOf(true) else listOf(true, false), asked)
    }
  }

  @Test
  fun `each socket has a tag, else StrictMode ends an app`() {
    val tags = CopyOnWriteArrayList<Int>()
    val handler =
      object : URLStreamHandler() {
        override fun openConnection(url: URL): URLConnection? {
          tags.add(TrafficStats.getThreadStatsTag())
          return null
        }
      }
    val request = HttpRequest(URL(null, "https://ringfence.example", handler), emptyMap())
    val transport = deviceEnvironment(phone(), TouchFact()).transport
    assertThrows(IOException::class.java) { transport.send(request) }
    TrafficStats.setThreadStatsTag(0)
    HookTracesFact().read() // opens ports of Frida
    assertTrue(tags.single() != 0)
    assertEquals(tags.single(), TrafficStats.getThreadStatsTag())
  }

  @Test
  fun `the key signs with ECDSA of P-256 and SHA-256, and can do nothing else`() {
    blocking { launched(Faults.planned().url).fetch() }.getOrThrow()
    assertTrue(TestKeystore.requests.isNotEmpty())
    for (request in TestKeystore.requests) {
      assertEquals(KeyProperties.PURPOSE_SIGN, request.purposes)
      assertEquals(listOf(KeyProperties.DIGEST_SHA256), request.digests.toList())
      val curve = request.algorithmParameterSpec as ECGenParameterSpec
      assertEquals("secp256r1", curve.name)
    }
  }

  @Test
  fun `a phone that cannot attest proves its installation all the same`() {
    val faults = Faults.planned()
    blocking { launched(faults.url).fetch() }.getOrThrow()
    val call = faults.calls("intelligence").first().body
    assertNotNull(call["proof", "signature"])
    assertNull(call["attestation"])
  }

  @Test
  fun `a Keystore that throws, or lost its key, costs the proof or the key and not the report`() {
    val faults = Faults.planned()
    val client = launched(faults.url)
    blocking { client.fetch() }.getOrThrow()
    TestKeystore.broken = { throw IllegalStateException("a maker's Keystore") }
    blocking { client.fetch() }.getOrThrow()
    TestKeystore.broken = null
    TestKeystore.entries.clear()
    blocking { client.fetch() }.getOrThrow()
    val keys = faults.calls("intelligence").map { it.body["proof", "publicKey"] }
    assertNotNull(keys[0])
    assertNull(keys[1])
    assertTrue(keys[2] != null && keys[2] != keys[0])
  }

  @Test
  fun `values are stored for the next process, and deleted`() {
    val storage = NoBackupStorage(phone())
    assertNull(storage.text("inId"))
    storage.store("inId", "first")
    storage.store("inId", "größe 🙂")
    assertEquals("größe 🙂", NoBackupStorage(phone()).text("inId"))
    storage.store("inId", null)
    storage.store("inId", null)
    assertNull(NoBackupStorage(phone()).text("inId"))
    assertEquals(emptyList<String>(), File(folder, "ringfence").list()?.toList())
  }
}
