package ringfence

import android.security.keystore.KeyPermanentlyInvalidatedException
import android.security.keystore.StrongBoxUnavailableException
import java.io.Closeable
import java.security.InvalidAlgorithmParameterException
import java.security.InvalidKeyException
import java.security.KeyStoreException
import java.security.ProviderException
import java.security.SignatureException
import java.security.UnrecoverableKeyException
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.atomic.AtomicInteger
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertNotNull
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import ringfence.core.Environment
import ringfence.core.IntelligenceClient
import ringfence.core.Storage
import ringfence.core.TemporaryStorage
import ringfence.device.KeystoreKey

/** Keystores that fail, each of their methods in each way. */
class BadKeystoreTest {
  private val log = Log()
  private lateinit var faults: Faults

  @BeforeEach
  fun install() {
    TestKeystore.install()
    faults = Faults.planned()
  }

  private val methods =
    listOf(
      "load",
      "getKey",
      "getCertificate",
      "getCertificateChain",
      "aliases",
      "deleteEntry",
      "initialize",
      "generateKeyPair",
      "initSign",
      "update",
      "sign",
    )
  private val errors =
    listOf(
      { KeyPermanentlyInvalidatedException() },
      { UnrecoverableKeyException() },
      { KeyStoreException() },
      { ProviderException() },
      { StrongBoxUnavailableException() },
      { InvalidKeyException() },
      { InvalidAlgorithmParameterException() },
      { SignatureException() },
      { IllegalStateException() },
      { SecurityException() },
      { NullPointerException() },
      { NoSuchMethodError() },
    )

  private fun launched(storage: Storage): IntelligenceClient =
    initialized(
      faults,
      Environment(
        "x",
        QuickClock(),
        storage = storage,
        facts = emptyList(),
        key = KeystoreKey(),
        log = log,
      ),
    )

  private fun fetch(client: IntelligenceClient, times: Int = 1) =
    repeat(times) { assertTrue(blocking { client.fetch() }.isSuccess) }

  private fun proofs(): List<Any?> =
    faults.calls("intelligence").map { it.body["proof", "publicKey"] }

  @Test
  fun `a Keystore each of whose methods throws each exception costs no report and makes few keys, and proves again when it works again`() {
    val called = CopyOnWriteArrayList<String>()
    for (hasKey in listOf(false, true)) for (method in methods) for (error in errors) {
      install()
      TestKeystore.canAttest = true
      val storage = TemporaryStorage()
      if (hasKey) fetch(launched(storage))
      if (method == "deleteEntry") TestKeystore.hardware = 2 // so that the key is replaced
      TestKeystore.broken = {
        called.add(it)
        if (it == method) throw error()
      }
      val client = launched(storage)
      fetch(client, times = 4)
      val what = "$method throws ${error()}"
      assertTrue(TestKeystore.requests.size <= 1 + 3 * 3, "$what: ${TestKeystore.requests.size}")
      TestKeystore.broken = null
      fetch(client)
      assertNotNull(proofs().last(), "$what, and works again")
    }
    assertEquals(methods.toSet(), called.toSet(), "the SDK calls each method")
  }

  @Test
  fun `a system without a Keystore costs no report, and proves when it has one`() {
    TestKeystore.remove()
    val client = launched(TemporaryStorage())
    fetch(client, times = 2)
    TestKeystore.install()
    fetch(client)
    assertEquals(listOf(true, true, false), proofs().map { it == null })
  }

  @Test
  fun `a key that exists and cannot sign, as on the hardware of another phone, is replaced at once and once`() {
    val storage = TemporaryStorage()
    fetch(launched(storage))
    TestKeystore.hardware = 2
    val client = launched(storage)
    fetch(client, times = 3)
    val (old, first, second, third) = proofs()
    assertNotNull(first)
    assertNotEquals(old, first)
    assertEquals(listOf(first, first), listOf(second, third))
    assertEquals(2, log.lines.count { it.contains("of other hardware") }, "${log.lines}")
  }

  @Test
  fun `a key that a process left when it ended is deleted by the next one, and no other entry of the app is`() {
    val storage = TemporaryStorage()
    fetch(launched(storage))
    val own = TestKeystore.entries.keys.single()
    val entry = TestKeystore.entries.getValue(own)
    for (name in listOf("ringfence.left", "of the app")) TestKeystore.entries[name] = entry
    fetch(launched(storage))
    until { TestKeystore.entries.keys == setOf(own, "of the app") }
    assertEquals(1, proofs().toSet().size)
  }

  private val sweeps = AtomicInteger()

  /** A storage was asked by the work that deletes keys. */
  private fun noteSweep() {
    if (Throwable().stackTrace.any { it.methodName == "sweep" }) sweeps.incrementAndGet()
  }

  @Test
  fun `a process that cannot read which key is in use, or gets no lock, deletes none`() {
    val stored = TemporaryStorage()
    fetch(launched(stored))
    TestKeystore.endProcess()
    val entry = TestKeystore.entries.values.single()
    TestKeystore.entries["ringfence.left"] = entry
    val names = TestKeystore.entries.keys.toSet()
    val closed =
      listOf(
        object : Storage by stored {
          override fun text(name: String) =
            if (name == "key") null.also { noteSweep() } else stored.text(name)

          override fun store(name: String, text: String?) = throw java.io.IOException("locked")
        },
        object : Storage by stored {
          override fun lock(name: String): Closeable {
            noteSweep()
            throw java.util.concurrent.TimeoutException(name)
          }
        },
      )
    for (storage in closed) {
      val before = sweeps.get()
      fetch(launched(storage), times = 2)
      until { sweeps.get() > before } // and there is nothing that it would do after it
      assertTrue(TestKeystore.entries.keys.containsAll(names), "${TestKeystore.entries.keys}")
    }
  }

  @Test
  fun `an entry without key, certificate or chain gets a new key`() {
    val storage = TemporaryStorage()
    fetch(launched(storage))
    val odd =
      listOf<(TestKeystore.Entry) -> TestKeystore.Entry>(
        { TestKeystore.Entry(null, it.chain) },
        { TestKeystore.Entry(it.key, null) },
        { TestKeystore.Entry(null, null) },
      )
    for (oddOf in odd) {
      val alias = TestKeystore.entries.keys.single()
      TestKeystore.entries[alias] = oddOf(TestKeystore.entries.getValue(alias))
      val before = proofs().last()
      fetch(launched(storage))
      assertNotNull(proofs().last())
      assertNotEquals(before, proofs().last())
    }
  }

  @Test
  @Tag("since-24")
  fun `an attested key whose chain is missing for a while is attested later`() {
    for (error in errors.filter { it() is Exception }) {
      TestKeystore.install()
      TestKeystore.canAttest = true
      val client = launched(TemporaryStorage())
      TestKeystore.broken = { if (it == "getCertificateChain") throw error() }
      fetch(client)
      TestKeystore.broken = null
      fetch(client, times = 2)
      val calls = faults.calls("intelligence").takeLast(3).map { it.body }
      assertEquals(1, calls.map { it["proof", "publicKey"] }.toSet().size, "${error()}")
      assertNull(calls[0]["attestation"])
      assertEquals(calls[0]["requestId"], calls[1]["attestation", "madeFor", "requestId"])
      assertNull(calls[2]["attestation"])
    }
  }

  @Test
  @Tag("since-24")
  fun `a security chip that throws anything leaves the key to the processor, and its certificates are sent`() {
    for (error in errors.filter { it() is Exception }) {
      TestKeystore.install()
      TestKeystore.canAttest = true
      var isFirst = true
      TestKeystore.broken = {
        if (it == "generateKeyPair" && isFirst) {
          isFirst = false
          throw error()
        }
      }
      fetch(launched(TemporaryStorage()))
      assertNotNull(faults.calls("intelligence").last().body["attestation"], "${error()}")
      assertEquals(listOf(false), TestKeystore.requests.map { it.isStrongBoxBacked })
    }
  }
}
