package ringfence

import android.content.ContentResolver
import android.content.pm.PackageManager
import android.content.res.Resources
import android.media.DeniedByServerException
import android.media.MediaCodecList
import android.media.MediaDrm
import android.media.NotProvisionedException
import android.media.UnsupportedSchemeException
import android.net.ConnectivityManager
import android.os.Build
import android.os.Build.VERSION
import android.os.Build.VERSION.SDK_INT
import android.os.DeadObjectException
import android.os.UserManager
import android.provider.Settings
import android.telephony.TelephonyManager
import java.io.File
import java.util.Locale
import java.util.concurrent.Callable
import java.util.concurrent.CountDownLatch
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotNull
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import org.mockito.ArgumentMatchers.anyInt
import org.mockito.Mockito
import ringfence.core.Environment
import ringfence.core.IntelligenceClient
import ringfence.core.facts.Fact
import ringfence.core.facts.SimpleFact
import ringfence.core.facts.localeFacts
import ringfence.device.facts.DrmIdFact
import ringfence.device.facts.ProxyFact
import ringfence.device.facts.SimFact
import ringfence.device.facts.TouchFact
import ringfence.device.facts.UserFact
import ringfence.device.facts.deviceFacts

/** Phones that refuse, hang, or say something strange. */
class BadPhoneTest {
  @TempDir lateinit var folder: File
  private val level = SDK_INT

  @AfterEach
  fun restore() {
    VERSION.SDK_INT = level
    MediaDrm.id = null
    MediaDrm.reading = null
    MediaDrm.closing = null
    MediaCodecList.codecs = null
  }

  private fun outcome(fact: Fact): Any? =
    try {
      fact.read()
    } catch (error: Throwable) {
      error
    }

  /** A phone whose system throws on each call. */
  private inner class RefusingPhone(private val error: () -> Throwable) : TestPhone(folder) {
    override fun getSystemServiceName(type: Class<*>): String = type.name

    override fun getSystemService(name: String): Any = refusing(Class.forName(name))

    override fun getPackageManager(): PackageManager = refusing(PackageManager::class.java)

    override fun getResources(): Resources = refusing(Resources::class.java)

    override fun getContentResolver(): ContentResolver = mocked()

    override fun getApplicationInfo() = throw error()

    override fun checkSelfPermission(permission: String): Int = PackageManager.PERMISSION_GRANTED

    private fun <Type> refusing(type: Class<Type>): Type = Mockito.mock(type) { throw error() }

    fun outcomes(): Map<String, Any?> {
      MediaDrm.reading = Callable { throw error() }
      MediaDrm.closing = Runnable { throw error() }
      val settings =
        listOf(
          Mockito.mockStatic(Settings.Secure::class.java) { throw error() },
          Mockito.mockStatic(Settings.Global::class.java) { throw error() },
        )
      try {
        return deviceFacts(this, TouchFact()).associate { it.name to outcome(it) }
      } finally {
        settings.forEach { it.close() }
      }
    }
  }

  /** Facts that are in files, which a JVM has, or in constants of the system. */
  private val withoutSystem =
    localeFacts.map { it.name } +
      listOf("languages", "deviceModel", "build", "bootTime", "hookTraces", "emulatorTraces") +
      "networkInterfaces"

  private fun leaves(value: Any?): List<Any?> =
    when (value) {
      is Map<*, *> -> value.values.flatMap(::leaves)
      is List<*> -> if (value.isEmpty()) listOf(value) else value.flatMap(::leaves)
      else -> listOf(value)
    }

  private fun checkNotKnown(outcomes: Map<String, Any?>) {
    val answers = listOf(false, 0, "", emptyList<Any>())
    for ((name, value) in outcomes) {
      assertEquals(emptyList<Any?>(), leaves(value).filter { it in answers }, "$name is $value")
    }
  }

  @Test
  fun `without a permission, for a second user or in a work profile, what the system refuses is refused or not known, never false, none or zero`() {
    for (of in listOf(23, 28, 31, 36)) {
      VERSION.SDK_INT = of
      val phone = RefusingPhone { SecurityException("not allowed") }
      val outcomes = phone.outcomes() - withoutSystem
      val refused = outcomes.filterValues { it is SecurityException }.keys
      val traces = outcomes.getValue("rootTraces").members()
      assertEquals(null, traces["packages"])
      val expected =
        setOf("devicePixelRatio", "screen", "memory", "diskSpace", "drmId", "androidId") +
          setOf("appIntegrity", "proxy", "screenCapture") +
          setOf("remoteAccessApps", "inputMethod", "audioMode", "user", "wifi", "sim", "location")
      val newer = setOf("accessibilityServices").filter { of >= 31 }
      assertEquals(expected + newer, refused, "$of")
      checkNotKnown(outcomes - "rootTraces")
      assertEquals(emptyMap<String, Any>(), outcomes["developerOptions"])
      assertEquals(emptyMap<String, Any>(), outcomes["clock"])
    }
  }

  @Test
  fun `a service of the system that died, or that a maker changed, costs its facts and not the report`() {
    for (error in listOf({ RuntimeException(DeadObjectException()) }, { NullPointerException() })) {
      checkNotKnown(RefusingPhone(error).outcomes() - withoutSystem - "rootTraces")
    }
    val facts = deviceFacts(RefusingPhone { NoSuchMethodError("of a maker") }, TouchFact())
    val faults = Faults.planned()
    val client = initialized(faults, Environment("x", facts = facts, log = Log()))
    assertTrue(blocking { client.fetch() }.isSuccess)
    val call = faults.calls("intelligence").single().body
    assertEquals("unavailable", call["factsMissing", "sim"])
    assertNotNull(call["facts", "hookTraces"])
  }

  @Test
  fun `a work profile and a second user are told from the owner, where the level says so`() {
    for ((isManaged, isSystem) in listOf(true to false, false to false, false to true)) {
      val users =
        mocked<UserManager> {
          it.isManagedProfile.givesSince(30, isManaged)
          it.isSystemUser gives isSystem
        }
      val known =
        mapOf("isManaged" to isManaged.takeIf { SDK_INT >= 30 }, "isSystemUser" to isSystem)
      assertEquals(known.filterValues { it != null }, UserFact(phoneWith(users)).read())
    }
  }

  @Test
  fun `a MediaDrm that throws anything, or returns nothing, is no id, and is closed on every level`() {
    val readings =
      listOf<() -> ByteArray?>(
        { throw UnsupportedSchemeException("scheme") },
        { throw NotProvisionedException("not provisioned") },
        { throw DeniedByServerException("denied") },
        { throw IllegalStateException("of a maker") },
        { throw IllegalArgumentException() },
        { throw SecurityException() },
        { throw UnsatisfiedLinkError("libmediadrm.so") },
        { throw OutOfMemoryError() },
        { null },
        { ByteArray(0) },
        { ByteArray(32) },
      )
    for (of in listOf(23, 27, 28, 30, 37)) {
      VERSION.SDK_INT = of
      for (reading in readings) {
        MediaDrm.reading = Callable(reading)
        val read = outcome(DrmIdFact())
        assertTrue(read == null || read is Throwable, "$read")
        assertEquals(0, MediaDrm.OPEN.get(), "$of")
      }
      MediaDrm.reading = Callable { byteArrayOf(0, 7) }
      MediaDrm.closing = Runnable { throw IllegalStateException("of a maker") }
      val (first, second) = List(2) { DrmIdFact().read() as String }
      assertTrue(Regex("[0-9a-f]{64}").matches(first))
      assertEquals(first, second)
      assertEquals(0, MediaDrm.OPEN.get(), "$of")
    }
    MediaDrm.reading = null
    assertTrue(outcome(DrmIdFact()) is UnsupportedSchemeException)
  }

  @Test
  fun `a MediaDrm that hangs delays a fetch by a second, holds one thread, and is closed when it returns`() {
    val end = CountDownLatch(1)
    MediaDrm.reading = Callable {
      end.await()
      byteArrayOf(1)
    }
    val faults = Faults.planned()
    val drmId =
      object : Fact by DrmIdFact() {
        override var limitMillis = DrmIdFact().limitMillis
      }
    val facts = listOf(drmId, SimpleFact("language") { "de" })
    val client = initialized(faults, Environment("x", facts = facts, log = Log()))
    repeat(3) {
      val began = System.nanoTime()
      assertTrue(blocking { client.fetch() }.isSuccess)
      assertTrue(System.nanoTime() - began > 990_000_000)
    }
    assertEquals(1_000, DrmIdFact().limitMillis, "a fact that takes longer is left out")
    assertEquals(1, MediaDrm.OPEN.get())
    val calls = faults.calls("intelligence").map { it.body }
    assertEquals(
      List(3) { mapOf("language" to "de") to mapOf("drmId" to "timedOut") },
      calls.map { it["facts"] to it["factsMissing"] },
    )
    end.countDown()
    until { MediaDrm.OPEN.get() == 0 }
    drmId.limitMillis = 60_000
    assertTrue(blocking { client.fetch() }.isSuccess)
    assertNotNull(faults.calls("intelligence").last().body["facts", "drmId"])
  }

  private fun phoneWith(service: Any): TestPhone =
    object : TestPhone(folder) {
      override fun getSystemServiceName(type: Class<*>) = type.name

      override fun getSystemService(name: String) = service
    }

  @Test
  fun `a network that has just ended has no proxy that is known`() {
    val network = mocked<android.net.Network>()
    val system = mocked<ConnectivityManager> { it.activeNetwork gives network }
    assertNull(ProxyFact(phoneWith(system)).read())
  }

  @Test
  @Tag("since-24")
  fun `SIM slots whose state is not known are not empty`() {
    val (absent, unknown, ready) =
      listOf(
        TelephonyManager.SIM_STATE_ABSENT,
        TelephonyManager.SIM_STATE_UNKNOWN,
        TelephonyManager.SIM_STATE_READY,
      )
    val states =
      mapOf(
        listOf(absent, absent) to 0,
        listOf(absent, unknown) to null,
        listOf(unknown, unknown) to null,
        listOf(ready, unknown) to 1,
        listOf(TelephonyManager.SIM_STATE_PIN_REQUIRED, ready) to 2,
      )
    for ((slots, inserted) in states) {
      val telephony =
        mocked<TelephonyManager> {
          it.activeModemCount gives 2
          Mockito.`when`(it.getSimState(anyInt())).thenAnswer { call -> slots[call.getArgument(0)] }
        }
      assertEquals(inserted, SimFact(phoneWith(telephony)).read().members()["inserted"], "$slots")
    }
  }

  @Test
  fun `texts that are longer than the service takes are cut, so that it takes every fact`() {
    val long = "x".repeat(300)
    val before = Locale.getDefault()
    val builds = Build::class.java.fields.filter { it.type == String::class.java }
    val texts = builds.map { it to it.get(null) }
    val phone = ShownPhone(folder)
    phone.packageManager.getPackageInfo(phone.packageName, 0).versionName = long
    val telephony = phone.getSystemService(TelephonyManager::class.java.name) as TelephonyManager
    telephony.simOperator gives long
    telephony.simOperatorName gives long
    telephony.simCountryIso gives long
    try {
      for (each in builds) each.set(null, long)
      Locale.setDefault(
        Locale.forLanguageTag(
          "de-DE-u-ca-gregory-cu-eur-fw-mon-hc-h23-mu-celsius-nu-latn-rg-dezzzz"
        )
      )
      val facts = phone.shown { deviceFacts(phone, TouchFact()).associate { it.name to it.read() } }
      assertEquals(64, (facts["language"] as String).length)
      val read =
        facts.filterValues { it != null }.map { (name, value) -> SimpleFact(name) { value } }
      val environment = Environment(started("PACKAGE_NAME"), facts = read, log = Log())
      val client = IntelligenceClient(environment)
      assertTrue(blocking { client.initialize(started("APP_ID"), started("URL")) })
      val report = reportOf(blocking { client.fetch() }.getOrThrow().dfrId)
      // The machine that runs the test has no properties.
      val missing = report["signals", "missingFacts", "verdict", "facts"]
      assertEquals(listOf("rootTraces.properties"), missing)
      assertEquals("x".repeat(64), report["deviceMeta", "model"])
      assertEquals("x".repeat(64), report["sim", "carrier"])
    } finally {
      Locale.setDefault(before)
      for ((each, text) in texts) each.set(null, text)
    }
  }
}
