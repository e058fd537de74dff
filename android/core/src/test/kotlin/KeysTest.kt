package ringfence

import java.io.Closeable
import java.io.IOException
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotNull
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import ringfence.core.Clock
import ringfence.core.Environment
import ringfence.core.IntelligenceClient
import ringfence.core.Storage
import ringfence.core.TemporaryStorage

private const val DAY = 86_400_000L

/** Which key does an installation use, and when does it send what attests it? */
class KeysTest {
  private val log = Log()
  private val chain = listOf(byteArrayOf(1), byteArrayOf(2))

  private fun environment(key: SoftwareKey, storage: Storage, clock: Clock = QuickClock()) =
    Environment("com.example.shop", clock, storage = storage, key = key, log = log)

  private fun fetched(client: IntelligenceClient, count: Int = 1) =
    repeat(count) { blocking { client.fetch() }.getOrThrow() }

  private fun keysOf(calls: List<Call>) = calls.map { it.body["proof", "publicKey"] }

  @Test
  fun `each app id gets a key of its own, whose certificates come with its first call`() {
    val key = SoftwareKey(chain)
    val storage = TemporaryStorage()
    val faults = Faults.planned()
    for (appId in listOf("rfa_sandbox", "rfa_live")) {
      val client = IntelligenceClient(environment(key, storage))
      assertTrue(blocking { client.initialize(appId, faults.url) })
      fetched(client, 2)
    }
    val calls = faults.calls("intelligence")
    assertEquals(listOf(true, false, true, false), calls.map { "attestation" in it.body })
    assertTrue(calls.all { it.body["attestation", "madeFor"] == null })
    assertEquals(2, keysOf(calls).toSet().size)
    assertEquals(1, key.pairs.size, "the other one is deleted")
  }

  @Test
  fun `certificates come again in the same fetch when the service asks, once in a process`() {
    val asks = mapOf("attest" to true)
    val storage = TemporaryStorage()
    val key = SoftwareKey(chain)
    val faults = Faults.planned("intelligence" to listOf("usual", asks, asks, asks, asks, asks))
    fetched(initialized(faults, environment(key, storage)), 4)
    fetched(initialized(faults, environment(key, storage)), 3)
    val calls = faults.calls("intelligence")
    val sent = listOf(true, false, true, false, false, false, true, false, false)
    assertEquals(sent, calls.map { "attestation" in it.body })
    val madeFor = listOf("tsId", "challenge", "requestId").associateWith { calls[0].body[it] }
    for (call in listOf(calls[2], calls[6])) {
      assertEquals(madeFor, call.body["attestation", "madeFor"].members() - "bodyDigest")
    }
    assertEquals(1, keysOf(calls).toSet().size)
    assertEquals(calls.size, calls.map { it.body["requestId"] }.toSet().size)
    val pushed = faults.calls("device-fingerprint").map { it.body["requestId"] }
    assertEquals(listOf(0, 2, 3, 4, 6, 7, 8).map { calls[it].body["requestId"] }, pushed)
  }

  @Test
  fun `a service that asks for certificates and then refuses the call costs them, and not the report`() {
    for (refusal in listOf(403, 503)) {
      val key = SoftwareKey(chain)
      val storage = TemporaryStorage()
      val faults =
        Faults.planned("intelligence" to listOf("usual", mapOf("attest" to true), refusal))
      fetched(initialized(faults, environment(key, storage)), 2)
      val asked = faults.calls("intelligence")[1].body["requestId"]
      assertEquals(asked, faults.calls("device-fingerprint").last().body["requestId"])
      fetched(initialized(faults, environment(key, storage)))
      assertNotNull(faults.calls("intelligence").last().body["attestation"], "in the next process")
    }
  }

  @Test
  fun `a phone that has no certificates to send calls once in a fetch, whatever the service asks`() {
    val asks = mapOf("attest" to true)
    val faults = Faults.planned("intelligence" to listOf(asks, asks, asks))
    fetched(initialized(faults, environment(SoftwareKey(), TemporaryStorage())), 3)
    assertEquals(3, faults.calls("intelligence").size)
  }

  @Test
  fun `certificates come again after a month, because the service deletes keys that nobody uses`() {
    val storage = TemporaryStorage()
    val key = SoftwareKey(chain)
    val faults = Faults.planned()
    for (day in listOf(0L, 29L, 31L, 32L, 200L, -1L)) {
      fetched(initialized(faults, environment(key, storage, QuickClock(day * DAY))))
    }
    val calls = faults.calls("intelligence")
    val sent = listOf(true, false, true, false, true, true)
    assertEquals(sent, calls.map { "attestation" in it.body })
    assertEquals(1, keysOf(calls).toSet().size)
  }

  /** A phone that has no keys for attestation at first. */
  private class LateKey : SoftwareKey() {
    var canAttest = false
    private val attested = HashSet<String>()

    override fun make(name: String, challenge: ByteArray) {
      super.make(name, challenge)
      if (canAttest) attested.add(name)
    }

    override fun certificates(name: String) =
      if (name in attested) listOf(byteArrayOf(1), byteArrayOf(2)) else emptyList()
  }

  @Test
  fun `a phone that could not attest its key tries another one each day, and changes to it once it is attested`() {
    val storage = TemporaryStorage()
    val key = LateKey()
    val faults = Faults.planned()
    fun fetchedAt(hours: Long) =
      fetched(initialized(faults, environment(key, storage, QuickClock(hours * 3_600_000L))))
    val tries = listOf(0L, 1L, 25L, 26L, 50L).map { fetchedAt(it).run { key.challenges.size } }
    assertEquals(listOf(1, 1, 2, 2, 3), tries)
    assertEquals(1, key.pairs.size, "what is not attested is deleted")
    key.canAttest = true
    for (hours in listOf(51L, 75L, 76L, 100L)) fetchedAt(hours)
    assertEquals(4, key.challenges.size, "an attested key stays")
    val calls = faults.calls("intelligence")
    assertEquals(1, keysOf(calls).take(6).toSet().size)
    assertEquals(2, keysOf(calls).toSet().size)
    assertEquals(listOf(6), calls.indices.filter { "attestation" in calls[it].body })
    assertNull(calls[6].body["attestation", "madeFor"], "the call is the one it was made for")
  }

  @Test
  fun `a key that is older than a week stays, attested or not, because another one is a new installation`() {
    val storage = TemporaryStorage()
    val key = LateKey()
    val faults = Faults.planned()
    for (day in listOf(0L, 8L, 9L, 400L)) {
      fetched(initialized(faults, environment(key, storage, QuickClock(day * DAY))))
      key.canAttest = true
    }
    assertEquals(1, keysOf(faults.calls("intelligence")).toSet().size)
    assertEquals(1, key.challenges.size)
  }

  @Test
  fun `a new key that the Keystore cannot make costs neither the old one nor the proof`() {
    val storage = TemporaryStorage()
    var isBroken = false
    val key =
      object : SoftwareKey() {
        override fun make(name: String, challenge: ByteArray) =
          if (isBroken) throw IllegalStateException("Keystore") else super.make(name, challenge)
      }
    val faults = Faults.planned()
    fetched(initialized(faults, environment(key, storage)))
    isBroken = true
    fetched(initialized(faults, environment(key, storage, QuickClock(2 * DAY))), 2)
    val keys = keysOf(faults.calls("intelligence"))
    assertNotNull(keys[0])
    assertEquals(1, keys.toSet().size)
  }

  /** As of a phone that was started and not unlocked: nothing is there, and nothing can be. */
  private class LockedStorage(private val storage: Storage) : Storage {
    var isLocked = false

    override fun text(name: String) = if (isLocked) null else storage.text(name)

    override fun store(name: String, text: String?) =
      if (isLocked) throw IOException("locked") else storage.store(name, text)

    override fun lock(name: String): Closeable =
      if (isLocked) throw IOException("locked") else storage.lock(name)
  }

  @Test
  fun `a process that starts before the phone is unlocked does not replace the key that it cannot see`() {
    val storage = LockedStorage(TemporaryStorage())
    val key = SoftwareKey(chain)
    val faults = Faults.planned()
    fetched(initialized(faults, environment(key, storage)))
    storage.isLocked = true
    val early = initialized(faults, environment(key, storage))
    fetched(early, 2)
    storage.isLocked = false
    fetched(early)
    fetched(initialized(faults, environment(key, storage)))
    val keys = keysOf(faults.calls("intelligence"))
    assertEquals(keys[1], keys[2], "one for the time being")
    assertEquals(listOf(keys[0], keys[0]), keys.drop(3))
  }
}
