package ringfence

import android.net.ConnectivityManager
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
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import ringfence.core.IntelligenceError
import ringfence.core.UpdateInfo
import ringfence.device.RingfenceDevice
import ringfence.reactnative.RingfenceDeviceIntelligence
import ringfence.reactnative.RingfencePackage

private const val MODULE = "RingfenceDeviceIntelligence"

/** One test: like an app, a process has one `RingfenceDevice`. */
class RingfenceDeviceTest {
  @TempDir lateinit var folder: File

  @Test
  fun `apps in Kotlin, Java and React Native get their dfrIds, and sign a person in, from a context alone`() {
    TestKeystore.install()
    val phone = MobilePhone(folder)
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
    val signIns = List(2) { RingfenceDevice.headlessAuthentication(phone) }
    assertSame(signIns[0], signIns[1])
    val uninitialized = readable("channel" to "OTP", "identity" to mobile("4915123457902"))
    val module = RingfencePackage().getModule(MODULE, object : ReactApplicationContext(phone) {})
    val refused = result { (module as RingfenceDeviceIntelligence).startSignIn(uninitialized, it) }
    assertEquals("notConfigured", refused.second!!["code"])
    val app = JavaApp(phone)
    val dfrId = app.dfrId(started("APP_ID"), started("URL"))
    assertTrue((reportOf(dfrId)["sessionId"] as String).isNotEmpty())
    val number = "4915123457901"
    val user = app.signedIn(started("APP_ID"), started("URL"), number) { otpSentTo(number) }
    assertEquals(user.dfrId?.length, 32)
    checkReactNative(phone)
  }

  /** As JavaScript calls the module, in react-native/src/device-intelligence.ts. */
  private fun checkReactNative(phone: MobilePhone) {
    val app = object : ReactApplicationContext(phone) {}
    val (name, listed) =
      RingfencePackage().reactModuleInfoProvider.reactModuleInfos.entries.single()
    assertEquals(listOf(MODULE, true), listOf(listed.name, listed.isTurboModule))
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
    checkSignIn(module)
    checkNumberVerification(module, phone)
  }

  private fun checkNumberVerification(module: RingfenceDeviceIntelligence, phone: MobilePhone) {
    val back = "https://shop.example/verified"
    val url = "https://operator.example/verify?redirect_uri=$back"
    val failed = result { module.openNumberVerification(url, it) }.second!!
    assertEquals(
      listOf("notVerified", "provider_failed"),
      listOf("code", "reason").map { failed[it] },
    )
    phone.mobileData = redirecting("$back?state=s&code=c&iss=https%3A%2F%2Foperator.example")
    assertEquals(
      mapOf("state" to "s", "code" to "c", "iss" to "https://operator.example"),
      result { module.openNumberVerification(url, it) }.first,
    )
  }

  /** Its mobile data fail until a test replaces them. */
  private class MobilePhone(folder: File) : TestPhone(folder) {
    var mobileData: ConnectivityManager? = null

    override fun getSystemServiceName(type: Class<*>) = type.name.takeIf { mobileData != null }

    override fun getSystemService(name: String) =
      mobileData.takeIf { name == ConnectivityManager::class.java.name }
  }

  /** What JavaScript gets of a call: a value, or what failed. */
  private fun result(call: (Callback) -> Unit): Pair<Map<String, Any?>?, Map<String, Any?>?> {
    val (value, failure) = arguments(call).map { (it as WritableNativeMap?)?.values }
    return value to failure
  }

  /** As in react-native/src/headless-authentication.ts. */
  private fun checkSignIn(module: RingfenceDeviceIntelligence) {
    val number = "4915123457902"
    val back = "${started("PACKAGE_NAME")}://signed-in"
    val otp = readable("channel" to "OTP", "identity" to mobile(number), "otpLength" to 6.0)
    assertEquals(listOf<Any?>(true), arguments { module.initializeSignIn(started("APP_ID"), it) })
    assertEquals(
      "noSignIn",
      result { module.verifySignIn("123456", null, null, it) }.second!!["code"],
    )
    assertEquals(
      "7102",
      result { module.startSignIn(readable("channel" to "SMS"), it) }.second!!["errorCode"],
    )
    val transaction = result { module.startSignIn(otp, it) }.first!!
    assertEquals(
      listOf("OTP", "SMS", 6),
      listOf("channel", "method", "otpLength").map { transaction[it] },
    )
    assertFalse("user" in transaction)
    val early = result { module.resendSignIn(null, it) }.second!!
    assertEquals(
      listOf("refused", 429, "7122"),
      listOf("code", "status", "errorCode").map { early[it] },
    )
    assertEquals("PENDING", result { module.signInStatus(null, it) }.first!!["status"])
    val id = transaction["transactionId"] as String
    val user = result { module.verifySignIn(otpSentTo(number), null, id, it) }.first!!
    assertEquals(user["token"], validated(user["token"] as String)["token"])

    val mail = mapOf("type" to "EMAIL", "value" to "react@shop.example")
    val link = readable("channel" to "MAGIC_LINK", "identity" to mail, "redirectUrl" to back)
    val sent = result { module.startSignIn(link, it) }.first!!["transactionId"] as String
    val code =
      openLinkSentTo("react@shop.example").substringAfter("ringfence_code=").substringBefore('&')
    assertTrue("token" in result { module.verifySignIn(null, code, sent, it) }.first!!)

    // The mobile data of this phone fail.
    val silent = readable("channel" to "SILENT", "identity" to mobile("4915123457903"))
    val instead = result { module.startSignIn(silent, it) }.first!!
    assertEquals(
      listOf("OTP", "provider_failed"),
      listOf("channel", "silentError").map { instead[it] },
    )
  }

  private fun mobile(number: String) = mapOf("type" to "MOBILE", "value" to number)

  private fun readable(vararg members: Pair<String, Any>) =
    object : ReadableMap {
      override fun toHashMap() = hashMapOf(*members)
    }

  /** What a call gives to its callback. */
  private fun arguments(call: (Callback) -> Unit): List<Any?> {
    val done = CompletableFuture<List<Any?>>()
    call(Callback { arguments -> done.complete(arguments.toList()) })
    return done.get(60, TimeUnit.SECONDS)
  }
}
