// Does an app work that is written as the guide says? The release is all that it has of the SDK.
package ringfence.guide

import android.app.Application
import android.content.Context
import android.content.ContextWrapper
import com.example.shop.ShopApp
import java.nio.file.Files
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit
import org.junit.jupiter.api.Assertions.assertEquals
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
import ringfence.reportOf
import ringfence.signin.Channel
import ringfence.signin.Identity
import ringfence.signin.SignInRequest
import ringfence.validated

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GuideTest {
  private val phone = ShownPhone(Files.createTempDirectory("ringfence-guide").toFile())

  @BeforeAll
  fun launches() {
    TestKeystore.install()
    launch(phone)
    val end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30)
    while (!RingfenceDevice.isInitialized && System.nanoTime() < end) Thread.sleep(10)
    assertTrue(RingfenceDevice.isInitialized, "initialize of the guide")
  }

  private fun checkReport(dfrId: String?) {
    val report = reportOf(dfrId!!)
    assertTrue((report["deviceId"] as String).isNotEmpty(), "$report")
    assertEquals("google", (report["deviceMeta"] as Map<*, *>)["brand"])
  }

  @Test
  fun `an app in Kotlin gets its dfrId at the first attempt, and its backend the report`() {
    checkReport(blocking { dfrIdOfPayment("A-1") })
  }

  @Test
  fun `an app in Java gets its dfrId, and its backend the report`() {
    val sent = CompletableFuture<String?>()
    GuideInJava(sent::complete).fetch(mapOf("orderId" to "A-2"), UpdateInfo(userId = "u-1001"))
    checkReport(sent.get(30, TimeUnit.SECONDS))
  }

  @Test
  fun `an app signs a person in, and its backend exchanges the token`() {
    val number = "4915123458001"
    val token = blocking { signIn(phone, number) { otpSentTo(number) } }
    assertEquals(token, validated(token!!)["token"])
  }

  @Test
  fun `the app of the example launches, and signs a person in`() {
    val app = ShopApp()
    ContextWrapper::class
      .java
      .getDeclaredMethod("attachBaseContext", Context::class.java)
      .apply { isAccessible = true }
      .invoke(app as Application, phone)
    app.onCreate()
    val number = "4915123458002"
    val request = SignInRequest(Channel.OTP, Identity.mobile(number))
    val end =
      System.nanoTime() + TimeUnit.SECONDS.toNanos(30) // it is initialised in the background
    while (blocking { app.signIn.start(request) }.isFailure && System.nanoTime() < end) Thread
      .sleep(10)
    val userId = CompletableFuture<String?>()
    app.signIn.verify(otpSentTo(number), null, null) { user, _ -> userId.complete(user?.userId) }
    assertTrue(userId.get(30, TimeUnit.SECONDS)!!.isNotEmpty())
  }
}
