package ringfence

import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.CountDownLatch
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import ringfence.core.Environment
import ringfence.core.TemporaryStorage
import ringfence.core.UpdateInfo
import ringfence.core.facts.Fact
import ringfence.core.facts.FactReader
import ringfence.core.facts.SimpleFact
import ringfence.core.json.JsonObject

class WireTest {
  private class Sent(val engineCall: JsonObject, val push: JsonObject)

  private fun sent(
    params: Map<String, *>? = null,
    updateInfo: UpdateInfo? = null,
    environment: Environment = Environment("com.example.shop", log = Log()),
  ): Sent {
    val faults = Faults.planned()
    val client = initialized(faults, environment)
    assertTrue(called { client.fetch(params, updateInfo, it) }.success)
    return Sent(
      faults.calls("intelligence").first().body,
      faults.calls("device-fingerprint").first().body,
    )
  }

  @Test
  fun `4_7 rule 1 - params are sent unchanged, without reserved names`() {
    val reserved =
      listOf("data", "status", "requestId", "message", "tsId", "inId", "platform", "appId")
    val params =
      mapOf(
        "orderId" to "A-1",
        "größe 尺寸 🙂" to "ñ",
        "" to "empty name",
        "empty" to "",
        "nothing" to null,
        "none" to emptyMap<String, Any>(),
        "one" to 1,
        "zero" to 0,
        "yes" to true,
        "no" to false,
        "share" to 0.1,
        "list" to listOf(1, "two", listOf(3.5, false)),
        "nested" to mapOf("a" to mapOf("b" to "c")),
      )
    val sent = sent(params + reserved.associateWith { "mine" })
    val push = sent.push
    assertEquals(
      mapOf(
        "orderId" to "A-1",
        "größe 尺寸 🙂" to "ñ",
        "" to "empty name",
        "empty" to "",
        "nothing" to null,
        "none" to emptyMap<String, Any>(),
        "one" to 1L,
        "zero" to 0L,
        "yes" to true,
        "no" to false,
        "share" to 0.1,
        "list" to listOf(1L, "two", listOf(3.5, false)),
        "nested" to mapOf("a" to mapOf("b" to "c")),
      ),
      push - reserved.toSet(),
    )
    for (name in listOf("requestId", "tsId", "inId")) assertEquals(
      sent.engineCall[name],
      push[name],
    )
    val own =
      mapOf("status" to "SUCCESS", "message" to "", "platform" to "ANDROID", "appId" to "rfa_test")
    assertEquals(own, push.filterKeys { it in own })
    assertEquals(
      mapOf("requestId" to sent.engineCall["requestId"], "analysis" to "sealed"),
      push["data"],
    )
  }

  @Test
  fun `the analysis of the engine call comes back with the push, and an older service returns none`() {
    val faults = Faults.planned("intelligence" to listOf("without analysis"))
    val client = initialized(faults, Environment("com.example.shop", log = Log()))
    for (expected in listOf(null, "sealed")) {
      blocking { client.fetch() }.getOrThrow()
      assertEquals(expected, faults.calls("device-fingerprint").last().body["data", "analysis"])
    }
    assertEquals(listOf<Any?>(true, true), faults.calls("intelligence").map { it.body["carry"] })
  }

  @Test
  fun `4_7 rule 2 - unknown names and invalid enum strings are dropped`() {
    val values =
      mapOf(
        "userId" to "u1",
        "phoneNumber" to 49,
        "phoneInputType" to "COPY_PASTED",
        "otpInputType" to "autoFilled",
        "userEventType" to "login",
        "merchantId" to "",
        "other" to "x",
        "additionalInput" to mapOf("a" to "b", "c" to 1),
      )
    assertEquals(
      mapOf(
        "userId" to "u1",
        "phoneInputType" to "COPY_PASTED",
        "merchantId" to "",
        "additionalInput" to mapOf("a" to "b"),
      ),
      sent(updateInfo = UpdateInfo.of(values)).engineCall["updateInfo"],
    )
  }

  @Test
  fun `2_7 - every case of UpdateInfo is sent as the name that the service knows`() {
    fun names(values: Array<out Enum<*>>) = values.map { it.name }
    assertEquals(
      listOf("MANUAL", "COPY_PASTED", "GOOGLE_HINT"),
      names(UpdateInfo.PhoneInputType.values()),
    )
    assertEquals(
      listOf("MANUAL", "COPY_PASTED", "AUTO_FILLED"),
      names(UpdateInfo.OtpInputType.values()),
    )
    assertEquals(
      listOf("LOGIN", "SIGNUP", "TRANSACTION", "OTHERS"),
      names(UpdateInfo.UserEventType.values()),
    )
    for (type in UpdateInfo.UserEventType.values()) {
      assertEquals(type, UpdateInfo.of(mapOf("userEventType" to type.name)).userEventType)
    }
  }

  @Test
  fun `ids are UUID and epoch seconds, and the installation id stays the same`() {
    val storage = TemporaryStorage()
    fun launched() =
      sent(environment = Environment("com.example.shop", storage = storage, log = Log())).engineCall
    val (first, second) = List(2) { launched() }
    val shape = Regex("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-[0-9]{10}")
    for (name in listOf("inId", "tsId")) assertTrue(
      shape.matches(first[name] as String),
      "${first[name]}",
    )
    assertEquals(first["inId"], second["inId"])
    assertNotEquals(first["tsId"], second["tsId"])
  }

  @Test
  fun `the engine call is the sample of the contract`() {
    val expected = contract("samples/intelligence-request.android")
    val facts = expected["facts"].members() - "volumeDates" // switched off by the fault server
    val read = facts.map { (name, value) -> SimpleFact(name) { value } }
    val location = SimpleFact("location") { throw SecurityException("not granted") }
    val environment =
      Environment(
        "com.example.shop",
        facts = read + location,
        key = SoftwareKey(),
        log = { throw AssertionError(it) },
      )
    val info = UpdateInfo(userId = "u-1001", userEventType = UpdateInfo.UserEventType.LOGIN)
    val sent = sent(updateInfo = info, environment = environment).engineCall
    val perRun = setOf("requestId", "challenge", "tsId", "inId", "proof", "attestation")
    assertEquals(expected - perRun + mapOf("facts" to facts, "carry" to true), sent - perRun)
    assertEquals(expected["proof"].members().keys, sent["proof"].members().keys)
  }

  @Test
  fun `a fact that the service switches off is neither read nor sent`() {
    val all = contract("samples/android-facts.everything").keys.sorted()
    assertTrue(all.size > 20)
    for (off in all.map { listOf(it) } + listOf(all)) {
      val read = CopyOnWriteArrayList<String>()
      val facts = all.map { name -> SimpleFact(name) { read.add(name) } }
      val switches = mapOf("collect" to all.associateWith { it !in off })
      val faults = Faults.planned("device-fingerprint/config" to listOf(switches))
      val client = initialized(faults, Environment("com.example.shop", facts = facts, log = Log()))
      blocking { client.fetch() }.getOrThrow()
      assertEquals(all - off.toSet(), read.sorted())
      assertEquals(
        all - off.toSet(),
        faults.calls("intelligence").first().body["facts"].members().keys.sorted(),
      )
    }
  }

  @Test
  fun `the service learns the version of the system before it says which facts it wants`() {
    for ((version, sent) in
      listOf("8.1.0" to "8.1.0", "x".repeat(70) to "x".repeat(64), "" to "")) {
      val faults = Faults.planned()
      initialized(faults, Environment("com.example.shop", systemVersion = version, log = Log()))
      assertEquals(sent, faults.calls("device-fingerprint/config").single().body["systemVersion"])
    }
  }

  @Test
  fun `a missing fact is left out, and the reason is sent`() {
    val end = CountDownLatch(1)
    class Slow : Fact {
      override val name = "slow"
      override val limitMillis = 50L

      override fun read(): Any {
        end.await()
        return 3
      }
    }
    val facts =
      listOf(
        SimpleFact("quick") { 1 },
        SimpleFact("missing") { null },
        Slow(),
        SimpleFact("strange") { Any() },
        SimpleFact("denied") { throw SecurityException() },
        SimpleFact("broken") { throw NoSuchMethodError("of a maker") },
      )
    val environment = Environment("com.example.shop", facts = facts, log = Log())
    val millis = ranMillis { FactReader(facts).read(emptyMap()) }
    assertTrue(millis < 3_000, "a hanging fact delays a fetch by its limit only")
    val sent = sent(environment = environment).engineCall
    end.countDown()
    assertEquals(mapOf("quick" to 1L), sent["facts"])
    val reasons =
      mapOf(
        "missing" to "unavailable",
        "slow" to "timedOut",
        "strange" to "unavailable",
        "denied" to "refused",
        "broken" to "unavailable",
      )
    assertEquals(reasons, sent["factsMissing"])
    assertNull(
      sent(environment = Environment("x", facts = facts.take(1), log = Log()))
        .engineCall["factsMissing"]
    )
  }

  @Test
  fun `a fact that hangs holds one thread, however often it is read`() {
    val reads = CopyOnWriteArrayList<String>()
    val end = CountDownLatch(1)
    val hanging =
      object : Fact {
        override val name = "drmId"
        override val limitMillis = 20L

        override fun read(): Any {
          reads.add(name)
          end.await()
          return ""
        }
      }
    val faults = Faults.planned()
    val quick = SimpleFact("language") { "de" }
    val client = initialized(faults, Environment("x", facts = listOf(hanging, quick), log = Log()))
    repeat(20) { blocking { client.fetch() }.getOrThrow() }
    until { reads.isNotEmpty() }
    assertEquals(listOf("drmId"), reads)
    end.countDown()
    assertFalse(faults.calls("intelligence").any { it.body["facts", "language"] != "de" })
  }
}
