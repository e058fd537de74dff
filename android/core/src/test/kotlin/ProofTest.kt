package ringfence

import java.math.BigInteger
import java.security.KeyPair
import java.security.KeyPairGenerator
import java.security.Signature
import java.security.interfaces.ECPublicKey
import java.security.spec.ECGenParameterSpec
import java.util.Base64
import java.util.concurrent.CopyOnWriteArrayList
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import ringfence.core.Environment
import ringfence.core.IntelligenceClient
import ringfence.core.Storage
import ringfence.core.TemporaryStorage
import ringfence.core.facts.SimpleFact
import ringfence.core.proof.InstallationKey
import ringfence.core.proof.InstallationProof
import ringfence.core.proof.KeyProof
import ringfence.core.proof.sha256

/** A key of this JVM, in place of the Keystore. */
open class SoftwareKey(private val chain: List<ByteArray> = emptyList()) : InstallationKey {
  val challenges = CopyOnWriteArrayList<ByteArray>()
  var pair: KeyPair? = null

  override fun sign(text: ByteArray): KeyProof? {
    val pair = this.pair ?: return null
    val signature =
      Signature.getInstance("SHA256withECDSA").run {
        initSign(pair.private)
        update(text)
        sign()
      }
    val point = (pair.public as ECPublicKey).w
    return KeyProof(byteArrayOf(4) + bytes(point.affineX) + bytes(point.affineY), signature)
  }

  override fun replace(challenge: ByteArray) {
    challenges.add(challenge)
    pair =
      KeyPairGenerator.getInstance("EC").run {
        initialize(ECGenParameterSpec("secp256r1"))
        generateKeyPair()
      }
  }

  override fun certificates(): List<ByteArray> = chain

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
    val otherPhone = report(real(environment(key, storage, "%016x".format(System.nanoTime()))))
    assertEquals(true, otherPhone["appTampering"], "the key with an id of another phone")
    assertEquals(emptyList<String>(), log.lines)
  }

  @Test
  fun `the certificates of a new key attest the signed text of its call, and only the first accepted call has them`() {
    val chain = listOf(byteArrayOf(1, 2, 3), byteArrayOf(4, 5))
    val key = SoftwareKey(chain)
    val faults = Faults.planned("intelligence" to listOf(404))
    val client = initialized(faults, environment(key))
    failureOf(client)
    repeat(2) { blocking { client.fetch() }.getOrThrow() }
    val calls = faults.calls("intelligence")
    assertEquals(2, key.challenges.size, "a key whose call was refused is replaced")
    for (call in calls.take(2)) {
      assertEquals(mapOf("chain" to listOf("AQID", "BAU=")), call.body["attestation"])
    }
    assertNull(calls[2].body["attestation"])
    assertEquals(calls[1].body["proof", "publicKey"], calls[2].body["proof", "publicKey"])
    assertNotEquals(calls[0].body["proof", "publicKey"], calls[1].body["proof", "publicKey"])
    for ((call, challenge) in calls.zip(key.challenges)) {
      assertEquals(
        Base64.getEncoder().encodeToString(sha256(call.signedText!!.toByteArray())),
        Base64.getEncoder().encodeToString(challenge),
      )
    }
    val verified =
      Signature.getInstance("SHA256withECDSA").run {
        initVerify(key.pair!!.public)
        update(calls[2].signedText!!.toByteArray())
        verify(Base64.getUrlDecoder().decode(calls[2].body["proof", "signature"] as String))
      }
    assertTrue(verified)
  }

  @Test
  fun `a key of a restored backup, which the Keystore of this phone does not have, is made anew`() {
    val restored = TemporaryStorage().also { it.store("keyAccepted", "true") }
    val key = SoftwareKey()
    val client = initialized(Faults.planned(), environment(key, restored))
    repeat(2) { blocking { client.fetch() }.getOrThrow() }
    assertEquals(1, key.challenges.size)
  }

  @Test
  fun `a Keystore that throws on any of its functions leaves the call without a proof, and the log says why`() {
    val broken =
      listOf(
        object : SoftwareKey() {
          override fun replace(challenge: ByteArray) = throw IllegalStateException("Keystore")
        },
        object : SoftwareKey() {
          override fun sign(text: ByteArray) = throw StackOverflowError("Keystore")
        },
        object : SoftwareKey() {
          override fun certificates() = throw java.security.KeyStoreException("Keystore")
        },
        object : SoftwareKey() {
          override fun sign(text: ByteArray): KeyProof? = null
        },
      )
    for (key in broken) {
      val faults = Faults.planned()
      val client = initialized(faults, environment(key))
      val before = log.lines.size
      repeat(2) { blocking { client.fetch() }.getOrThrow() }
      assertEquals(listOf<Any?>(null, null), faults.calls("intelligence").map { it.body["proof"] })
      assertEquals(
        2,
        log.lines.drop(before).count { it.startsWith("the call has no proof: ") },
        "${log.lines}",
      )
    }
  }

  @Test
  fun `a Keystore that hangs delays a call by the limit, and later ones not at all`() {
    val hanging =
      object : SoftwareKey() {
        override fun replace(challenge: ByteArray) = Thread.sleep(60_000)
      }
    val proof = InstallationProof(hanging, TemporaryStorage(), log, limitMillis = 50)
    val body = mapOf("requestId" to "r")
    repeat(3) { assertEquals(body, proof.prove(body).body) }
    val texts =
      listOf("the Keystore took longer than 50 ms") +
        List(2) { "the Keystore is busy with an earlier call" }
    assertEquals(texts.map { "the call has no proof: $it" }, log.lines)
  }
}
