package ringfence

import android.content.Context
import com.facebook.react.bridge.Callback
import com.facebook.react.bridge.ReactApplicationContext
import com.facebook.react.bridge.ReadableMap
import com.facebook.react.bridge.WritableNativeMap
import java.io.File
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import ringfence.core.IntelligenceError
import ringfence.core.UpdateInfo
import ringfence.device.RingfenceDevice
import ringfence.reactnative.RingfenceDeviceIntelligence
import ringfence.reactnative.RingfencePackage

/** One test: like an app, a process has one `RingfenceDevice`. */
class RingfenceDeviceTest {
  @TempDir lateinit var folder: File

  @Test
  fun `apps in Kotlin, Java and React Native get their dfrIds, and sign a person in, from a context alone`() {
    TestKeystore.install()
    val phone = TestPhone(folder)
    assertFalse(RingfenceDevice.isInitialized)
    val early = blocking { RingfenceDevice.fetchIntelligence() }.exceptionOrNull()
    assertInstanceOf(IntelligenceError.NotConfigured::class.java, early)
    assertEquals(
      Called(false, null, null, "SDK not initialised"),
      called { RingfenceDevice.fetchIntelligence(null, null, it) },
    )
    assertTrue(blocking { RingfenceDevice.initialize(phone, started("APP_ID"), started("URL")) })
    assertTrue(RingfenceDevice.isInitialized)
    val info = UpdateInfo(userId = "u-1001", userEventType = UpdateInfo.UserEventType.TRANSACTION)
    val intelligence =
      blocking { RingfenceDevice.fetchIntelligence(mapOf("orderId" to "A-1"), info) }.getOrThrow()
    assertEquals(intelligence.requestId, reportOf(intelligence.dfrId)["requestId"])
    val app = JavaApp(phone)
    val dfrId = app.dfrId(started("APP_ID"), started("URL"))
    assertTrue((reportOf(dfrId)["sessionId"] as String).isNotEmpty())
    val number = "4915123457901"
    val user = app.signedIn(started("APP_ID"), started("URL"), number) { otpSentTo(number) }
    assertEquals(user.dfrId?.length, 32)
    checkReactNative(phone)
  }

  /** As JavaScript calls the module, in react-native/src/device-intelligence.ts. */
  private fun checkReactNative(phone: Context) {
    val app = object : ReactApplicationContext(phone) {}
    val (name, listed) =
      RingfencePackage().reactModuleInfoProvider.reactModuleInfos.entries.single()
    assertEquals(
      listOf("RingfenceDeviceIntelligence", true),
      listOf(listed.name, listed.isTurboModule),
    )
    assertNull(RingfencePackage().getModule("Other", app))
    val module = RingfencePackage().getModule(name, app) as RingfenceDeviceIntelligence
    assertEquals(name, module.name)
    module.setBaseURL(started("URL"))
    assertEquals(listOf<Any?>(true), arguments { module.isInitialized(it) })
    assertEquals(listOf<Any?>(true), arguments { module.initialize(started("APP_ID"), it) })
    assertEquals(listOf<Any?>(false), arguments { module.initialize("rfa_other", it) })
    val params = readable("orderId" to "A-3")
    val info = readable("userId" to "u-1001", "userEventType" to "LOGIN")
    val (success, dfrId, response, message) =
      arguments { module.fetchIntelligence(params, info, it) }
    assertEquals(listOf<Any?>(true, null), listOf(success, message))
    assertEquals(dfrId, (response as WritableNativeMap).values["dfrId"])
    assertTrue((reportOf(dfrId as String)["sessionId"] as String).isNotEmpty())
  }

  private fun readable(vararg members: Pair<String, Any>) =
    object : ReadableMap {
      override fun toHashMap() = hashMapOf(*members)
    }

  /** What a call gives to its callback. */
  private fun arguments(call: (Callback) -> Unit): List<Any?> {
    val done = CompletableFuture<List<Any?>>()
    call(Callback { arguments -> done.complete(arguments.toList()) })
    return done.get(30, TimeUnit.SECONDS)
  }
}
