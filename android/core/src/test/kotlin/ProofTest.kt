package ringfence

import java.math.BigInteger
import java.security.KeyPair
import java.security.KeyPairGenerator
import java.security.Signature
import java.security.interfaces.ECPublicKey
import java.security.spec.ECGenParameterSpec
import java.util.Base64
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.CountDownLatch
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import ringfence.core.Environment
import ringfence.core.ForgivingStorage
import ringfence.core.IntelligenceClient
import ringfence.core.Storage
import ringfence.core.SystemClock
import ringfence.core.TemporaryStorage
import ringfence.core.calls.Caller
import ringfence.core.facts.SimpleFact
import ringfence.core.proof.InstallationKey
import ringfence.core.proof.InstallationProof
import ringfence.core.proof.KeyProof
import ringfence.core.proof.sha256

/** Keys of this JVM, in place of the Keystore. `pair`: the last one that was made. */
open class SoftwareKey(private val chain: List<ByteArray> = emptyList()) : InstallationKey {
  val challenges = CopyOnWriteArrayList<ByteArray>()
  val pairs = ConcurrentHashMap<String, KeyPair>()
  var pair: KeyPair? = null

  override fun sign(name: String, text: ByteArray): KeyProof? {
    val pair = pairs[name] ?: return null
    val signature =
      Signature.getInstance("SHA256withECDSA").run {
        initSign(pair.private)
        update(text)
        sign()
      }
    val point = (pair.public as ECPublicKey).w
    return KeyProof(byteArrayOf(4) + bytes(point.affineX) + bytes(point.affineY), signature)
  }

  override fun make(name: String, challenge: ByteArray) {
    challenges.add(challenge)
    pair =
      KeyPairGenerator.getInstance("EC").run {
        initialize(ECGenParameterSpec("secp256r1"))
        generateKeyPair()
      }
    pairs[name] = pair!!
  }

  override fun certificates(name: String): List<ByteArray> = chain

  override fun keepOnly(name: String) {
    pairs.keys.retainAll(setOf(name))
  }

  private fun bytes(number: BigInteger): ByteArray =
    number.toByteArray().let { ByteArray(maxOf(0, 32 - it.size)) + it.takeLast(32) }
}

class ProofTest {
  private val log = Log()

  private fun environment(
    key: InstallationKey,
    storage: Storage = TemporaryStorage(),
    id: String = "9774d56d682e549c",
  ) =
    Environment(
      started("PACKAGE_NAME"),
      storage = storage,
      key = key,
      log = log,
      facts =
        listOf(
          SimpleFact("androidId") { id },
          SimpleFact("deviceModel") { mapOf("brand" to "google") },
          SimpleFact("appIntegrity") {
            contract("samples/android-facts.everything")["appIntegrity"]
          },
        ),
    )

  private fun real(environment: Environment) =
    IntelligenceClient(environment).also { client ->
      assertTrue(blocking { client.initialize(started("APP_ID"), started("URL")) })
    }

  private fun report(client: IntelligenceClient) =
    reportOf(blocking { client.fetch() }.getOrThrow().dfrId)

  @Test
  fun `the service verifies the proof, and another key with the ids of the phone is another installation`() {
    val key = SoftwareKey()
    val storage = TemporaryStorage()
    val id = "%016x".format(System.nanoTime())
    val client = real(environment(key, storage, id))
    val first = report(client)
    assertEquals(true, first["newDevice"])
    assertEquals(false, first["appTampering"])
    val again = report(client)
    assertEquals(first["deviceId"], again["deviceId"])
    assertEquals(1, key.challenges.size)
    val relaunched = report(real(environment(key, storage, id)))
    assertEquals(first["deviceId"], relaunched["deviceId"])
    assertEquals(1, key.challenges.size, "a launched app uses its key")
    val otherId = "%016x".format(System.nanoTime())
    report(real(environment(SoftwareKey(), TemporaryStorage(), otherId)))
    val copied = report(real(environment(key, storage, otherId)))
    assertEquals(true, copied["appTampering"], "the key with the id of another phone")
    assertEquals(emptyList<String>(), log.lines)
  }

  @Test
  fun `the certificates of a new key come with each call until one is accepted, and say for which call it was made`() {
    val key = SoftwareKey(listOf(byteArrayOf(1, 2, 3), byteArrayOf(4, 5)))
    val storage = TemporaryStorage()
    val faults = Faults.planned("intelligence" to listOf(404, 404))
    repeat(2) { failureOf(initialized(faults, environment(key, storage))) }
    val client = initialized(faults, environment(key, storage))
    repeat(2) { blocking { client.fetch() }.getOrThrow() }
    val calls = faults.calls("intelligence")
    assertEquals(1, key.challenges.size)
    assertEquals(1, calls.map { it.body["proof", "publicKey"] }.toSet().size)
    assertEquals(mapOf("chain" to listOf("AQID", "BAU=")), calls[0].body["attestation"])
    val values = listOf("tsId", "challenge", "requestId").associateWith { calls[0].body[it] }
    for (call in calls.subList(1, 3)) {
      val madeFor = call.body["attestation", "madeFor"].members()
      assertEquals(values, madeFor - "bodyDigest")
      val text = listOf("ringfence-proof-v1") + values.values + madeFor["bodyDigest"]
      assertEquals(calls[0].signedText, text.joinToString("\n"))
      assertEquals(listOf("AQID", "BAU="), call.body["attestation", "chain"])
    }
    assertNull(calls[3].body["attestation"])
    assertTrue(sha256(calls[0].signedText!!.toByteArray()).contentEquals(key.challenges.single()))
    for (call in calls) {
      val isVerified =
        Signature.getInstance("SHA256withECDSA").run {
          initVerify(key.pair!!.public)
          update(call.signedText!!.toByteArray())
          verify(Base64.getUrlDecoder().decode(call.body["proof", "signature"] as String))
        }
      assertTrue(isVerified)
    }
  }

  @Test
  fun `another service gets a key of its own, because it did not see the certificates of the first`() {
    val key = SoftwareKey(listOf(byteArrayOf(1), byteArrayOf(2)))
    val storage = TemporaryStorage()
    for (faults in List(2) { Faults.planned() }) {
      val client = initialized(faults, environment(key, storage))
      repeat(2) { blocking { client.fetch() }.getOrThrow() }
      assertEquals(
        listOf(true, false),
        faults.calls("intelligence").map { "attestation" in it.body },
      )
    }
    assertEquals(2, key.challenges.size)
  }

  @Test
  fun `a key of a restored backup, which the Keystore of this phone does not have, is made anew`() {
    val restored = TemporaryStorage()
    val key = SoftwareKey()
    val faults = Faults.planned()
    blocking { initialized(faults, environment(SoftwareKey(), restored)).fetch() }.getOrThrow()
    val client = initialized(faults, environment(key, restored))
    repeat(2) { blocking { client.fetch() }.getOrThrow() }
    assertEquals(1, key.challenges.size)
  }

  @Test
  fun `a Keystore whose new keys cannot sign leaves the call without a proof, the log says why, and no call makes keys without end`() {
    val broken =
      mapOf(
        object : SoftwareKey() {
          override fun make(name: String, challenge: ByteArray) =
            throw IllegalStateException("Keystore")
        } to 0,
        object : SoftwareKey() {
          override fun sign(name: String, text: ByteArray) = throw StackOverflowError("Keystore")
        } to 1,
        object : SoftwareKey() {
          override fun sign(name: String, text: ByteArray) =
            throw java.security.SignatureException("Keystore")
        } to 3,
        object : SoftwareKey() {
          override fun sign(name: String, text: ByteArray): KeyProof? = null
        } to 3,
      )
    for ((key, made) in broken) {
      val faults = Faults.planned()
      val client = initialized(faults, environment(key))
      val before = log.lines.size
      repeat(6) { blocking { client.fetch() }.getOrThrow() }
      assertEquals(setOf<Any?>(null), faults.calls("intelligence").map { it.body["proof"] }.toSet())
      assertEquals(
        6,
        log.lines.drop(before).count { it.startsWith("the call has no proof: ") },
        "${log.lines}",
      )
      assertEquals(made, key.challenges.size, "keys that were made")
    }
  }

  @Test
  fun `a key that exists and cannot sign is replaced by one that can, at once and once`() {
    val errors =
      listOf(
        java.security.InvalidKeyException("of other hardware"),
        java.security.UnrecoverableKeyException("of a backup"),
        java.security.ProviderException("of a system that lost its keys"),
        NullPointerException("of a maker"),
      )
    for (error in errors) {
      val storage = TemporaryStorage()
      val id = "%016x".format(System.nanoTime())
      val old = report(real(environment(SoftwareKey(), storage, id)))
      var isOld = true
      val key =
        object : SoftwareKey() {
          override fun make(name: String, challenge: ByteArray) =
            super.make(name, challenge).also { isOld = false }

          override fun sign(name: String, text: ByteArray) =
            if (isOld) throw error else super.sign(name, text)
        }
      val client = real(environment(key, storage, id))
      val (first, second) = List(2) { report(client) }
      assertEquals(1, key.challenges.size, "$error")
      assertEquals(
        listOf(2, 0),
        log.lines.partition { it.contains("$error") }.let { (a, b) -> listOf(a.size, b.size) },
      )
      log.lines.clear()
      for (report in listOf(first, second)) {
        assertEquals(
          old["deviceId"],
          report["deviceId"],
          "the service says that it is the same phone",
        )
        assertEquals(false, report["appTampering"])
        assertEquals(false, report["newDevice"])
      }
    }
  }

  @Test
  fun `a Keystore that is busy once does not cost the key`() {
    var fails = 0
    val key =
      object : SoftwareKey() {
        override fun sign(name: String, text: ByteArray) =
          if (fails-- > 0) throw java.security.SignatureException("too many operations")
          else super.sign(name, text)
      }
    val faults = Faults.planned()
    val client = initialized(faults, environment(key))
    repeat(3) {
      blocking { client.fetch() }.getOrThrow()
      fails = 1
    }
    assertEquals(1, key.challenges.size)
    assertEquals(1, faults.calls("intelligence").map { it.body["proof", "publicKey"] }.toSet().size)
  }

  @Test
  fun `a Keystore that does not return certificates costs them and not the proof, and they come with a later call`() {
    var fails = true
    val key =
      object : SoftwareKey() {
        override fun certificates(name: String) =
          if (fails) throw java.security.KeyStoreException("Keystore")
          else listOf(byteArrayOf(1), byteArrayOf(2))
      }
    val faults = Faults.planned()
    val client = initialized(faults, environment(key))
    blocking { client.fetch() }.getOrThrow()
    fails = false
    repeat(2) { blocking { client.fetch() }.getOrThrow() }
    val calls = faults.calls("intelligence").map { it.body }
    assertEquals(1, calls.map { it["proof", "publicKey"] }.toSet().size)
    assertTrue(calls.all { "proof" in it })
    assertEquals(listOf(false, true, false), calls.map { "attestation" in it })
    assertEquals(calls[0]["requestId"], calls[1]["attestation", "madeFor", "requestId"])
  }

  @Test
  fun `storage that was restored onto another phone does not make it the old phone`() {
    val key = SoftwareKey()
    val storage = TemporaryStorage()
    val (id, otherId) = List(2) { "%016x".format(System.nanoTime()) }
    val old = report(real(environment(key, storage, id)))
    val restored = TemporaryStorage()
    for (name in listOf("inId", "key")) restored.store(name, storage.text(name))
    val phone = real(environment(SoftwareKey(), restored, otherId))
    repeat(2) {
      val report = report(phone)
      assertNotEquals(old["deviceId"], report["deviceId"])
      assertEquals(it == 0, report["newDevice"])
      assertEquals(false, report["appTampering"])
    }
    assertEquals(old["deviceId"], report(real(environment(key, storage, id)))["deviceId"])
  }

  @Test
  fun `a Keystore that hangs delays a call by the limit, and later ones not at all`() {
    val (began, end) = List(2) { CountDownLatch(1) }
    val hanging =
      object : SoftwareKey() {
        override fun make(name: String, challenge: ByteArray) {
          began.countDown()
          end.await()
        }
      }
    val proof =
      InstallationProof(
        hanging,
        ForgivingStorage(TemporaryStorage(), log),
        Caller("", "", "", ""),
        SystemClock,
        log,
        limitMillis = 50,
      )
    val body = mapOf("requestId" to "r")
    assertEquals(body, proof.prove(body))
    began.await()
    proof.limitMillis = 60_000
    repeat(2) { assertEquals(body, proof.prove(body)) }
    end.countDown()
    val texts =
      listOf("the Keystore took longer than 50 ms") +
        List(2) { "the Keystore is busy with an earlier call" }
    assertEquals(texts.map { "the call has no proof: $it" }, log.lines)
  }
}
