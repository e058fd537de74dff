package ringfence

import android.accessibilityservice.AccessibilityServiceInfo
import android.content.pm.ApplicationInfo
import android.os.Build.VERSION
import android.os.Build.VERSION.SDK_INT
import android.view.MotionEvent
import java.io.File
import java.io.RandomAccessFile
import java.nio.channels.FileChannel
import java.util.Locale
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertAll
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.function.Executable
import org.junit.jupiter.api.io.TempDir
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource
import org.mockito.ArgumentMatchers.anyInt
import org.mockito.ArgumentMatchers.anyString
import org.mockito.ArgumentMatchers.intThat
import org.mockito.Mockito
import ringfence.core.Environment
import ringfence.core.IntelligenceClient
import ringfence.core.facts.SimpleFact
import ringfence.core.facts.localeFacts
import ringfence.core.json.JsonObject
import ringfence.device.facts.HookTracesFact
import ringfence.device.facts.KnownTraces
import ringfence.device.facts.RemoteAccessAppsFact
import ringfence.device.facts.RootTracesFact
import ringfence.device.facts.TouchFact
import ringfence.device.facts.deviceFacts
import ringfence.device.facts.orNull
import ringfence.device.facts.sha256Hex

class FactsTest {
  @TempDir lateinit var folder: File
  private val level = SDK_INT

  /** What a phone shows, whose screen was touched through the window of another app. */
  private fun facts(): Map<String, Any?> {
    val touch = TouchFact()
    val flags = MotionEvent.FLAG_WINDOW_IS_OBSCURED or 2
    touch.touched(mocked { it.flags gives flags })
    return read(ShownPhone(folder), touch)
  }

  private fun read(phone: ShownPhone, touch: TouchFact = TouchFact()): Map<String, Any?> =
    phone.shown { deviceFacts(phone, touch).associate { it.name to orNull(it::read) } }

  /** What a backend gets for a phone with these facts. */
  private fun reportOf(facts: Map<String, Any?>): JsonObject {
    val sent = facts.map { (name, value) -> SimpleFact(name) { value } }
    val client = IntelligenceClient(Environment(started("PACKAGE_NAME"), facts = sent, log = Log()))
    assertTrue(blocking { client.initialize(started("APP_ID"), started("URL")) })
    return reportOf(blocking { client.fetch() }.getOrThrow().dfrId)
  }

  private fun <Value> since(level: Int, value: Value): Value? = value.takeIf { SDK_INT >= level }

  private fun members(vararg members: Pair<String, Any?>): Map<String, Any?> =
    members.toMap().filterValues { it != null }

  @AfterEach
  fun restore() {
    VERSION.SDK_INT = level
  }

  @ParameterizedTest
  @ValueSource(ints = [23, 24, 26, 28, 29, 30, 31, 33, 34, 35, 36, 37])
  fun `reads what a phone of each API level shows, and calls nothing that its level does not have`(
    level: Int
  ) {
    VERSION.SDK_INT = level
    val facts = facts()
    val card = members("networkCode" to "26201", "carrier" to "Telekom.de", "country" to "de")
    val expected =
      mapOf(
        "devicePixelRatio" to 2.75f,
        "screen" to
          members("width" to 393, "height" to 873, "nativeWidth" to 1_080, "nativeHeight" to 2_400),
        "memory" to members("totalBytes" to 8_000_000_000),
        "diskSpace" to members("totalBytes" to 128_000_000_000, "availableBytes" to 32_000_000_000),
        "drmId" to sha256Hex(byteArrayOf(1, 2, 3)),
        "androidId" to "9774d56d682e549c",
        "appIntegrity" to
          members(
            "bundleId" to "com.example.shop",
            "version" to "2.1",
            "build" to "21",
            "certificates" to listOf(sha256Hex(byteArrayOf(9))),
            "dataFolder" to folder.path,
            "installer" to "com.android.vending",
            "isDebugged" to false,
          ),
        "peripherals" to members("sensors" to 3, "cameras" to 2, "hardwareCodecs" to 1),
        "networkInterfaces" to members("routableTunnels" to listOf("tun0")),
        "proxy" to members("http" to true, "autoConfiguration" to false, "isLoopback" to true),
        "screenCapture" to members("isMirrored" to true, "isRecorded" to since(35, true)),
        "developerOptions" to
          members(
            "isEnabled" to true,
            "isAdbEnabled" to false,
            "isWirelessDebuggingEnabled" to since(30, true),
          ),
        "remoteAccessApps" to listOf("com.anydesk.anydeskandroid"),
        "accessibilityServices" to since(31, listOf("com.example.clicker", "com.example.remote")),
        "inputMethod" to members("package" to "com.example.keys", "isSystem" to false),
        "audioMode" to 3,
        "touch" to members("isObscured" to true, "isPartiallyObscured" to since(29, true)),
        "user" to members("isManaged" to since(30, true), "isSystemUser" to false),
        "wifi" to since(31, members("security" to 0)),
        "clock" to members("isAutomatic" to false, "isZoneAutomatic" to true),
        "sim" to members("slots" to 2, "inserted" to since(26, 1), "cards" to listOf(card)),
        "location" to
          members(
            "latitude" to 52.5,
            "longitude" to 13.4,
            "accuracyMeters" to 12f,
            "ageSeconds" to 10L,
            "isSimulated" to true,
          ),
        "languages" to listOf(Locale.getDefault().toLanguageTag()),
      )
    assertAll(
      expected.map { (name, value) -> Executable { assertEquals(value, facts[name], name) } }
    )
    val started = (System.currentTimeMillis() / 1_000) - 3_600
    assertTrue((facts["bootTime"] as Long) in started - 60..started)
    assertEquals(listOf("com.topjohnwu.magisk"), facts["rootTraces"].members()["packages"])
    val model = facts["deviceModel"].members()
    assertEquals(
      listOf("google", "Pixel 8", "16"),
      listOf("brand", "identifier", "systemVersion").map(model::get),
    )
    val others =
      listOf("build", "rootTraces", "hookTraces", "emulatorTraces", "bootTime", "deviceModel")
    val read = expected.keys + others + localeFacts.map { it.name }
    assertEquals(read, facts.keys, "each fact is read")
  }

  @Test
  fun `properties and SELinux show an open phone, and a locked one has none of them`() {
    fun properties(enforce: String?, vararg lines: String): Any? {
      val files = mapOf("/sys/fs/selinux/enforce" to listOfNotNull(enforce))
      val fact = RootTracesFact(ShownPhone(folder), { files[it].orEmpty() }, { lines.toList() })
      return fact.read().members()["properties"]
    }
    val open = arrayOf("[ro.debuggable]: [1]", "[ro.boot.verifiedbootstate]: [orange]")
    val other = "[ro.build.description]: [first line"
    assertEquals(
      listOf("ro.debuggable=1", "ro.boot.verifiedbootstate=orange", "selinux=permissive"),
      properties("0", *open, other, "of two]", "[ro.secure]: [1]"),
    )
    assertEquals(emptyList<String>(), properties("1", "[ro.debuggable]: [0]", "[ro.secure]: [1]"))
    assertEquals(emptyList<String>(), properties(null, "[ro.secure]: [1]"))
    assertNull(properties("0"), "a system that shows no property")
  }

  @Test
  fun `a touch counts for five minutes`() {
    var now = 1_000L
    val touch = TouchFact { now }
    touch.touched(mocked { it.flags gives MotionEvent.FLAG_WINDOW_IS_OBSCURED })
    now += 299_999
    assertEquals(true, touch.read()?.members()?.get("isObscured"))
    now += 1
    assertNull(touch.read())
  }

  @Test
  fun `an app whose manifest names no apps for remote access does not know of any`() {
    val phone = ShownPhone(folder)
    Mockito.doReturn(ApplicationInfo())
      .`when`(phone.packageManager)
      .getApplicationInfo(anyString(), anyInt())
    assertNull(RemoteAccessAppsFact(phone).read())
  }

  @Test
  fun `a system that does not say which apps it has is not one without them`() {
    val phone = ShownPhone(folder)
    Mockito.doThrow(IllegalStateException("it restarts"))
      .`when`(phone.packageManager)
      .getPackageInfo(anyString(), anyInt())
    assertThrows(IllegalStateException::class.java) { RemoteAccessAppsFact(phone).read() }
    assertNull(RootTracesFact(phone).read().members()["packages"])
  }

  @Test
  fun `a setting that the phone does not have is not known, and developer options that were never opened are off`() {
    val phone = ShownPhone(folder)
    phone.globals.clear()
    val facts = read(phone)
    assertEquals(members("isEnabled" to false), facts["developerOptions"])
    assertEquals(members(), facts["clock"])
  }

  @Test
  fun `a system that names neither installer nor signer of the app still shows the app`() {
    val phone = ShownPhone(folder)
    val packages = phone.packageManager
    Mockito.doThrow(IllegalStateException("of a maker"))
      .`when`(packages)
      .getPackageInfo(anyString(), intThat { it != 0 })
    Mockito.doThrow(IllegalArgumentException())
      .`when`(packages)
      .getInstallerPackageName(anyString())
    Mockito.doThrow(SecurityException()).`when`(packages).getInstallSourceInfo(anyString())
    val expected =
      members(
        "bundleId" to "com.example.shop",
        "version" to "2.1",
        "build" to "21",
        "dataFolder" to folder.path,
        "isDebugged" to false,
      )
    assertEquals(expected, read(phone)["appIntegrity"].members())
  }

  @Test
  fun `names of hooks are traces as words, and libraries of honest apps have other words`() {
    val hooks =
      listOf("frida-agent-64.so", "libfrida-gadget.so", "@/frida-7f", "re.frida.server", "@frida") +
        listOf("libxposed_art.so", "XposedBridge.jar", "liblspd.so", "libriruloader.so") +
        listOf("libzygisk.so", "libsubstrate-dvm.so", "libdobby.so", "libwhale.so", "libpine.so") +
        listOf("libriru_edxp.so", "libsandhook.so", "lsposed.apk", "gum-js-loop")
    val honest =
      listOf("libfriday.so", "@friday", "libexposed.so", "libpineapple.so", "libbluewhale.so") +
        listOf("libc++_shared.so", "libsubstrates.so", "libavirirus.so")
    assertEquals(hooks, (hooks + honest).filter(KnownTraces::isOfHook))
  }

  @Test
  fun `a library of a hook that is loaded is a trace`() {
    assumeTrue(File("/proc/self/maps").exists())
    val library = File(folder, "frida-agent-64.so").apply { writeText("not a library") }
    val mapped =
      RandomAccessFile(library, "r").use { it.channel.map(FileChannel.MapMode.READ_ONLY, 0, 4) }
    assertEquals(listOf("frida-agent-64.so"), HookTracesFact().read().members()["libraries"])
    assertEquals('n'.code.toByte(), mapped[0])
  }

  @Test
  fun `the service takes every fact, and its report says what they show`() {
    val report = reportOf(facts())
    val expected =
      members(
        "remoteAccess" to true,
        "activeCall" to true,
        "overlay" to true,
        "foreignKeyboard" to true,
        "mirroredScreen" to true,
        "vpn" to true,
        "proxy" to true,
        "geoSpoofed" to true,
        "openWifi" to since(31, true),
        "accessibilityService" to since(31, true),
      )
    assertEquals(expected, report.filterKeys { it in expected })
    assertEquals(true, report["signals", "rootApps", "verdict", "result"])
  }

  @Test
  fun `an app that calls itself a tool for accessibility says nothing of itself`() {
    fun found(vararg services: AccessibilityServiceInfo) =
      read(ShownPhone(folder, accessibilityServices = services.toList()))["accessibilityServices"]
    val system = accessibilityService("com.android.talkback", ofApp = ApplicationInfo.FLAG_SYSTEM)
    val tool = accessibilityService("com.thief", isTool = true)
    assertEquals(since(31, listOf<String>()), found())
    assertEquals(since(31, listOf<String>()), found(system))
    assertNull(found(tool, system))
    assertEquals(since(31, listOf("com.remote")), found(tool, accessibilityService("com.remote")))
  }

  @Test
  fun `an app without any permission sends a complete report`() {
    val facts = read(ShownPhone(folder, permissions = emptySet()))
    for (name in listOf("proxy", "wifi", "location")) assertNull(facts[name], name)
    // A JVM has no properties of Android.
    val missing = reportOf(facts)["signals", "missingFacts", "verdict", "facts"]
    assertEquals(listOf("rootTraces.properties"), missing)
  }
}
