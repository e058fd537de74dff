// Does an app work that is written as the guide says? The release is all that it has of the SDK.
package ringfence.guide

import android.app.Application
import android.content.Context
import android.content.ContextWrapper
import com.example.shop.ShopApp as ExampleApp
import java.nio.file.Files
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import ringfence.ShownPhone
import ringfence.TestKeystore
import ringfence.blocking
import ringfence.core.UpdateInfo
import ringfence.device.RingfenceDevice
import ringfence.otpSentTo
import ringfence.outside
import ringfence.reportOf
import ringfence.signin.Channel
import ringfence.signin.DeviceFingerprintMode
import ringfence.signin.Identity
import ringfence.signin.SignInError
import ringfence.signin.SignInRequest
import ringfence.signin.SignInTransaction
import ringfence.signin.SignedInUser
import ringfence.validated

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GuideTest {
  private val phone = ShownPhone(Files.createTempDirectory("ringfence-guide").toFile())

  private val app = ShopApp()
  private val example = ExampleApp()

  /** As Android does. */
  private fun launch(app: Application) {
    ContextWrapper::class
      .java
      .getDeclaredMethod("attachBaseContext", Context::class.java)
      .apply { isAccessible = true }
      .invoke(app, phone)
    app.onCreate()
  }

  /** Both apps are launched, and used, without a network. The tests use the same ones with it. */
  @BeforeAll
  fun `without a network the apps go on without a device`() {
    TestKeystore.install()
    listOf(app, example).forEach(::launch)
    assertNull(blocking { dfrIdOfPayment(app, "A-0") })
    assertNull(blocking { tokenOf(app, "4915123458000") { error("no code is asked for") } })
    assertFalse(RingfenceDevice.isInitialized)
    outside("online", emptyMap())
  }

  private fun checkReport(dfrId: String?) {
    val report = reportOf(dfrId!!)
    assertTrue((report["deviceId"] as String).isNotEmpty(), "$report")
    assertEquals("google", (report["deviceMeta"] as Map<*, *>)["brand"])
  }

  @Test
  fun `an app in Kotlin gets its dfrId at the first attempt, and its backend the report`() {
    checkReport(blocking { dfrIdOfPayment(app, "A-1") })
  }

  @Test
  fun `an app in Java gets its dfrId, and its backend the report`() {
    val sent = CompletableFuture<String?>()
    GuideInJava(sent::complete).fetch(app, mapOf("orderId" to "A-2"), UpdateInfo(userId = "u-1001"))
    checkReport(sent.get(60, TimeUnit.SECONDS))
  }

  @Test
  fun `an app signs a person in, and its backend exchanges the token`() {
    val number = "4915123458001"
    val token = blocking { tokenOf(app, number) { otpSentTo(number) } }
    assertEquals(token, validated(token!!)["token"])
  }

  @Test
  fun `an app in Java signs a person in, and its backend exchanges the token`() {
    val number = "4915123458003"
    val (shown, sent) = List(2) { CompletableFuture<String?>() }
    val screen =
      object : SignInInJava(app) {
        override fun show(transaction: SignInTransaction?, error: SignInError?) {
          shown.complete(transaction?.transactionId)
        }

        override fun send(user: SignedInUser?, error: SignInError?) {
          sent.complete(user?.token)
        }
      }
    screen.start(number)
    val transactionId = shown.get(60, TimeUnit.SECONDS)
    screen.verify(otpSentTo(number), transactionId)
    val token = sent.get(60, TimeUnit.SECONDS)
    assertEquals(token, validated(token!!)["token"])
  }

  @Test
  fun `the app of the example signs a person in, on a known device`() {
    val number = "4915123458002"
    val request =
      SignInRequest(
        Channel.OTP,
        Identity.mobile(number),
        deviceFingerprintMode = DeviceFingerprintMode.ASYNC,
      )
    val transactionId = CompletableFuture<String?>()
    example.getReady {
      example.signIn.start(request) { transaction, _ ->
        transactionId.complete(transaction?.transactionId)
      }
    }
    val id = transactionId.get(60, TimeUnit.SECONDS)
    val dfrId = CompletableFuture<String?>()
    example.signIn.verify(otpSentTo(number), null, id) { user, _ -> dfrId.complete(user?.dfrId) }
    checkReport(dfrId.get(60, TimeUnit.SECONDS))
  }
}
